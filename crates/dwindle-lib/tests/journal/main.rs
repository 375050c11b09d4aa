//! Journals by their public face: what is written is read again, whatever happened in between.

#[cfg(test)]
mod compaction;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod reopening;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tidying;
