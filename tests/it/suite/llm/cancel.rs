//! A call that is dropped closes its socket, wherever it stands. How fast is printed, not judged: the machine may be
//! busy.

use std::io::Write as _;
use std::time::Duration;

use tokio::time::Instant;
use vesta::agent::chat::Piece;

use super::server::{Act, Script, Server};
use super::{client, completions, request, run};

/// Drops a call `after` some time, or once the first piece came; how long the endpoint took to see it.
async fn cancelled(script: Script, after: Option<Duration>) -> Duration {
    let mut server = Server::start(vec![script]).await;
    let client = client("openai", &server.base, &[]);
    let (piece, first) = tokio::sync::oneshot::channel();
    let mut piece = Some(piece);
    let asked = request();
    let mut on = |_: Piece| {
        if let Some(piece) = piece.take() {
            let _ = piece.send(());
        }
    };
    let dropped = {
        let call = client.call(&asked, &mut on);
        let stop = async {
            match after {
                Some(after) => tokio::time::sleep(after).await,
                None => first.await.unwrap(),
            }
        };
        tokio::select! {
            outcome = call => panic!("the call ended: {outcome:?}"),
            () = stop => Instant::now(),
        }
    };
    server.closed().await.saturating_duration_since(dropped)
}

#[test]
fn a_dropped_call_closes_its_socket() {
    let half: String = completions(&[], &["half"])
        .split_inclusive("\n\n")
        .take(2)
        .collect();
    let mut err = std::io::stderr().lock();
    for (state, script, after) in [
        (
            "while its reply comes",
            Script::events(&half).then(&[Act::Hold]),
            None,
        ),
        (
            "before the body",
            Script {
                acts: vec![Act::Hold],
                ..Script::events("")
            },
            Some(Duration::from_millis(60)),
        ),
    ] {
        let mut took: Vec<Duration> = (0..20)
            .map(|_| run(cancelled(script.clone(), after)))
            .collect();
        took.sort();
        let _ = writeln!(
            err,
            "cancelled {state}: median {:?}, slowest {:?}",
            took[10], took[19]
        );
    }
}

#[test]
fn a_call_dropped_before_the_head_of_its_reply_closes_its_socket() {
    run(async {
        // A listener that reads and never answers.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = client(
            "openai",
            &format!("http://{}", listener.local_addr().unwrap()),
            &[],
        );
        let asked = request();
        let mut on = |_: Piece| {};
        let (mut stream, dropped) = {
            let call = client.call(&asked, &mut on);
            tokio::select! {
                outcome = call => panic!("the call ended: {outcome:?}"),
                accepted = async {
                    let (mut stream, _) = listener.accept().await.unwrap();
                    let mut buffer = [0; 64];
                    tokio::io::AsyncReadExt::read(&mut stream, &mut buffer).await.unwrap();
                    stream
                } => (accepted, Instant::now()),
            }
        };
        let read = async {
            let mut buffer = [0; 4096];
            while matches!(tokio::io::AsyncReadExt::read(&mut stream, &mut buffer).await, Ok(n) if n > 0)
            {
            }
        };
        tokio::time::timeout(Duration::from_secs(20), read)
            .await
            .expect("the socket stays open");
        let mut err = std::io::stderr().lock();
        let _ = writeln!(err, "cancelled before the head: {:?}", dropped.elapsed());
    });
}
