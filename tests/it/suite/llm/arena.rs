//! Models at an arena's table: asked at an endpoint, recorded, and played again byte for byte.

use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use tokio::process::Command;

use super::canary::clean;
use super::server::{Script, Server};
use super::{CANARY, completions, run};

const BLUE: &str = "walk microwave\nopen microwave\nif fork INSIDE microwave then grab fork\n";
const RED: &str = "after 2: microwave:CLOSED\nafter 1: the end is near\nafter 3: bowl.203:DIRTY\nafter 5: microwave:PLUGGED_OUT";
const CRITIC: &str = "The microwave was not closed at step 1. It should look twice.";

async fn hold(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vesta"));
    command
        .args([
            "arena",
            "hold",
            "V022",
            "--plans",
            "0",
            "--budget",
            "3",
            "--held-out",
            "1",
            "--rounds",
            "1",
            "--width",
            "1",
            "--blue",
            "openai",
            "--red-agent",
            "openai",
            "--critic",
            "openai",
            "--model",
            "gpt-4o",
            "--red-model",
            "gpt-4.1",
            "--save",
        ])
        .args(more)
        .current_dir(folder)
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("OPENAI_API_KEY", CANARY)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command.output().await.unwrap()
}

/// The one arena there is, as its file has it.
fn kept(runs: &Path) -> Vec<u8> {
    let mut all: Vec<_> = std::fs::read_dir(runs).unwrap().collect();
    assert_eq!(all.len(), 1);
    let folder = all.remove(0).unwrap().path();
    std::fs::read(folder.join("arena.jsonl")).unwrap()
}

#[test]
fn an_arena_of_models_is_played_again_byte_for_byte() {
    run(async {
        let script = |text: &str| Script::events(&completions(&["hm"], &[text]));
        let scripts = vec![
            script(BLUE),
            script(RED),
            script(RED),
            script(RED),
            script(CRITIC),
            script(RED),
        ];
        let server = Server::start(scripts).await;
        let folder = tempfile::tempdir().unwrap();
        let live = hold(
            folder.path(),
            &[
                "--base-url",
                &server.base,
                "--record",
                "tape",
                "--runs",
                "live",
            ],
        )
        .await;
        let out = String::from_utf8_lossy(&live.stdout).into_owned();
        let said = String::from_utf8_lossy(&live.stderr).into_owned();
        assert_eq!(live.status.code(), Some(0), "{out}{said}");
        let got = server.got();
        assert!(got.len() >= 5, "{} calls", got.len());
        assert!(got[0].body.contains("gpt-4o"));
        assert!(got[1].body.contains("gpt-4.1"));
        assert!(got[1].body.contains("You test household plans"));
        assert!(
            got[4].body.contains("You are the critic"),
            "{}",
            got[4].body
        );
        for line in [
            "RED is gpt-4.1",
            "left out: after 1: the end is near (it is no fact: ",
        ] {
            assert!(out.contains(line), "{out}");
        }
        let again = hold(folder.path(), &["--replay", "tape", "--runs", "again"]).await;
        assert_eq!(
            out,
            String::from_utf8_lossy(&again.stdout),
            "{}",
            String::from_utf8_lossy(&again.stderr)
        );
        let bytes = kept(&folder.path().join("live"));
        assert_eq!(bytes, kept(&folder.path().join("again")));
        assert_eq!(server.got().len(), got.len());
        let text = String::from_utf8(bytes).unwrap();
        clean(&text, "the arena");
        let claims: Vec<Value> = text
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap())
            .filter(|l| l["claim"]["by"] == "gpt-4o")
            .collect();
        assert_eq!(claims.len(), 2, "{text}");
        assert_eq!(claims[1]["claim"]["finding"], "unverifiable");
    });
}

#[test]
fn a_model_that_fails_is_told_and_ends_the_arena_of_its_task() {
    run(async {
        let folder = tempfile::tempdir().unwrap();

        let server = Server::start(vec![Script::of(401, "text/plain", "no entry")]).await;
        let output = hold(folder.path(), &["--base-url", &server.base]).await;
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{out}");
        assert!(
            out.contains("the arena was not held to its end: RED gpt-4.1: "),
            "{out}"
        );
    });
}
