//! The connections to a server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2::{RequestMetadata, ToolDetails};
use prost::Message;
use tonic::metadata::{Binary, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status};

use crate::error::Error;
use crate::settings::Settings;
use crate::token::Token;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a connection may be silent before the other side is asked whether it is there. By TCP, because many servers
/// close connections that ask by HTTP.
const SILENT: Duration = Duration::from_secs(20);
/// How many runs share a connection: servers allow about a hundred streams on each.
const SHARED: usize = 40;
/// The header by which servers know who asks.
const METADATA: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// A connection on which each request is signed.
pub(crate) type Wire = InterceptedService<Channel, Signing>;

/// All connections; each is made when it is first needed, and again when it is lost.
#[derive(Debug)]
pub(crate) struct Link {
    wires: Vec<Wire>,
    next: AtomicUsize,
}

impl Link {
    /// What the settings say. In a runtime.
    pub(crate) fn new(settings: &Settings) -> Result<Self, Error> {
        let endpoint = endpoint(settings)?;
        let details = ToolDetails {
            tool_name: "dwindle".to_owned(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let about = RequestMetadata { tool_details: Some(details), ..RequestMetadata::default() };
        let about = MetadataValue::from_bytes(&about.encode_to_vec());
        let signing = Signing { token: settings.token.clone(), about };
        let wire = |_| InterceptedService::new(endpoint.connect_lazy(), signing.clone());
        let count = settings.slots.get().div_ceil(SHARED);
        Ok(Self { wires: (0..count).map(wire).collect(), next: AtomicUsize::new(0) })
    }

    /// One of them, each in its turn.
    pub(crate) fn wire(&self) -> Wire {
        self.wires[self.next.fetch_add(1, Ordering::Relaxed) % self.wires.len()].clone()
    }
}

fn endpoint(settings: &Settings) -> Result<Endpoint, Error> {
    let unsent = |what: &dyn std::fmt::Display| Error::Unsent(what.to_string());
    let scheme = if settings.address.secure { "https" } else { "http" };
    let endpoint = Endpoint::from_shared(format!("{scheme}://{}", settings.address.authority))
        .map_err(|error| unsent(&error))?
        .connect_timeout(CONNECT)
        .tcp_nodelay(true)
        .tcp_keepalive(Some(SILENT))
        .tcp_keepalive_interval(Some(SILENT / 2))
        .tcp_keepalive_retries(Some(3));
    if !settings.address.secure {
        return Ok(endpoint);
    }
    let tls = match &settings.ca {
        Some(ca) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    let tls = match &settings.identity {
        Some(identity) => tls.identity(Identity::from_pem(&identity.certificate, &identity.key)),
        None => tls,
    };
    // Nothing of a key is in such an error.
    let refused =
        |error| Error::Certificate(format!("{error}: see --remote-ca, --remote-cert and --remote-key"));
    endpoint.tls_config(tls).map_err(refused)
}

/// Puts into each request who asks.
#[derive(Clone, Debug)]
pub(crate) struct Signing {
    token: Option<Token>,
    about: MetadataValue<Binary>,
}

impl Interceptor for Signing {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let headers = request.metadata_mut();
        headers.insert_bin(METADATA, self.about.clone());
        if let Some(token) = &self.token {
            headers.insert("authorization", token.header().map_err(Status::unauthenticated)?);
        }
        Ok(request)
    }
}
