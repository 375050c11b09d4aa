//! The commands of a test on one candidate, wherever they run.

use std::time::Duration;

use dwindle_run::{Cancel, Part, Run, RunEnd, RunError, Sought};

use crate::driver::Candidate;
use crate::probe::Command;
use crate::verdict::{Criteria, Ran, differ};

/// Where one runner runs commands, one at a time.
pub(super) trait Place {
    /// Runs a command on `candidate` for `limit` at most, unless it is cancelled. What it prints is searched for what is
    /// `sought`.
    fn run(
        &mut self,
        command: &Command,
        candidate: &Candidate,
        sought: &Sought,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError>;

    /// What was printed there, without the name of the candidate, which is no news, and without paths that are others
    /// elsewhere or the next time.
    fn without_paths(&self, output: &[u8]) -> Vec<u8>;
}

/// What a test does.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) commands: Vec<Command>,
    pub(super) criteria: Criteria,
}

impl Test {
    /// Runs it on `candidate`.
    pub(super) fn run(
        &self,
        place: &mut dyn Place,
        candidate: &Candidate,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Ran, RunError> {
        let run = self.run_commands(place, candidate, limit, cancel)?;
        let said = place.without_paths(&run.output);
        Ok(Ran { run, said })
    }

    /// Runs the commands one after the other, up to the one that decides. Times are those of all of them.
    fn run_commands(
        &self,
        place: &mut dyn Place,
        candidate: &Candidate,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let Self { commands, criteria } = self;
        let sought = criteria.sought();
        let (mut seconds, mut cpu_seconds) = (0.0, 0.0);
        let mut main: Option<Run> = None;
        for command in commands {
            let run = place.run(command, candidate, &sought, limit, cancel)?;
            let run = Run { part: command.part, ..run };
            (seconds, cpu_seconds) = (seconds + run.seconds, cpu_seconds + run.cpu_seconds);
            let ended = matches!(run.end, RunEnd::Exited(_) | RunEnd::Signalled(_));
            let (decides, run) = match (run.part, main.take()) {
                (Part::Other, Some(main)) if ended => {
                    let run = Run { differs: Some(differ(&main, &run)), ..main };
                    (!criteria.goes_on(&run), run)
                }
                (Part::Guard, Some(main)) if run.end == RunEnd::Exited(0) => (true, main),
                _ => (!criteria.goes_on(&run), run),
            };
            if decides {
                return Ok(Run { seconds, cpu_seconds, ..run });
            }
            main = Some(run).filter(|run| run.part == Part::Main);
        }
        let main = main.expect("the last command of a test decides if none before does");
        Ok(Run { seconds, cpu_seconds, ..main })
    }
}
