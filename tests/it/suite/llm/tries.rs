//! A prompt tried for one turn. How an endpoint is reached comes from the environment, so it is tried in a child.

use std::process::Command;

use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::tries::Try;
use vesta::runtime::jobs::{Control, Sources, Writers, execute};

use super::canary::clean;
use super::server::{Script, Server};
use super::{CANARY, completions, run};

/// Set in the child only.
const CHILD: &str = "VESTA_TEST_TRIES";

const REPLY: &str = "Thought: the bowl first.\nAction: walk bowl.203";

#[test]
fn the_trying_child() {
    let Some(how) = std::env::var_os(CHILD) else {
        return;
    };
    let asked = Try {
        agent: "openai".to_owned(),
        model: "gpt-4o".to_owned(),
        task: "vh/V022".to_owned(),
        file: "react".to_owned(),
        texts: Vec::new(),
    };
    let job = Job::Try(Box::new(asked));
    let control = Control::detached(JobId(1));
    let sources = Sources::default();
    let event = execute(job, &control, &sources, &mut Writers::default());
    match event {
        JobEvent::Done(reply) if how == "well" => {
            let Reply::Tried(tried) = *reply else {
                panic!("{reply:?}")
            };
            assert_eq!(tried.reply.text, REPLY);
            assert_eq!(tried.understood.deeds, ["[WALK] <bowl> (203)"]);
        }
        JobEvent::Failed(why) if how == "badly" => {
            assert!(why.contains("401"), "{why}");
            clean(&why, "the failure");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_prompt_is_tried_for_one_turn() {
    let refused = format!(r#"{{"error":{{"message":"no such key: {CANARY}"}}}}"#);
    for (how, script) in [
        ("well", Script::events(&completions(&[], &[REPLY]))),
        ("badly", Script::of(401, "application/json", &refused)),
    ] {
        run(async {
            let server = Server::start(vec![script.clone()]).await;
            let mut child = Command::new(std::env::current_exe().unwrap());
            child
                .args(["the_trying_child", "--test-threads=1", "--nocapture"])
                .env(CHILD, how)
                .env("VESTA_LLM_BASE", &server.base)
                .env("OPENAI_API_KEY", CANARY);
            let done = tokio::task::spawn_blocking(move || child.output().unwrap())
                .await
                .unwrap();
            let told = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
            assert!(done.status.success() && told.contains("1 passed"), "{told}");
            clean(&told, "what the child said");
            let got = server.got();
            assert_eq!(got.len(), 1);
            assert!(got[0].body.contains("microwave"), "{}", got[0].body);
        });
    }
}
