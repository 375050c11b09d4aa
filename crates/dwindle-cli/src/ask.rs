//! `--ask`: on a terminal, the user says what must stay of what was recognised.

use std::io::{BufRead, IsTerminal, stderr, stdin};

use dwindle::recognition::Signature;
use dwindle::{Config, Interrupt, Test, recognise_command};

use crate::failure::Failure;
use crate::progress::end_of;
use crate::say::say;

/// Asks what every variant must do, and has `config` ask for that.
pub(crate) fn ask(config: &mut Config) -> Result<(), Failure> {
    if !stdin().is_terminal() || !stderr().is_terminal() {
        return Err(Failure::Usage("--ask wants a terminal to ask on".to_owned()));
    }
    let (_interrupter, interrupt) = Interrupt::new().map_err(Failure::Signals)?;
    let recognised = match config.test {
        Test::Command(_) => recognise_command(config, &interrupt, &mut |_| ())?,
        Test::Script(_) => None,
    };
    let Some(mut signature) = recognised else {
        let what =
            "--ask is about what a command behind `--` does, where no other option says what must stay";
        return Err(Failure::Usage(what.to_owned()));
    };
    say(&format!("the command ended with {}\n", signature.title));
    loop {
        say(&listed(&signature));
        say("Enter starts. Numbers leave these out; any other text must be printed as well: ");
        let mut answer = String::new();
        let read = stdin().lock().read_line(&mut answer).map_err(Failure::Report)?;
        if read == 0 || answer.trim().is_empty() {
            break;
        }
        if let Err(problem) = change(&mut signature, answer.trim()) {
            say(&format!("{problem}\n"));
        }
    }
    config.criteria = config.criteria.clone().and(signature.criteria());
    Ok(())
}

/// The parts of a signature, as they are numbered.
fn parts(signature: &Signature) -> Vec<String> {
    let hangs = signature.hangs.map(|limit| format!("run for longer than {} s", limit.as_secs_f64()));
    let code = signature.exit_code.map(end_of);
    let lines = signature.lines.iter().map(|line| format!("print \"{line}\""));
    hangs.into_iter().chain(code).chain(lines).collect()
}

fn listed(signature: &Signature) -> String {
    let parts = parts(signature).into_iter().enumerate();
    let parts: String = parts.map(|(at, part)| format!("  {}  {part}\n", at + 1)).collect();
    format!("every variant must\n{parts}")
}

/// Does what an answer says, or tells why it cannot be done.
fn change(signature: &mut Signature, answer: &str) -> Result<(), String> {
    let words = answer.split([' ', ',']).filter(|word| !word.is_empty());
    let numbers: Result<Vec<usize>, _> = words.map(str::parse).collect();
    let Ok(numbers) = numbers else {
        return match signature.require(answer) {
            true => Ok(()),
            false => Err("That is too short to be looked for.".to_owned()),
        };
    };
    let count = parts(signature).len();
    if let Some(none) = numbers.iter().find(|&&number| number == 0 || number > count) {
        return Err(format!("There is no {none}."));
    }
    let stays = |number: usize| !numbers.contains(&number);
    if !(1..=count).any(stays) {
        return Err("Something must stay: otherwise any file would do.".to_owned());
    }
    let mut number = 0;
    let mut next = || {
        number += 1;
        stays(number)
    };
    signature.hangs = signature.hangs.take().filter(|_| next());
    signature.exit_code = signature.exit_code.take().filter(|_| next());
    signature.lines.retain(|_| next());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature() -> Signature {
        let mut signature = Signature {
            name: "panic".to_owned(),
            title: "a panic".to_owned(),
            exit_code: Some(2),
            hangs: None,
            lines: Vec::new(),
            is_crash: true,
        };
        assert!(signature.require("panic: no such label") && signature.require("in visit"));
        signature
    }

    #[test]
    fn numbers_leave_out_and_texts_add() {
        for (answer, expect) in [
            ("1", &["print \"panic: no such label\"", "print \"in visit\""][..]),
            ("1, 3", &["print \"panic: no such label\""]),
            (
                "label 3",
                &[
                    "exit with code 2",
                    "print \"panic: no such label\"",
                    "print \"in visit\"",
                    "print \"label 3\"",
                ],
            ),
        ] {
            let mut changed = signature();
            change(&mut changed, answer).unwrap();
            assert_eq!(parts(&changed), expect, "{answer}");
        }
    }

    #[test]
    fn what_cannot_be_done_changes_nothing() {
        for (answer, said) in [("4", "There is no 4."), ("1 2 3", "Something must stay"), ("()", "too short")]
        {
            let mut changed = signature();
            let problem = change(&mut changed, answer).unwrap_err();
            assert!(problem.contains(said), "{problem}");
            assert_eq!(changed, signature());
        }
    }
}
