//! Proxies come from the environment. As that is read when a client is made, the client is made in a child: this same
//! test program, told by a variable to be it.

use std::process::Command;

use super::server::{Script, Server};
use super::{ask, client, completions, request, run};

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
