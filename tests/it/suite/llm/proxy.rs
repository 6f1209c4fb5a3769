//! Proxies come from the environment. As that is read when a client is made, the client is made in a child: this same
//! test program, told by a variable to be it.

use std::process::Command;
use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::server::{Script, Server};
use super::{CANARY, ask, client, completions, request, run};

/// Set in the child only.
const CHILD: &str = "VESTA_TEST_PROXIED";

#[test]
fn the_proxied_child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    run(async {
        let client = client("openai", "http://model.invalid/v1", &[("retries", "0")]);
        assert_eq!(ask(&client, &request()).await.1.unwrap().0.text, "by proxy");
    });
}

#[test]
fn calls_go_through_the_proxy_of_the_environment() {
    run(async {
        let server = Server::start(vec![Script::events(&completions(&[], &["by proxy"]))]).await;
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["the_proxied_child", "--test-threads=1"])
            .env(CHILD, "1")
            .env("HTTP_PROXY", server.base.trim_end_matches("/v1"))
            .env_remove("NO_PROXY")
            .env_remove("no_proxy")
            .env_remove("REQUEST_METHOD");
        let done = tokio::task::spawn_blocking(move || child.output().unwrap())
            .await
            .unwrap();
        let told = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success() && told.contains("1 passed"), "{told}");
        assert_eq!(
            server.got()[0].line,
            "POST http://model.invalid/v1/chat/completions HTTP/1.1"
        );
    });
}

/// Set in the child that calls by HTTPS only.
const SECRET_CHILD: &str = "VESTA_TEST_TUNNELLED";

#[test]
fn the_tunnelled_child() {
    if std::env::var_os(SECRET_CHILD).is_none() {
        return;
    }
    run(async {
        let client = client("openai", "https://model.invalid/v1", &[("retries", "0")]);
        let reply = ask(&client, &request()).await.1.unwrap().0;
        assert_eq!(reply.text, "through a tunnel");
    });
}

/// What a proxy saw: what it was asked for, then what went through it towards the endpoint.
#[derive(Debug, Default)]
struct Saw {
    asked: String,
    sent: Vec<u8>,
}

/// An endpoint that speaks TLS in front of one that does not: where it listens.
async fn encrypted(plain: String) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/fixtures/tls");
    let chain = CertificateDer::pem_file_iter(format!("{folder}/leaf.pem")).unwrap();
    let chain: Vec<_> = chain.map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_file(format!("{folder}/leaf.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, plain) = (acceptor.clone(), plain.clone());
            tokio::spawn(async move {
                let mut stream = acceptor.accept(stream).await.unwrap();
                let mut server = TcpStream::connect(plain).await.unwrap();
                let _ = copy_bidirectional(&mut stream, &mut server).await;
            });
        }
    });
    at
}

/// A proxy that tunnels everything to one address, whatever it is asked for.
async fn tunnel(to: String) -> (String, Arc<Mutex<Saw>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = format!("http://{}", listener.local_addr().unwrap());
    let saw = Arc::new(Mutex::new(Saw::default()));
    let seen = Arc::clone(&saw);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (seen, to) = (Arc::clone(&seen), to.clone());
            tokio::spawn(async move {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(client.read_u8().await.unwrap());
                }
                seen.lock().unwrap().asked += &String::from_utf8(head).unwrap();
                client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
                let server = TcpStream::connect(to).await.unwrap();
                let (mut from, mut to_client) = client.into_split();
                let (mut from_server, mut to_server) = server.into_split();
                tokio::spawn(async move {
                    let _ = tokio::io::copy(&mut from_server, &mut to_client).await;
                });
                let mut bytes = [0; 4096];
                while let Ok(n @ 1..) = from.read(&mut bytes).await {
                    seen.lock().unwrap().sent.extend_from_slice(&bytes[..n]);
                    to_server.write_all(&bytes[..n]).await.unwrap();
                }
            });
        }
    });
    (at, saw)
}

#[test]
fn calls_by_https_go_through_a_tunnel_that_sees_no_key() {
    run(async {
        let script = Script::events(&completions(&[], &["through a tunnel"]));
        let server = Server::start(vec![script]).await;
        let plain = server.base.trim_start_matches("http://");
        let at = encrypted(plain.trim_end_matches("/v1").to_owned()).await;
        let (proxy, saw) = tunnel(at).await;
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["the_tunnelled_child", "--test-threads=1"])
            .env(SECRET_CHILD, "1")
            .env("HTTPS_PROXY", proxy)
            .env(
                "SSL_CERT_FILE",
                concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/fixtures/tls/ca.pem"),
            )
            .env_remove("SSL_CERT_DIR")
            .env_remove("NO_PROXY")
            .env_remove("no_proxy")
            .env_remove("REQUEST_METHOD");
        let done = tokio::task::spawn_blocking(move || child.output().unwrap())
            .await
            .unwrap();
        let told = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success() && told.contains("1 passed"), "{told}");
        let saw = std::mem::take(&mut *saw.lock().unwrap());
        let line = saw.asked.lines().next().unwrap();
        assert_eq!(line, "CONNECT model.invalid:443 HTTP/1.1");
        // The endpoint got the key, and nobody on the way did.
        assert!(server.got()[0].head.contains(CANARY));
        assert!(
            !saw.asked.to_lowercase().contains("authorization"),
            "{}",
            saw.asked
        );
        let sent = String::from_utf8_lossy(&saw.sent);
        assert!(sent.len() > 200 && saw.sent[0] == 0x16, "a handshake");
        super::canary::clean(&saw.asked, "what the proxy was asked for");
        super::canary::clean(&sent, "what went through the proxy");
    });
}
