//! The HTTP client: what it takes from the environment, what it never does, and the headers of a call.

use std::fmt;
use std::net::IpAddr;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Url};

use crate::agent::chat::{Failure, FailureKind};
use crate::llm::key::Key;
use crate::llm::settings::Settings;

/// A client with the address and the headers of every call.
pub(super) struct Http {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Headers hold the key.
        f.write_str("Http")
    }
}

impl Http {
    /// A client for these settings.
    ///
    /// # Errors
    /// Certificates cannot be read, or a header cannot be sent.
    pub(super) fn new(settings: &Settings, key: Option<&Key>) -> Result<Self, Failure> {
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            // Somebody else may have been faster: any provider will do.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let client = match builder(settings).build() {
            Ok(client) => client,
            // Where there are no certificates at all, plain connections work still.
            Err(_) if settings.base.scheme() == "http" => builder(settings)
                .tls_certs_only([])
                .build()
                .map_err(|_| unbuilt())?,
            Err(_) => return Err(unbuilt()),
        };
        Ok(Self {
            client,
            url: (settings.kind.url)(settings),
            headers: headers(settings, key)?,
        })
    }

    /// A call with this body.
    pub(super) fn post(&self, body: String) -> RequestBuilder {
        self.client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .body(body)
    }
}

fn builder(settings: &Settings) -> reqwest::ClientBuilder {
    let builder = reqwest::Client::builder();
    // What runs on this machine is not asked through a proxy, whatever the environment says.
    let builder = if local(&settings.base) {
        builder.no_proxy()
    } else {
        builder
    };
    builder
        .user_agent(concat!("vesta/", env!("CARGO_PKG_VERSION")))
        // A key must not follow wherever an answer points.
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(settings.timeouts.connect)
        .tcp_nodelay(true)
        .referer(false)
}

/// Whether an address is one of this machine.
fn local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

fn unbuilt() -> Failure {
    Failure {
        kind: FailureKind::Unreachable,
        message: "no certificates can be read to trust an endpoint by; install those of the system or name a file \
                  in SSL_CERT_FILE"
            .to_owned(),
    }
}

fn headers(settings: &Settings, key: Option<&Key>) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let accept = if settings.stream {
        "text/event-stream, application/json"
    } else {
        "application/json"
    };
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    let unsent = |name: &str| Failure {
        kind: FailureKind::Rejected,
        message: format!("the header {name} cannot be sent; write it in plain characters"),
    };
    let fixed = settings.kind.headers.iter().copied();
    let own = settings
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in fixed.chain(own) {
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsent(name))?;
        let value = HeaderValue::from_str(value).map_err(|_| unsent(name))?;
        headers.insert(header, value);
    }
    if let Some(key) = key {
        let (name, before) = settings.kind.sign;
        let text = format!("{before}{}", key.secret());
        let mut value = HeaderValue::from_str(&text).map_err(|_| unsent(name))?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}
