//! What the screen asks for, shows and opens.

use super::*;
use crate::app::arena::plans::Plans;
use crate::app::arena::{ArenaJob, ArenaReply};
use crate::app::cmd::Cmd;
use crate::app::jobs::{Job, JobEvent, JobId, Reply};
use crate::app::keymap::{Keymap, SHIPPED};
use crate::app::msg::{Msg, Size};
use crate::app::overlays::Overlay;
use crate::app::state::{Setup, State};
use crate::app::update::{drive, execute, update};
use crate::arena::advplan::file::{again::played, read};
use crate::arena::advplan::traces::{plan_lines, replay};

fn start(line: &str) -> (State, JobId) {
    let (mut state, _) = State::new(Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    });
    let cmds = execute(&mut state, line);
    let job = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Arena(ArenaJob::Published(SEEDS, _))) => Some(*id),
        _ => None,
    });
    (state, job.unwrap())
}

fn open(line: &str) -> State {
    let (mut state, job) = start(line);
    let reply = Reply::Arena(ArenaReply::Published(Arc::new(Study::new(2))));
    update(&mut state, Msg::Job(job, JobEvent::Done(Box::new(reply))));
    state
}

fn screen(state: &State) -> &Councils {
    match state.screen() {
        Screen::Council(it) => it,
        other => panic!("{other:?}"),
    }
}

fn names(state: &State) -> Vec<String> {
    let councils = screen(state);
    let council = councils.council().unwrap();
    councils
        .ranking()
        .iter()
        .map(|at| council.name(*at))
        .collect()
}

#[test]
fn progress_is_told_until_the_study_is_there() {
    let (mut state, job) = start("council");
    update(
        &mut state,
        Msg::Job(
            job,
            JobEvent::Progress {
                done: 112,
                total: 150,
            },
        ),
    );
    assert_eq!(screen(&state).progress(), "112 of 150 scenarios");
    assert!(screen(&state).played().is_none());
}

#[test]
fn a_named_scenario_is_shown_at_once() {
    let state = open("council urban-103");
    assert_eq!(words::id(screen(&state).played().unwrap()), "urban-103");
    assert_eq!(screen(&state).focus, Pane::Blue);
    assert_eq!(screen(&open("council")).focus, Pane::Scenarios);
}

#[test]
fn rounds_and_gifts_change_the_ranking_and_the_cursor_stays_on_its_candidate() {
    let mut state = open("council urban-100");
    assert_eq!(
        names(&state),
        ["B1r1", "B1", "B4", "B4r2", "B5", "B3", "B2"]
    );
    drive(&mut state, "j");
    assert_eq!(screen(&state).at(), 0);
    drive(&mut state, "t");
    assert_eq!(names(&state).first().map(String::as_str), Some("B1"));
    assert_eq!(screen(&state).at(), 0);
    // The first round has no revisions; a cursor on one goes to the leader.
    drive(&mut state, "t k <");
    assert_eq!(names(&state), ["B1", "B4", "B5", "B3", "B2"]);
    assert_eq!(screen(&state).at(), 0);
}

#[test]
fn a_figure_opens_what_it_was_made_of() {
    let mut state = open("council urban-100");
    let shown = |state: &State| match state.overlay() {
        Some(Overlay::Computed(it)) => it
            .rows
            .iter()
            .map(crate::app::overlays::computed::Row::words)
            .collect(),
        other => vec![format!("{other:?}")],
    };
    drive(&mut state, "l Enter");
    let rows: Vec<String> = shown(&state);
    assert_eq!(
        rows.first().map(String::as_str),
        Some("p  (q + 1) / 2 with q .3084  .6542")
    );
    // The q it is made of leads to that of the candidate it revises.
    drive(&mut state, "j Enter");
    let rows = shown(&state);
    assert_eq!(
        rows.get(1).map(String::as_str),
        Some("q  q of seed plan 1  .2641")
    );
    drive(&mut state, "j Enter");
    let rows = shown(&state);
    assert!(
        rows.iter().any(|r| r.starts_with("0  recon  intelligence")),
        "{rows:?}"
    );
}

#[test]
fn the_terms_of_why_add_up() {
    let mut state = open("council urban-100");
    drive(&mut state, "j j j j j");
    let rows = screen(&state).why();
    let end = rows.iter().position(|r| r.label == "sum").unwrap();
    let terms = rows[..end].iter().filter(|r| !r.label.is_empty());
    let number = |note: &str| note.replace('−', "-").parse::<f64>().unwrap();
    let sum: f64 = terms.map(|r| number(&r.note)).sum();
    assert!((sum - number(&rows[end].note)).abs() < 2e-4);
    assert_eq!(screen(&state).aside_title(), "W  B3 lost to B1r1 by .0678");
}

#[test]
fn real_exploitability_stands_beside_the_published_gap() {
    let mut state = open("council urban-100");
    // RED's replies do not depend on the plan, so that what a plan can be exploited by is half of what its p lacks.
    let councils = screen(&state);
    let council = councils.council().unwrap();
    let p = |at: usize| council.candidates[at].parts.quality;
    let best = councils.ranking().into_iter().map(p).fold(0.0, f64::max);
    for at in councils.ranking() {
        let it = councils.exploited(at).unwrap();
        assert!((it.by - (best - p(at)) / 2.0).abs() < 1e-9, "{at} {it:?}");
        let gap = (p(at) + council.candidates[at].parts.pressure - 1.0).abs();
        assert!((it.gap - gap).abs() < 1e-9);
        assert_eq!((it.plans, it.replies), (7, 28));
    }
    assert_eq!(
        councils.exploited_words().as_deref(),
        Some("B1r1 alone: exploitable by .0012, published “Nash gap” .301 (W)")
    );
    drive(&mut state, "<");
    assert_eq!(screen(&state).exploited(0).unwrap().plans, 5);
}

#[test]
fn plans_of_a_file_stand_by_side_with_their_figures() {
    let (mut state, _) = State::new(Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    });
    let cmds = execute(&mut state, "council mine/plans-of-mine.jsonl");
    let job = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Arena(ArenaJob::Typed(_))) => Some(*id),
        _ => None,
    });
    let head = r#"{"vesta_arena":1,"kind":"advplan","scenario":"two sides"}"#;
    let text = format!("{head}\n{}", plan_lines(&replay("urban-100").unwrap()));
    let text = text.replacen("\"alignment\":0.", "\"alignment\":9.", 1);
    let plans = Plans::of(read("mine.jsonl", text.as_bytes()).unwrap());
    let (blue, red) = (plans.blue.len(), plans.red.len());
    assert!(blue > 5 && red > 5);
    assert_eq!(plans.differ, 1);
    let reply = Reply::Arena(ArenaReply::Plans(Arc::new(plans)));
    update(
        &mut state,
        Msg::Job(job.unwrap(), JobEvent::Done(Box::new(reply))),
    );
    let of = |state: &State| screen(state).plans.clone().unwrap();
    assert_eq!(of(&state).id(), "urban-100/blue/0");
    drive(&mut state, "j");
    assert_eq!(of(&state).id(), "urban-100/blue/1");
    drive(&mut state, "Tab");
    assert!(of(&state).id().contains("/red/"), "{}", of(&state).id());
    drive(&mut state, "Enter");
    assert!(matches!(state.overlay(), Some(Overlay::Computed(_))));
    assert!(!state.availability("council-gifts", "").is_ready());
}

#[test]
fn playing_again_gives_the_same_digits() {
    let mut state = open("council maritime-101");
    execute(&mut state, "verify");
    let verified = screen(&state).verified().unwrap();
    assert_eq!(verified.equal, verified.cells);
    assert!(verified.cells > 100);
}

#[test]
fn the_filter_asks_fields() {
    let mut state = open("council");
    drive(&mut state, "/ t e r r a i n : m a r i t i m e Enter");
    let councils = screen(&state);
    let study = councils.study().unwrap();
    let ids: Vec<&str> = councils
        .order()
        .iter()
        .map(|at| words::id(&study.played[*at]))
        .collect();
    assert_eq!(ids, ["maritime-101", "maritime-104"]);
    drive(&mut state, "j Enter");
    assert_eq!(words::id(screen(&state).played().unwrap()), "maritime-104");
}

#[test]
fn a_plan_that_is_not_there_is_named() {
    let mut state = open("council urban-100");
    execute(&mut state, "council-show urban-100/red/99");
    let told = state.shared.notices.front().map(|(n, _)| n.text.clone());
    assert_eq!(
        told.as_deref(),
        Some(
            "no plan of this scenario is called \"urban-100/red/99\"; an id is like urban-100/council/5/red/2"
        )
    );
}

#[test]
fn a_file_of_plans_shows_its_scenarios_and_where_it_differs() {
    let (mut state, _) = State::new(Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    });
    let cmds = execute(&mut state, "arena out/plans.jsonl");
    let job = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Arena(ArenaJob::Typed(path))) => Some((*id, path.clone())),
        _ => None,
    });
    let (job, path) = job.unwrap();
    assert_eq!(path, Path::new("out/plans.jsonl"));
    let of = |id: &str| plan_lines(&replay(id).unwrap());
    let text = of("urban-100") + &of("maritime-101");
    let text = text.replacen("\"priority\":1", "\"priority\":2", 1);
    let replayed = played(&read("plans.jsonl", text.as_bytes()).unwrap()).unwrap();
    let reply = Reply::Arena(ArenaReply::Typed(Arc::new(replayed)));
    update(&mut state, Msg::Job(job, JobEvent::Done(Box::new(reply))));
    let councils = screen(&state);
    assert_eq!(councils.study().unwrap().played.len(), 2);
    assert_eq!(words::id(councils.played().unwrap()), "urban-100");
    let verified = councils.verified().unwrap();
    assert_eq!(verified.cells - verified.equal, 1);
    let told = state.overlays().last();
    assert!(
        matches!(told, Some(Overlay::Computed(c)) if c.rows.len() == 1 && c.rows[0].label == "urban-100/blue/0")
    );
    drive(&mut state, "Esc j");
    let verified = screen(&state).verified().unwrap();
    assert_eq!(verified.cells, verified.equal);
}
