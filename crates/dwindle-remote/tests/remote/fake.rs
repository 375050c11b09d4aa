//! A server of the Remote Execution API in this process. It runs actions as they are in a folder of their own, and has manners,
//! good and bad.

use std::collections::HashMap;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use bazel_remote_apis::build::bazel::remote::execution::v2::action_cache_server::{
    ActionCache, ActionCacheServer,
};
use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_server::{
    Capabilities, CapabilitiesServer,
};
use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_server::{
    ContentAddressableStorage, ContentAddressableStorageServer,
};
use bazel_remote_apis::build::bazel::remote::execution::v2::execution_server::{Execution, ExecutionServer};
use bazel_remote_apis::build::bazel::remote::execution::v2::*;
use bazel_remote_apis::google::bytestream::byte_stream_server::{ByteStream, ByteStreamServer};
use bazel_remote_apis::google::bytestream::*;
use bazel_remote_apis::google::longrunning::operation::Result as Outcome;
use bazel_remote_apis::google::longrunning::operations_server::{Operations, OperationsServer};
use bazel_remote_apis::google::longrunning::*;
use bazel_remote_apis::google::protobuf::{Any, Empty, Timestamp};
use bazel_remote_apis::google::rpc;
use prost::Message;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Server, ServerTlsConfig};
use tonic::{Code, Request, Response, Status, Streaming};

/// How a server behaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manners {
    /// So many requests for an execution it refuses, with this code; then it does them.
    pub(crate) refuses: u32,
    pub(crate) refuses_with: Option<Code>,
    /// From this request on, it refuses all.
    pub(crate) refuses_after: Option<u32>,
    /// How long it waits before a run.
    pub(crate) delay: Duration,
    /// So many streams of executions it drops as soon as the execution has a name.
    pub(crate) drops: u32,
    /// So many times it has lost what it was sent.
    pub(crate) loses: u32,
    /// What it sends as an output is something else.
    pub(crate) lies: bool,
    /// It runs another action than it was told.
    pub(crate) confuses: bool,
    /// It only stores.
    pub(crate) only_stores: bool,
    /// It sends no outputs, but their digests.
    pub(crate) by_digest: bool,
    /// It knows zstd.
    pub(crate) compresses: bool,
    /// How much a request may hold.
    pub(crate) batch: i64,
    /// The token that it wants.
    pub(crate) token: Option<String>,
    /// The instance that it knows.
    pub(crate) instance: String,
}

/// What it has been asked to do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) asked: u32,
    pub(crate) executed: u32,
    pub(crate) cached: u32,
    pub(crate) waited: u32,
    pub(crate) cancelled: Vec<String>,
    pub(crate) batches: u32,
    pub(crate) streams: u32,
    pub(crate) compressed: u32,
    pub(crate) uploaded: Vec<String>,
    pub(crate) properties: Vec<String>,
}

/// A running server.
pub(crate) struct Fake {
    pub(crate) at: SocketAddr,
    state: Arc<State>,
    _runtime: Runtime,
}

impl Fake {
    pub(crate) fn start(manners: Manners) -> Self {
        Self::with(manners, None)
    }

    pub(crate) fn with(manners: Manners, tls: Option<ServerTlsConfig>) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let state = Arc::new(State { manners, ..State::default() });
        let serves = Serves(state.clone());
        let incoming = {
            let _inside = runtime.enter();
            TcpIncoming::bind("127.0.0.1:0".parse().unwrap()).unwrap().with_nodelay(Some(true))
        };
        let at = incoming.local_addr().unwrap();
        let mut server = Server::builder();
        if let Some(tls) = tls {
            server = server.tls_config(tls).unwrap();
        }
        let router = server
            .add_service(CapabilitiesServer::new(serves.clone()))
            .add_service(ActionCacheServer::new(serves.clone()))
            .add_service(ContentAddressableStorageServer::new(serves.clone()))
            .add_service(ByteStreamServer::new(serves.clone()))
            .add_service(ExecutionServer::new(serves.clone()))
            .add_service(OperationsServer::new(serves));
        runtime.spawn(router.serve_with_incoming(incoming));
        Self { at, state, _runtime: runtime }
    }

    pub(crate) fn address(&self) -> String {
        format!("reapi://{}", self.at)
    }

    pub(crate) fn seen(&self) -> Seen {
        self.state.seen().clone()
    }
}

#[derive(Default)]
struct State {
    manners: Manners,
    seen: Mutex<Seen>,
    store: Mutex<HashMap<String, Vec<u8>>>,
    results: Mutex<HashMap<String, ActionResult>>,
    running: Mutex<HashMap<String, Run>>,
}

/// A run that has a name.
#[derive(Clone)]
struct Run {
    ended: watch::Receiver<Option<Operation>>,
    cancel: Arc<watch::Sender<bool>>,
}

#[derive(Clone)]
struct Serves(Arc<State>);

fn hash(bytes: &[u8]) -> Digest {
    let hash = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Digest { hash, size_bytes: bytes.len() as i64 }
}

impl State {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }

    fn get(&self, digest: &Digest) -> Result<Vec<u8>, Status> {
        let lost = || Status::failed_precondition(format!("there is no {}", digest.hash));
        self.store.lock().unwrap().get(&digest.hash).cloned().ok_or_else(lost)
    }

    fn message<M: Message + Default>(&self, digest: Option<&Digest>) -> Result<M, Status> {
        let bytes = self.get(digest.ok_or_else(|| Status::invalid_argument("no digest"))?)?;
        M::decode(&bytes[..]).map_err(|error| Status::invalid_argument(error.to_string()))
    }

    fn put(&self, bytes: Vec<u8>) -> Digest {
        let digest = hash(&bytes);
        self.store.lock().unwrap().insert(digest.hash.clone(), bytes);
        digest
    }

    fn lay(&self, folder: &Path, digest: Option<&Digest>) -> Result<(), Status> {
        let directory: Directory = self.message(digest)?;
        fs::create_dir_all(folder).unwrap();
        for file in directory.files {
            let path = folder.join(file.name);
            let bytes = self.get(&file.digest.unwrap())?;
            if file.is_executable {
                // A process of another thread may inherit what this one writes to, and what is open for
                // writing cannot be executed. So another program writes it.
                let data = path.with_extension("written");
                fs::write(&data, bytes).unwrap();
                assert!(Command::new("cp").arg("--").args([&data, &path]).status().unwrap().success());
                fs::remove_file(data).unwrap();
            } else {
                fs::write(&path, bytes).unwrap();
            }
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        directory.symlinks.iter().for_each(|link| symlink(&link.target, folder.join(&link.name)).unwrap());
        directory
            .directories
            .iter()
            .try_for_each(|inside| self.lay(&folder.join(&inside.name), inside.digest.as_ref()))
    }

    /// Runs an action to its end; with the status of a run over its time.
    fn run(&self, digest: &Digest, cancel: &watch::Receiver<bool>) -> Result<ExecuteResponse, Status> {
        let action: Action = self.message(Some(digest))?;
        let command: bazel_remote_apis::build::bazel::remote::execution::v2::Command =
            self.message(action.command_digest.as_ref())?;
        let properties = action.platform.iter().flat_map(|platform| &platform.properties);
        self.seen().properties =
            properties.map(|property| format!("{}={}", property.name, property.value)).collect();
        let folder = tempfile::tempdir().unwrap();
        self.lay(folder.path(), action.input_root_digest.as_ref())?;
        let variables = command.environment_variables.iter().map(|one| (&one.name, &one.value));
        let [out, err] = ["out", "err"].map(|name| fs::File::create(folder.path().join(name)).unwrap());
        let mut child = Command::new(&command.arguments[0])
            .args(&command.arguments[1..])
            .env_clear()
            .envs(variables)
            .current_dir(folder.path().join(&command.working_directory))
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .process_group(0)
            .spawn()
            .unwrap();
        let limit = action.timeout.map_or(Duration::MAX, |limit| Duration::from_secs(limit.seconds as u64));
        let began = Instant::now();
        let (mut late, mut stopped) = (false, false);
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            (late, stopped) = (began.elapsed() > limit, *cancel.borrow());
            if late || stopped {
                let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        self.seen().executed += 1;
        if stopped {
            return Err(Status::cancelled("cancelled"));
        }
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let time = |time: Duration| {
            Some(Timestamp { seconds: time.as_secs() as i64, nanos: time.subsec_nanos() as i32 })
        };
        let mut result = ActionResult {
            execution_metadata: Some(ExecutedActionMetadata {
                execution_start_timestamp: time(now - began.elapsed()),
                execution_completed_timestamp: time(now),
                ..ExecutedActionMetadata::default()
            }),
            exit_code: status.code().unwrap_or_else(|| 128 + status.signal().unwrap()),
            ..ActionResult::default()
        };
        let [out, err] = ["out", "err"].map(|name| fs::read(folder.path().join(name)).unwrap());
        (result.stdout_digest, result.stderr_digest) =
            (Some(self.put(out.clone())), Some(self.put(err.clone())));
        if !self.manners.by_digest {
            (result.stdout_raw, result.stderr_raw) = (out, err);
            if self.manners.lies {
                result.stdout_raw.push(b'!');
            }
        }
        if late {
            let status = rpc::Status { code: Code::DeadlineExceeded as i32, ..rpc::Status::default() };
            return Ok(ExecuteResponse {
                result: Some(result),
                status: Some(status),
                ..ExecuteResponse::default()
            });
        }
        self.results.lock().unwrap().insert(digest.hash.clone(), result.clone());
        Ok(ExecuteResponse { result: Some(result), ..ExecuteResponse::default() })
    }
}

impl Serves {
    fn admit<T>(&self, request: &Request<T>) -> Result<(), Status> {
        let Some(token) = &self.0.manners.token else { return Ok(()) };
        let given = request.metadata().get("authorization").and_then(|given| given.to_str().ok());
        match given == Some(&*format!("Bearer {token}")) {
            true => Ok(()),
            false => Err(Status::unauthenticated("who are you?")),
        }
    }
}

type Stream<T> = ReceiverStream<Result<T, Status>>;

#[tonic::async_trait]
impl Capabilities for Serves {
    async fn get_capabilities(
        &self,
        request: Request<GetCapabilitiesRequest>,
    ) -> Result<Response<ServerCapabilities>, Status> {
        self.admit(&request)?;
        let manners = &self.0.manners;
        if request.get_ref().instance_name != manners.instance {
            return Err(Status::not_found(format!(
                "there is no instance {}",
                request.get_ref().instance_name
            )));
        }
        let zstd = if manners.compresses { vec![compressor::Value::Zstd as i32] } else { Vec::new() };
        let execution =
            ExecutionCapabilities { exec_enabled: true, digest_function: 1, ..Default::default() };
        Ok(Response::new(ServerCapabilities {
            cache_capabilities: Some(CacheCapabilities {
                digest_functions: vec![digest_function::Value::Sha256 as i32],
                max_batch_total_size_bytes: manners.batch,
                supported_compressors: zstd.clone(),
                supported_batch_update_compressors: zstd,
                ..CacheCapabilities::default()
            }),
            execution_capabilities: (!manners.only_stores).then_some(execution),
            ..ServerCapabilities::default()
        }))
    }
}

#[tonic::async_trait]
impl ActionCache for Serves {
    async fn get_action_result(
        &self,
        request: Request<GetActionResultRequest>,
    ) -> Result<Response<ActionResult>, Status> {
        self.admit(&request)?;
        let digest = request.into_inner().action_digest.unwrap();
        let found = self.0.results.lock().unwrap().get(&digest.hash).cloned();
        let found = found.ok_or_else(|| Status::not_found("not known"))?;
        self.0.seen().cached += 1;
        Ok(Response::new(found))
    }

    async fn update_action_result(
        &self,
        _: Request<UpdateActionResultRequest>,
    ) -> Result<Response<ActionResult>, Status> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl ContentAddressableStorage for Serves {
    async fn find_missing_blobs(
        &self,
        request: Request<FindMissingBlobsRequest>,
    ) -> Result<Response<FindMissingBlobsResponse>, Status> {
        let store = self.0.store.lock().unwrap();
        let asked = request.into_inner().blob_digests.into_iter();
        let missing_blob_digests = asked.filter(|digest| !store.contains_key(&digest.hash)).collect();
        Ok(Response::new(FindMissingBlobsResponse { missing_blob_digests }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<BatchUpdateBlobsRequest>,
    ) -> Result<Response<BatchUpdateBlobsResponse>, Status> {
        let requests = request.into_inner().requests;
        let size: usize = requests.iter().map(|part| part.data.len()).sum();
        let most = self.0.manners.batch;
        if most > 0 && size as i64 > most {
            return Err(Status::invalid_argument(format!("{size} bytes are too much")));
        }
        let mut responses = Vec::new();
        self.0.seen().batches += 1;
        for part in requests {
            let digest = part.digest.unwrap();
            let bytes = match part.compressor {
                0 => part.data,
                _ => {
                    self.0.seen().compressed += 1;
                    zstd::bulk::decompress(&part.data, digest.size_bytes as usize).unwrap()
                }
            };
            if hash(&bytes) != digest {
                return Err(Status::invalid_argument("the digest is another one"));
            }
            self.0.seen().uploaded.push(digest.hash.clone());
            self.0.put(bytes);
            responses.push(batch_update_blobs_response::Response { digest: Some(digest), status: None });
        }
        Ok(Response::new(BatchUpdateBlobsResponse { responses }))
    }

    async fn batch_read_blobs(
        &self,
        _: Request<BatchReadBlobsRequest>,
    ) -> Result<Response<BatchReadBlobsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    type GetTreeStream = Stream<GetTreeResponse>;

    async fn get_tree(&self, _: Request<GetTreeRequest>) -> Result<Response<Self::GetTreeStream>, Status> {
        Err(Status::unimplemented(""))
    }

    type GetChunkMappingStream = Stream<GetChunkMappingResponse>;

    async fn get_chunk_mapping(
        &self,
        _: Request<GetChunkMappingRequest>,
    ) -> Result<Response<Self::GetChunkMappingStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<RegisterChunkMappingRequest>>,
    ) -> Result<Response<RegisterChunkMappingResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn split_blob(&self, _: Request<SplitBlobRequest>) -> Result<Response<SplitBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn splice_blob(
        &self,
        _: Request<SpliceBlobRequest>,
    ) -> Result<Response<SpliceBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl ByteStream for Serves {
    type ReadStream = Stream<ReadResponse>;

    async fn read(&self, request: Request<ReadRequest>) -> Result<Response<Self::ReadStream>, Status> {
        let name = request.into_inner().resource_name;
        let parts: Vec<&str> = name.rsplit('/').collect();
        let digest = Digest { hash: parts[1].to_owned(), size_bytes: parts[0].parse().unwrap() };
        let mut bytes = self.0.get(&digest)?;
        if self.0.manners.lies {
            bytes[0] ^= 1;
        }
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            for part in bytes.chunks(1000) {
                let _ = sender.send(Ok(ReadResponse { data: part.to_vec() })).await;
            }
        });
        Ok(Response::new(ReceiverStream::new(receiver)))
    }

    async fn write(
        &self,
        request: Request<Streaming<WriteRequest>>,
    ) -> Result<Response<WriteResponse>, Status> {
        let (mut stream, mut bytes, mut name) = (request.into_inner(), Vec::new(), String::new());
        let mut finished = false;
        while let Some(part) = stream.message().await? {
            assert_eq!(part.write_offset, bytes.len() as i64);
            bytes.extend(part.data);
            (name, finished) = (part.resource_name, part.finish_write);
        }
        assert!(finished);
        let committed_size = bytes.len() as i64;
        let parts: Vec<&str> = name.rsplit('/').collect();
        if name.contains("/compressed-blobs/zstd/") {
            self.0.seen().compressed += 1;
            bytes = zstd::bulk::decompress(&bytes, parts[0].parse().unwrap()).unwrap();
        }
        self.0.seen().streams += 1;
        assert_eq!(self.0.put(bytes).hash, parts[1]);
        Ok(Response::new(WriteResponse { committed_size }))
    }

    async fn query_write_status(
        &self,
        _: Request<QueryWriteStatusRequest>,
    ) -> Result<Response<QueryWriteStatusResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

/// Takes one of so many.
fn take(count: u32, taken: u32) -> bool {
    taken < count
}

impl Serves {
    /// The stream of a run, dropped at once if it is one of those.
    fn stream(
        &self,
        run: Run,
        name: String,
        dropped: bool,
        about: Option<Any>,
    ) -> Response<Stream<Operation>> {
        let (sender, receiver) = mpsc::channel(4);
        let mut ended = run.ended;
        tokio::spawn(async move {
            let _ = sender.send(Ok(Operation { name, metadata: about, ..Operation::default() })).await;
            if dropped {
                let _ = sender.send(Err(Status::unavailable("the stream is cut"))).await;
                return;
            }
            if let Ok(last) = ended.wait_for(Option::is_some).await.map(|last| last.clone()) {
                let _ = sender.send(Ok(last.unwrap())).await;
            }
        });
        Response::new(ReceiverStream::new(receiver))
    }
}

#[tonic::async_trait]
impl Execution for Serves {
    type ExecuteStream = Stream<Operation>;
    type WaitExecutionStream = Stream<Operation>;

    async fn execute(
        &self,
        request: Request<ExecuteRequest>,
    ) -> Result<Response<Self::ExecuteStream>, Status> {
        self.admit(&request)?;
        let (state, manners) = (self.0.clone(), self.0.manners.clone());
        let before = {
            let mut seen = state.seen();
            seen.asked += 1;
            seen.asked - 1
        };
        if take(manners.refuses, before) || manners.refuses_after.is_some_and(|after| before >= after) {
            return Err(Status::new(manners.refuses_with.unwrap_or(Code::Unavailable), "not now"));
        }
        if take(manners.loses, before) {
            state.store.lock().unwrap().clear();
        }
        let action = request.into_inner().action_digest.unwrap();
        // As a server does that looks for the inputs first.
        state.message::<Action>(Some(&action))?;
        let name = format!("operations/{before}");
        let (send, ended) = watch::channel(None);
        let (cancel, cancelled) = watch::channel(false);
        let run = Run { ended, cancel: Arc::new(cancel) };
        state.running.lock().unwrap().insert(name.clone(), run.clone());
        let (inside, called, told) = (state.clone(), name.clone(), action.clone());
        tokio::task::spawn_blocking(move || {
            std::thread::sleep(inside.manners.delay);
            let result = match inside.run(&told, &cancelled) {
                Ok(response) => {
                    Outcome::Response(Any { type_url: String::new(), value: response.encode_to_vec() })
                }
                Err(status) => Outcome::Error(rpc::Status {
                    code: status.code() as i32,
                    message: status.message().to_owned(),
                    ..rpc::Status::default()
                }),
            };
            send.send_replace(Some(Operation {
                name: called,
                done: true,
                result: Some(result),
                ..Operation::default()
            }));
        });
        let about = manners.confuses.then(|| {
            let metadata =
                ExecuteOperationMetadata { action_digest: Some(hash(b"another")), ..Default::default() };
            Any { type_url: String::new(), value: metadata.encode_to_vec() }
        });
        Ok(self.stream(run, name, take(manners.drops, before), about))
    }

    async fn wait_execution(
        &self,
        request: Request<WaitExecutionRequest>,
    ) -> Result<Response<Self::WaitExecutionStream>, Status> {
        let name = request.into_inner().name;
        let run = self.0.running.lock().unwrap().get(&name).cloned();
        let run = run.ok_or_else(|| Status::not_found("no such run"))?;
        self.0.seen().waited += 1;
        Ok(self.stream(run, name, false, None))
    }
}

#[tonic::async_trait]
impl Operations for Serves {
    async fn cancel_operation(
        &self,
        request: Request<CancelOperationRequest>,
    ) -> Result<Response<Empty>, Status> {
        let name = request.into_inner().name;
        if let Some(run) = self.0.running.lock().unwrap().get(&name) {
            run.cancel.send_replace(true);
        }
        self.0.seen().cancelled.push(name);
        Ok(Response::new(Empty::default()))
    }

    async fn list_operations(
        &self,
        _: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_operation(&self, _: Request<GetOperationRequest>) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn delete_operation(&self, _: Request<DeleteOperationRequest>) -> Result<Response<Empty>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn wait_operation(&self, _: Request<WaitOperationRequest>) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented(""))
    }
}
