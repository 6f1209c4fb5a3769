//! Agents as BLUE, RED and critic: what they are shown, what of their words counts, and what is told of the rest.

use assert_cmd::Command;
use serde_json::Value;
use vesta::agent::card::Card;
use vesta::agent::prompt::Prompts;
use vesta::agent::strategy::Settings as Prompting;
use vesta::arena::house::agents::{Agents, Answered, Question, Seat, Seated, Speaker};
use vesta::arena::house::blue;
use vesta::arena::house::committee::Committee;
use vesta::arena::house::fair::Fair;
use vesta::arena::house::ground::Ground;
use vesta::arena::house::model::{Moment, Origin, Red};
use vesta::arena::house::record::{Finding, Settings};
use vesta::arena::house::red::{self, Half, given};

use super::{candidate, library, ready};

/// Says the same to everybody in a seat; `None` cannot be asked.
struct Says(Vec<(Seat, Option<&'static str>)>);

impl Speaker for Says {
    fn ask(&mut self, question: &Question) -> Result<Answered, String> {
        let found = self.0.iter().find(|(seat, _)| *seat == question.seat);
        match found.and_then(|(_, text)| *text) {
            Some(text) => Ok(said(text)),
            None => Err("nobody answers".to_owned()),
        }
    }
}

fn said(text: &str) -> Answered {
    Answered {
        text: text.to_owned(),
        cut: false,
    }
}

fn seated(seats: &[Seat]) -> Vec<Seated> {
    let all = seats.iter().map(|&seat| Seated {
        seat,
        card: Card::plain("exec:somebody"),
    });
    all.collect()
}

fn settings(level: &str) -> red::Settings {
    red::Settings {
        budget: 3,
        ..red::Settings::of(red::level(level).unwrap())
    }
}

fn question(ground: &mut Ground, level: &str) -> String {
    let plan = candidate("B1", &ground.setup().reference.clone());
    let prompts = Prompts::shipped();
    let asked = given::question(ground, &plan, &settings(level), &prompts);
    let texts: Vec<&str> = asked.messages.iter().map(|m| m.text.as_str()).collect();
    texts.join("\n")
}

#[test]
fn red_is_shown_what_its_level_knows() {
    let library = library();
    let (_, mut ground) = ready(&library, "V022");
    let instruction = ground.setup().task.instruction.clone();
    let mut shown = |level: &str| {
        let text = question(&mut ground, level);
        [
            text.contains("microwave"),
            text.contains("Its plan has"),
            text.contains(&instruction),
            text.contains("Its plan:\n1. walk microwave"),
            text.contains("when nothing happens"),
        ]
    };
    assert_eq!(shown("blind"), [true, false, false, false, false]);
    assert_eq!(shown("count"), [true, true, false, false, false]);
    assert_eq!(shown("task"), [true, true, true, false, false]);
    assert_eq!(shown("plan"), [true, false, true, true, false]);
    assert_eq!(shown("reactive"), [true, false, true, true, true]);
}

/// What RED wrote against the reference plan of V022: the responses that were tried, and what was left out with its reason.
fn tried(settings: &red::Settings, text: &str) -> (Vec<String>, Vec<(String, String)>) {
    let library = library();
    let (_, mut ground) = ready(&library, "V022");
    let plan = candidate("B1", &ground.setup().reference.clone());
    let mut fair = Fair::default();
    let (answer, unheard) = given::answer(&mut ground, &mut fair, &plan, settings, &said(text));
    let tried = answer.tried.iter().map(|t| {
        assert_eq!(t.red == Red::Acted, !t.certificates.is_empty());
        let all: Vec<String> = t
            .response
            .disturbances
            .iter()
            .map(|d| format!("{} {} {}", d.at, d.kind, d.facts.join("; ")))
            .collect();
        format!("{} {} {}", t.response.id, t.red.id(), all.join(" | "))
    });
    let left = unheard.into_iter().map(|u| (u.text, u.why));
    (tried.collect(), left.collect())
}

#[test]
fn lines_become_disturbances_of_the_registry() {
    let text = "```\n1. after 2: microwave:CLOSED\n- start: microwave:PLUGGED_OUT.\n```\nAFTER STEP 5: bowl.203:DIRTY";
    let (tried, left) = tried(&settings("plan"), text);
    assert_eq!(
        tried,
        [
            "plan-0 acted after step 2 opened microwave.156:CLOSED",
            "plan-1 acted at the start plug microwave.156:PLUGGED_OUT",
            "plan-2 acted after step 5 dirty bowl.203:DIRTY",
        ]
    );
    assert_eq!(left, []);
}

#[test]
fn what_does_not_count_is_told_with_its_reason() {
    let text = "I would do this:\nstart: the fridge is sad\nstart: microwave:CLOSED\nafter 99: stove:ON\n\
        after 2: fork ON moon\nafter 1: bowl.203 INSIDE bowl.203\nafter 2: microwave:CLOSED | after 3: bowl.203:DIRTY\n\
        after 2: microwave:CLOSED\nafter 2: microwave:CLOSED\n";
    let (tried, left) = tried(&settings("plan"), text);
    assert_eq!(
        tried,
        ["plan-0 acted after step 2 opened microwave.156:CLOSED"]
    );
    let whys: Vec<&str> = left.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(
        whys,
        [
            "write after N: FACT; FACT or start: FACT; FACT",
            "it is no fact: \"the fridge is sad\" is no fact; write node:STATE or node RELATION node",
            "it is so already",
            "the plan ends after 20 steps",
            "it is no fact: no node is called moon",
            "none of the kinds does that there: moved, running, opened, misplaced, wet, occupied, twin, plug, dirty, being",
            "it has 2 disturbances; 1 may be in one",
            "it was said before",
        ]
    );
    assert_eq!(left[0].0, "I would do this:");
}

#[test]
fn unfair_responses_are_told_and_use_up_the_budget() {
    let one = red::Settings {
        budget: 1,
        ..settings("plan")
    };
    // With the last step nothing could answer it.
    let (tried, left) = tried(&one, "after 20: bowl.203:DIRTY\nafter 2: microwave:CLOSED");
    assert_eq!(tried.len(), 1);
    assert!(
        tried[0].starts_with("plan-0 passed after step 20 "),
        "{tried:?}"
    );
    assert_eq!(
        left,
        [
            (
                "after 20: bowl.203:DIRTY".to_owned(),
                "it is not fair: it strikes with the last step: nothing could answer it".to_owned()
            ),
            (
                "after 2: microwave:CLOSED".to_owned(),
                "1 were tried before it".to_owned()
            ),
        ]
    );
}

#[test]
fn what_is_kept_for_the_final_figure_does_not_count() {
    let of = |half| red::Settings {
        half,
        ..settings("plan")
    };
    let text = "after 2: microwave:CLOSED";
    let (design, left) = tried(&of(Half::Design), text);
    let (held, other) = tried(&of(Half::HeldOut), text);
    assert_eq!(design.len() + held.len(), 1);
    let whys: Vec<String> = left.into_iter().chain(other).map(|(_, why)| why).collect();
    assert_eq!(whys.len(), 1);
    assert!(whys[0].contains("kept back for the final figure"));
}

#[test]
fn several_moments_in_a_line_strike_in_their_order() {
    let two = red::Settings {
        events: 2,
        ..settings("plan")
    };
    let (tried, left) = tried(
        &two,
        "after 3: bowl.203:DIRTY | start: microwave:PLUGGED_OUT",
    );
    assert_eq!(left, []);
    assert_eq!(
        tried,
        [
            "plan-0 acted at the start plug microwave.156:PLUGGED_OUT | after step 3 dirty bowl.203:DIRTY"
        ]
    );
}

#[test]
fn an_agents_plan_with_branches_is_a_candidate() {
    let library = library();
    let (loaded, ground) = ready(&library, "V022");
    let prompts = Prompts::shipped();
    let ask = |text: &'static str| {
        let mut speaker = Says(vec![(Seat::Blue, Some(text))]);
        let mut agents = Agents::new(
            &mut speaker,
            &prompts,
            &loaded.base.scene,
            seated(&[Seat::Blue]),
        );
        let prompting = Prompting::new(Prompts::shipped().into());
        blue::from_agent(&ground, &mut agents, &prompting, "B7".to_owned())
    };
    let fenced = "<think>fork first?</think>\n```\n1. walk microwave\n2. open microwave\nif fork INSIDE microwave then grab fork\nDone\n```";
    let (it, words) = ask(fenced).unwrap();
    assert_eq!(it.name, "B7");
    assert_eq!(it.origin, Origin::Agent("exec:somebody".to_owned()));
    assert_eq!(words, "agent exec:somebody");
    let text = vesta::plan::branching::print(&ground.setup().scene, &it.plan);
    assert_eq!(
        text.trim_end(),
        "walk microwave\nopen microwave\nif fork INSIDE microwave then\n  grab fork\nend"
    );
    let list = r#"[{"action": "WALK", "object": "microwave"}, {"action": "DONE", "object": ""}]"#;
    let (it, _) = ask(list).unwrap();
    assert_eq!(it.plan.len(), 1);
    let wrong = ask("walk microwave\nfly home").unwrap_err();
    assert_eq!(wrong.by, Seat::Blue);
    assert_eq!(wrong.why, "line 2 column 1: unknown action \"fly\"");
    assert!(ask("").unwrap_err().why.contains("no plan in it"));
}

fn small() -> Settings {
    Settings {
        budget: 2,
        rounds: 1,
        width: 1,
        held_out: 0,
        proposals: 0,
        ..Settings::default()
    }
}

#[test]
fn every_claim_of_a_critic_is_held_against_its_case() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V022");
    let prompts = Prompts::shipped();
    let words =
        "nothing: F05 was broken at step 8.\nnothing: F05 was not broken.\nIt was a silly idea.";
    let mut speaker = Says(vec![(Seat::Critic, Some(words))]);
    let mut agents = Agents::new(
        &mut speaker,
        &prompts,
        &loaded.base.scene,
        seated(&[Seat::Critic]),
    );
    let naive = candidate("B1", &ground.setup().naive.clone());
    let settings = small();
    let level = red::level("plan").unwrap();
    let record = Committee::new(&mut ground, &settings, level)
        .with(&mut agents)
        .hold(vec![(naive, "naive".to_owned())], &mut |_| true);
    assert!(!agents.silent);
    assert_eq!(record.agents, agents.seated);
    let own: Vec<_> = record
        .claims
        .iter()
        .filter(|c| c.by == "exec:somebody")
        .collect();
    let found: Vec<_> = own.iter().map(|c| (c.finding, &*c.broken)).collect();
    assert_eq!(
        found,
        [
            (Finding::Confirmed, "F05"),
            (Finding::Refuted, "F05"),
            (Finding::Unverifiable, ""),
        ]
    );
    assert!(own.iter().all(|c| c.response.is_empty()));
    assert_eq!(own[0].step, 8);
    assert!(record.claims.iter().any(|c| c.by == "offline"));
    let mut ids: Vec<&str> = record.claims.iter().map(|c| c.id.as_str()).collect();
    ids.dedup();
    assert_eq!(ids.len(), record.claims.len());
}

/// The arena of a plan of V022 with a critic, and maybe a RED, that says so.
fn criticised(
    plan: impl Fn(&Ground) -> Vec<vesta::sim::world::Action>,
    says: Vec<(Seat, Option<&'static str>)>,
) -> vesta::arena::house::record::Record {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V022");
    let prompts = Prompts::shipped();
    let seats: Vec<Seat> = says.iter().map(|(seat, _)| *seat).collect();
    let mut speaker = Says(says);
    let base = &loaded.base.scene;
    let mut agents = Agents::new(&mut speaker, &prompts, base, seated(&seats));
    let plan = candidate("B1", &plan(&ground));
    Committee::new(&mut ground, &small(), red::level("plan").unwrap())
        .with(&mut agents)
        .hold(vec![(plan, String::new())], &mut |_| true)
}

fn revision(record: &vesta::arena::house::record::Record) -> Option<Vec<String>> {
    let found = record.candidates.iter().find(|e| e.round == 1);
    found.map(|e| e.plan.clone())
}

#[test]
fn what_is_confirmed_of_a_critics_words_steers_the_revision() {
    let naive = |ground: &Ground| ground.setup().naive.clone();
    let held = |words| criticised(naive, vec![(Seat::Critic, Some(words))]);
    let idle = held("It was a silly idea.");
    let refuted = held("nothing: F05 was not broken.");
    assert_eq!(revision(&refuted), revision(&idle));
    let refuted = refuted.claims.iter().find(|c| c.by != "offline").unwrap();
    assert_eq!(refuted.finding, Finding::Refuted);
    assert!(!refuted.evidence.contains("follows it"));

    let confirmed = held("nothing: F05 was broken at step 8.");
    let own = confirmed.claims.iter().find(|c| c.by != "offline").unwrap();
    assert_eq!((own.finding, own.step), (Finding::Confirmed, 8));
    assert!(own.evidence.ends_with("; B1r1 follows it"), "{own:?}");
    assert_ne!(revision(&confirmed), revision(&idle));
    let alone = |name: &str| &confirmed.cell(name, "nothing").unwrap().outcome;
    assert!(!alone("B1").is_good() && alone("B1r1").is_good());
}

#[test]
fn a_look_goes_where_a_confirmed_claim_says() {
    let reference = |ground: &Ground| ground.setup().reference.clone();
    let red = "after 5: microwave:PLUGGED_OUT";
    let held = |words| {
        let says = vec![(Seat::Red, Some(red)), (Seat::Critic, Some(words))];
        criticised(reference, says)
    };
    let idle = held("It was a silly idea.");
    let branch = |record: &_| {
        let plan = revision(record).unwrap();
        plan.iter().position(|line| line.starts_with("if "))
    };
    let refuted = held("R1: The microwave was closed at step 3.");
    assert_eq!(revision(&refuted), revision(&idle));
    // Where nobody says more, it looks right before the step that is refused.
    assert_eq!(branch(&idle), Some(10));
    let told = held("R1: The microwave was PLUGGED_OUT at step 8.");
    let own = told.claims.iter().find(|c| c.by != "offline").unwrap();
    assert_eq!(own.finding, Finding::Confirmed, "{own:?}");
    assert!(own.evidence.ends_with("; B1r1 follows it"), "{own:?}");
    assert_eq!(branch(&told), Some(8));
}

#[test]
fn an_arena_whose_red_cannot_be_asked_ends_and_says_so() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V022");
    let prompts = Prompts::shipped();
    let mut speaker = Says(Vec::new());
    let mut agents = Agents::new(
        &mut speaker,
        &prompts,
        &loaded.base.scene,
        seated(&[Seat::Red]),
    );
    let naive = candidate("B1", &ground.setup().naive.clone());
    let record = Committee::new(&mut ground, &small(), red::level("plan").unwrap())
        .with(&mut agents)
        .hold(vec![(naive, String::new())], &mut |_| true);
    assert_eq!(agents.failed.as_deref(), Some("nobody answers"));
    assert_eq!(record.choice, None);
}

#[test]
fn a_red_of_words_can_beat_a_plan_and_is_kept_with_it() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V022");
    let prompts = Prompts::shipped();
    let text = "after 2: microwave:CLOSED\nstart: bowl.203 INSIDE bowl.203\nafter 5: microwave:PLUGGED_OUT";
    let mut speaker = Says(vec![(Seat::Red, Some(text))]);
    let mut agents = Agents::new(
        &mut speaker,
        &prompts,
        &loaded.base.scene,
        seated(&[Seat::Red]),
    );
    let plan = candidate("B1", &ground.setup().reference.clone());
    let record = Committee::new(&mut ground, &small(), red::level("plan").unwrap())
        .with(&mut agents)
        .hold(vec![(plan, String::new())], &mut |_| true);
    assert!(record.responses.len() > 1);
    let at: Vec<Moment> = record.responses[1]
        .disturbances
        .iter()
        .map(|d| d.at)
        .collect();
    assert_eq!(at.len(), 1);
    assert!(!record.unheard.is_empty());
    assert!(record.unheard.iter().all(|u| u.by == Seat::Red));
    let written = vesta::arena::house::file::write(&record);
    let read = vesta::arena::house::file::read("arena.jsonl", written.as_bytes()).unwrap();
    assert_eq!(read, record);
}

/// Runs the program; its exit code, what it printed and what it complained of.
fn vesta(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("vesta").unwrap().args(args).output();
    let output = output.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

const HOLD: [&str; 13] = [
    "arena",
    "hold",
    "V062",
    "--plans",
    "0",
    "--budget",
    "2",
    "--held-out",
    "1",
    "--rounds",
    "1",
    "--width",
    "1",
];

#[test]
fn programs_take_their_seats() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("talks.sh");
    let text = "while read -r line; do case $line in\n\
        *'\"kind\":\"plan\"'*) echo '{\"plan\":[\"fly home\"]}';;\n\
        *'\"kind\":\"red\"'*) echo '[\"start: nothing\"]';;\n\
        *) echo '{\"claims\":[\"It was a silly idea.\"]}';;\nesac; done\n";
    std::fs::write(&script, text).unwrap();
    let agent = format!("exec:sh {}", script.display());
    let seats = [
        "--blue",
        &agent,
        "--red-agent",
        &agent,
        "--critic",
        &agent,
        "--json",
    ];
    let (code, out, said) = vesta(&[&HOLD[..], &seats].concat());
    assert_eq!(code, Some(1), "{said}");
    let all: Vec<Value> = serde_json::from_str(&out).unwrap();
    let left = all[0]["left_out"].as_array().unwrap();
    assert_eq!(left.len(), 1);
    assert!(left[0].as_str().unwrap().starts_with("BLUE is left out: "));
    assert_eq!(all[0]["agents"].as_array().unwrap().len(), 3);
    let unheard = all[0]["unheard"].as_array().unwrap();
    assert_eq!(unheard[0]["by"], "blue");
    assert_eq!(unheard[1]["by"], "red");
    assert_eq!(unheard[1]["text"], "start: nothing");
}

#[test]
fn what_a_run_attempted_is_a_candidate() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().display().to_string();
    let (_, out, _) = vesta(&["run", "V062", "--headless", "--json", "--runs", &runs]);
    let first: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    let id = first["run"].as_str().unwrap();
    let with = |task: &str| {
        let mut args: Vec<&str> = HOLD.to_vec();
        args[2] = task;
        args.extend(["--run", id, "--runs", &runs, "--json"]);
        vesta(&args)
    };
    let (code, out, said) = with("V062");
    assert_eq!(code, Some(0), "{said}");
    let all: Vec<Value> = serde_json::from_str(&out).unwrap();
    let candidates = all[0]["candidates"].as_array().unwrap();
    let own = candidates
        .iter()
        .find(|c| c["origin"]["run"] == id)
        .unwrap();
    assert!(own["plan"].as_array().unwrap().len() > 2);
    let (code, _, said) = with("V022");
    assert_eq!(code, Some(2));
    assert!(
        said.contains("it is of the task vh/V062, which is not named"),
        "{said}"
    );
}

#[test]
fn flags_of_agents_that_are_of_no_use_are_told() {
    let hold = |more: &[&str]| vesta(&[&HOLD[..], more].concat());
    for (more, wanted) in [
        (
            &["--blue", "openai"][..],
            "--blue openai: write --model NAME as well",
        ),
        (
            &["--critic", "nobody"],
            "--critic: there is no agent \"nobody\"",
        ),
        (
            &["--red-agent", "random"],
            "random cannot be RED: it speaks no words",
        ),
        (&["--model", "x"], "--model is for agents"),
    ] {
        let (code, _, said) = hold(more);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(wanted), "{said}");
    }
}
