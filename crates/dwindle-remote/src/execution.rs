//! The execution of an action, from its request to its result.

use std::time::Instant;

use bazel_remote_apis::build::bazel::remote::execution::v2::execution_client::ExecutionClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, Digest, ExecuteOperationMetadata, ExecuteRequest, ExecuteResponse, WaitExecutionRequest,
    digest_function,
};
use bazel_remote_apis::google::longrunning::operation::Result as Outcome;
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation};
use prost::Message;
use tokio::sync::watch;
use tonic::{Code, Status, Streaming};

use crate::error::Error;
use crate::link::Wire;
use crate::patience::Patience;

/// What came of an execution.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The command ended by itself.
    By(Box<ActionResult>),
    /// It ran over its time.
    Late(Box<ActionResult>),
    /// The server has thrown away what it was sent.
    Incomplete(Status),
}

/// An execution.
#[derive(Clone)]
pub(crate) struct Execution {
    pub(crate) wire: Wire,
    pub(crate) instance: String,
    pub(crate) action: Digest,
}

/// What the server calls an execution, once it says so.
pub(crate) type Name = watch::Sender<Option<String>>;

impl Execution {
    /// Has it executed. Where the stream breaks, it goes on to wait for the same execution.
    pub(crate) async fn follow(self, name: Name, mut patience: Patience) -> Result<Ended, Error> {
        loop {
            let known = name.borrow().clone();
            let was_known = known.is_some();
            let followed = match self.stream(known).await {
                Ok(stream) => self.read(stream, &name).await,
                Err(status) => Err(status),
            };
            let response = match followed {
                Ok(Outcome::Response(any)) => ExecuteResponse::decode(&any.value[..])
                    .map_err(|error| Error::Lies(format!("it has sent no result but {error}")))?,
                Ok(Outcome::Error(status)) => {
                    ExecuteResponse { status: Some(status), ..ExecuteResponse::default() }
                }
                // It was over, or the server has forgotten it with all else: it has to be executed again.
                Err(status) if was_known && status.code() == Code::NotFound => {
                    name.send_replace(None);
                    patience.bear(&Status::unavailable("it has forgotten a run")).await?;
                    continue;
                }
                Err(status) if status.code() == Code::FailedPrecondition => {
                    return Ok(Ended::Incomplete(status));
                }
                Err(status) => {
                    patience.bear(&status).await?;
                    continue;
                }
            };
            let status = response.status.unwrap_or_default();
            let result = response.result.map(Box::new);
            let status = Status::new(Code::from_i32(status.code), status.message);
            match (status.code(), result) {
                (Code::Ok, Some(result)) => return Ok(Ended::By(result)),
                (Code::Ok, None) => {
                    return Err(Error::Lies("it says that all went well, and sends no result".into()));
                }
                (Code::DeadlineExceeded, result) => return Ok(Ended::Late(result.unwrap_or_default())),
                (Code::FailedPrecondition, _) => return Ok(Ended::Incomplete(status)),
                // It is over, and has to be executed again.
                _ => {
                    patience.bear(&status).await?;
                    name.send_replace(None);
                }
            }
        }
    }

    async fn stream(&self, known: Option<String>) -> Result<Streaming<Operation>, Status> {
        let mut client = ExecutionClient::new(self.wire.clone());
        let stream = match known {
            Some(name) => client.wait_execution(WaitExecutionRequest { name }).await?,
            None => {
                let request = ExecuteRequest {
                    instance_name: self.instance.clone(),
                    action_digest: Some(self.action.clone()),
                    digest_function: digest_function::Value::Sha256 as i32,
                    inline_stdout: true,
                    inline_stderr: true,
                    ..ExecuteRequest::default()
                };
                client.execute(request).await?
            }
        };
        Ok(stream.into_inner())
    }

    /// Reads on until it is over.
    async fn read(&self, mut stream: Streaming<Operation>, name: &Name) -> Result<Outcome, Status> {
        while let Some(operation) = stream.message().await? {
            if name.borrow().as_deref() != Some(&operation.name) {
                name.send_replace(Some(operation.name));
            }
            if let Some(metadata) = &operation.metadata
                && let Ok(metadata) = ExecuteOperationMetadata::decode(&metadata.value[..])
                && let Some(action) = metadata.action_digest
                && !action.hash.is_empty()
                && action != self.action
            {
                return Err(Status::data_loss(format!(
                    "it was to run the action {}, and runs {}",
                    self.action.hash, action.hash
                )));
            }
            if operation.done {
                let nothing = || Status::data_loss("a run is over, and nothing is said of how");
                return operation.result.ok_or_else(nothing);
            }
        }
        Err(Status::unavailable("the stream has ended before the run"))
    }

    /// Ends it, whatever comes of that: nobody waits for it any more.
    pub(crate) async fn cancel(&self, name: String) {
        let mut client = OperationsClient::new(self.wire.clone());
        let _ = client.cancel_operation(CancelOperationRequest { name }).await;
    }
}

/// How many seconds the command took, by the worker's clock; if that does not say, since `began`.
pub(crate) fn seconds_of(result: &ActionResult, began: Instant) -> f64 {
    let metadata = result.execution_metadata.as_ref();
    let times = metadata.and_then(|metadata| {
        let start = metadata.execution_start_timestamp.as_ref()?;
        let end = metadata.execution_completed_timestamp.as_ref()?;
        let seconds = end.seconds - start.seconds;
        Some(seconds as f64 + f64::from(end.nanos - start.nanos) / 1e9)
    });
    times.filter(|&seconds| seconds >= 0.0).unwrap_or_else(|| began.elapsed().as_secs_f64())
}
