//! Trying again what may have failed for a moment only.

use std::future::Future;
use std::time::{Duration, Instant};

use tonic::Status;

use crate::error::{Error, said};

/// How long to wait for the answer to a single request. What takes longer on purpose, a run, is not asked for so.
const ANSWER: Duration = Duration::from_secs(60);
/// The longest wait before another try.
const LONGEST: Duration = Duration::from_secs(10);
/// What has gone on for so long was no failure to begin with: streams are cut by what is in between.
const HEALTHY: Duration = Duration::from_secs(20);

/// How often something was tried.
#[derive(Debug)]
pub(crate) struct Patience {
    retries: u32,
    delay: Duration,
    tries: u32,
    began: Instant,
    /// When the last try began.
    last: Instant,
}

impl Patience {
    pub(crate) fn new(retries: u32, delay: Duration) -> Self {
        let now = Instant::now();
        Self { retries, delay, tries: 0, began: now, last: now }
    }

    /// Waits before another try.
    ///
    /// # Errors
    ///
    /// Where there is to be none.
    pub(crate) async fn bear(&mut self, status: &Status) -> Result<(), Error> {
        if let Some(error) = Error::lasting(status) {
            return Err(error);
        }
        if self.last.elapsed() > HEALTHY {
            (self.tries, self.began) = (0, Instant::now());
        }
        self.tries += 1;
        if self.tries > self.retries {
            let seconds = self.began.elapsed().as_secs_f64();
            return Err(Error::Unavailable { what: said(status), tries: self.tries, seconds });
        }
        let delay = self.delay.saturating_mul(1 << (self.tries - 1).min(16));
        tokio::time::sleep(delay.min(LONGEST)).await;
        self.last = Instant::now();
        Ok(())
    }

    /// What is answered to `ask`, which may be asked several times.
    pub(crate) async fn ask<T, F>(mut self, mut ask: impl FnMut() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Status>>,
    {
        loop {
            let answered = tokio::time::timeout(ANSWER, ask()).await;
            let late = || Err(Status::unavailable(format!("no answer for {} s", ANSWER.as_secs())));
            match answered.unwrap_or_else(|_| late()) {
                Ok(answer) => return Ok(answer),
                Err(status) => self.bear(&status).await?,
            }
        }
    }
}
