//! A server as an [`Engine`].

use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::future::pending;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bazel_remote_apis::build::bazel::remote::execution::v2::action_cache_client::ActionCacheClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_client::CapabilitiesClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, Digest, GetActionResultRequest, GetCapabilitiesRequest, digest_function,
};
use dwindle_run::{Cancel, Done, Engine, Errand, RunEnd, RunError};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OnceCell, oneshot, watch};
use tokio::task::JoinSet;
use tonic::{Code, Status};

use crate::action::{Packed, pack};
use crate::cas::{Abilities, Cas, Known, check};
use crate::digest::digest;
use crate::error::Error;
use crate::execution::{Ended, Execution, seconds_of};
use crate::link::{Link, Wire};
use crate::patience::Patience;
use crate::settings::Settings;

/// How long to wait, at the end, until what was cancelled has been told so.
const FAREWELL: Duration = Duration::from_secs(5);
const SHA256: i32 = digest_function::Value::Sha256 as i32;

/// A server of the Remote Execution API. What is asynchronous stays in here.
pub struct Reapi {
    name: String,
    settings: Settings,
    runtime: Runtime,
    link: Link,
    /// What it can do; asked for when it is first needed.
    abilities: OnceCell<Abilities>,
    known: Known,
    /// The digests of contents that do not change, by their places in memory, which they keep.
    fixed: Mutex<Fixed>,
    /// What is still to be told that it was cancelled.
    farewells: Mutex<JoinSet<()>>,
}

type Fixed = HashMap<usize, (Arc<[u8]>, Digest)>;

impl Debug for Reapi {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reapi").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Reapi {
    /// The server that the settings name. It is not spoken to before something is to be run.
    ///
    /// # Errors
    ///
    /// Where certificates or keys are none, or the system gives no threads.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        let threads = Builder::new_multi_thread().worker_threads(2).thread_name("reapi").enable_all().build();
        let runtime = threads.map_err(|error: io::Error| Error::Unsent(error.to_string()))?;
        let link = {
            let _inside = runtime.enter();
            Link::new(&settings)?
        };
        Ok(Self {
            name: settings.address.to_string(),
            settings,
            runtime,
            link,
            abilities: OnceCell::new(),
            known: Known::default(),
            fixed: Mutex::default(),
            farewells: Mutex::default(),
        })
    }

    fn patience(&self) -> Patience {
        Patience::new(self.settings.retries, self.settings.delay)
    }

    fn farewells(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.farewells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn digest_of(&self, bytes: &Arc<[u8]>) -> Digest {
        let mut fixed = self.fixed.lock().unwrap_or_else(PoisonError::into_inner);
        let place = bytes.as_ptr().addr();
        let (_, digest) = fixed.entry(place).or_insert_with(|| (bytes.clone(), digest(bytes)));
        digest.clone()
    }

    /// What the server can do. One that cannot run tests is found out here.
    async fn able(&self, wire: &Wire) -> Result<Abilities, Error> {
        let ask = || {
            let mut client = CapabilitiesClient::new(wire.clone());
            let request = GetCapabilitiesRequest { instance_name: self.settings.instance.clone() };
            async move { client.get_capabilities(request).await }
        };
        let asked = async {
            let able = self.patience().ask(ask).await.map_err(|error| match error {
                Error::Refused(what) => Error::Unable(format!("it does not say what it can do: {what}")),
                error => error,
            })?;
            let able = able.into_inner();
            let runs = able.execution_capabilities.as_ref().is_some_and(|able| able.exec_enabled);
            let Some(cache) = able.cache_capabilities.filter(|_| runs) else {
                let what = "it stores results and runs nothing; name one that executes actions, or an instance that does by \
                            --remote-instance";
                return Err(Error::Unable(what.to_owned()));
            };
            if !cache.digest_functions.contains(&SHA256) {
                return Err(Error::Unable(
                    "it does not know SHA256, by which dwindle names contents".to_owned(),
                ));
            }
            let (streams, batches) =
                (&cache.supported_compressors, &cache.supported_batch_update_compressors);
            Ok(Abilities::new(cache.max_batch_total_size_bytes, streams, batches))
        };
        self.abilities.get_or_try_init(|| asked).await.copied()
    }

    /// What else may be the matter where a server that was never spoken to closes each connection.
    fn doubt(&self, error: &Error) -> &'static str {
        let closes = matches!(error, Error::Unavailable { what, .. } if !what.contains("tcp connect error"));
        match (self.settings.address.secure, &self.settings.identity) {
            _ if self.abilities.initialized() || !closes => "",
            (false, _) => "; if it speaks TLS, its address is reapis://HOST:PORT",
            (true, None) => {
                "; if it wants a certificate, name it by --remote-cert and --remote-key; if it does not speak TLS, its address is \
                 reapi://HOST:PORT"
            }
            (true, Some(_)) => "; see whether it knows who has signed the certificate of --remote-cert",
        }
    }

    /// Runs an errand, which nobody cancels.
    async fn run_errand(&self, errand: &Errand<'_>, wire: Wire) -> Result<Started, Error> {
        let able = self.able(&wire).await?;
        let packed = pack(errand, &self.settings, |bytes| self.digest_of(bytes))?;
        let instance = &*self.settings.instance;
        let patience = || self.patience();
        let cas = Cas { wire: wire.clone(), instance, known: &self.known, patience: &patience };
        let Packed { action, blobs } = packed;
        let began = Instant::now();
        let (cached, missing) = tokio::join!(self.cached(&wire, &action), cas.missing(&blobs));
        if let Some(result) = cached? {
            return Ok(Started::Over(self.done(&cas, result, began).await?));
        }
        cas.send(&missing?, able).await?;
        Ok(Started::Begins(Execution { wire: wire.clone(), instance: instance.to_owned(), action }))
    }

    /// The result of an action that was run before.
    async fn cached(&self, wire: &Wire, action: &Digest) -> Result<Option<ActionResult>, Error> {
        let request = GetActionResultRequest {
            instance_name: self.settings.instance.clone(),
            action_digest: Some(action.clone()),
            inline_stdout: true,
            inline_stderr: true,
            digest_function: SHA256,
            ..GetActionResultRequest::default()
        };
        let ask = || {
            let (mut client, request) = (ActionCacheClient::new(wire.clone()), request.clone());
            async move {
                match client.get_action_result(request).await {
                    Ok(found) => Ok(Some(found.into_inner())),
                    Err(status) if [Code::NotFound, Code::Unimplemented].contains(&status.code()) => Ok(None),
                    Err(status) => Err(status),
                }
            }
        };
        self.patience().ask(ask).await
    }

    /// What a result says.
    async fn done(&self, cas: &Cas<'_>, result: ActionResult, began: Instant) -> Result<Done, Error> {
        let seconds = seconds_of(&result, began);
        let end = RunEnd::Exited(result.exit_code);
        let stdout = output(cas, result.stdout_raw, result.stdout_digest.as_ref()).await?;
        let stderr = output(cas, result.stderr_raw, result.stderr_digest.as_ref()).await?;
        Ok(Done { end, stdout, stderr, seconds })
    }

    /// Runs an errand until it is over or `cancelled`.
    async fn run_until(
        &self,
        errand: &Errand<'_>,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Done, Error> {
        let mut cancelled = pin!(cancelled);
        let mut patience = self.patience();
        loop {
            let wire = self.link.wire();
            let execution = tokio::select! {
                started = self.run_errand(errand, wire.clone()) => match started? {
                    Started::Over(done) => return Ok(done),
                    Started::Begins(execution) => execution,
                },
                () = &mut cancelled => return Ok(Done::stopped()),
            };
            let began = Instant::now();
            let (name, named) = watch::channel(None);
            let mut following = Box::pin(execution.clone().follow(name, self.patience()));
            let ended = tokio::select! {
                ended = &mut following => ended?,
                () = &mut cancelled => {
                    let farewell = farewell(execution, following, named);
                    self.farewells().spawn_on(farewell, self.runtime.handle());
                    return Ok(Done::stopped());
                }
            };
            let (instance, fresh) = (&*self.settings.instance, || self.patience());
            let cas = Cas { wire, instance, known: &self.known, patience: &fresh };
            let fetched = async {
                match ended {
                    Ended::By(result) => self.done(&cas, *result, began).await.map(Ok),
                    Ended::Late(result) => {
                        let done = self.done(&cas, *result, began).await?;
                        Ok(Ok(Done { end: RunEnd::TimedOut, seconds: errand.limit.as_secs_f64(), ..done }))
                    }
                    Ended::Incomplete(status) => Ok(Err(status)),
                }
            };
            let fetched = tokio::select! {
                fetched = fetched => fetched?,
                () = &mut cancelled => return Ok(Done::stopped()),
            };
            match fetched {
                Ok(done) => return Ok(done),
                // All is looked for again, and what is missing is sent.
                Err(status) => {
                    self.known.forget();
                    let status = match status.code() {
                        Code::FailedPrecondition => Status::unavailable(status.message()),
                        _ => status,
                    };
                    patience.bear(&status).await?;
                }
            }
        }
    }
}

/// How an errand begins.
enum Started {
    /// Its result was known.
    Over(Done),
    Begins(Execution),
}

/// What a run has printed to one stream.
async fn output(cas: &Cas<'_>, raw: Vec<u8>, named: Option<&Digest>) -> Result<Vec<u8>, Error> {
    match named {
        Some(wanted) if raw.is_empty() => cas.fetch(wanted).await,
        Some(wanted) => check(&raw, wanted).map(|()| raw),
        None => Ok(raw),
    }
}

/// Ends an execution as soon as it has a name, unless it is over before.
async fn farewell(
    execution: Execution,
    following: impl Future<Output = Result<Ended, Error>>,
    mut named: watch::Receiver<Option<String>>,
) {
    let cancel = async {
        let name = named.wait_for(Option::is_some).await.ok().and_then(|name| name.clone());
        if let Some(name) = name {
            execution.cancel(name).await;
        }
    };
    let _ = tokio::time::timeout(FAREWELL, async {
        tokio::select! {
            () = cancel => {}
            _ = following => {}
        }
    })
    .await;
}

impl Engine for Reapi {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, errand: &Errand<'_>, cancel: &Cancel) -> Result<Done, RunError> {
        let (tell, told) = oneshot::channel();
        // It may be over by then.
        let tell = move || _ = tell.send(());
        cancel.then(tell).map_err(RunError::Wait)?;
        let ran = self.runtime.block_on(self.run_until(errand, async {
            if told.await.is_err() {
                // It was let go, and is not cancelled any more.
                pending::<()>().await;
            }
        }));
        ran.map_err(|error| RunError::Elsewhere(format!("{} {error}{}", self.name, self.doubt(&error))))
    }

    fn settle(&self) {
        let mut farewells = std::mem::take(&mut *self.farewells());
        self.runtime.block_on(async {
            let all = async { while farewells.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(FAREWELL, all).await;
        });
    }
}
