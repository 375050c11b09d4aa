//! The real command on temporary folders: what it says, how it exits, what it leaves behind.

#[cfg(test)]
mod automation;
#[cfg(test)]
mod book;
#[cfg(test)]
mod broken;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod chaos;
#[cfg(test)]
mod checkup;
#[cfg(test)]
mod command;
#[cfg(test)]
mod conditions;
#[cfg(test)]
mod configuration;
#[cfg(test)]
mod debloat;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod external;
#[cfg(test)]
mod folders;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod formatting;
#[cfg(test)]
mod grammars;
#[cfg(test)]
mod habits;
#[cfg(test)]
mod history;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod interrupts;
#[cfg(test)]
mod isolate;
#[cfg(test)]
mod keep;
#[cfg(test)]
mod list;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod refining;
#[cfg(test)]
mod regions;
#[cfg(test)]
#[cfg(feature = "remote")]
mod remote;
#[cfg(test)]
mod repeats;
#[cfg(test)]
mod report;
#[cfg(test)]
mod signature;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod support;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod trace;
#[cfg(test)]
mod trees;
#[cfg(test)]
mod watching;
