//! The check panel by keys: what it says, where its witnesses lead, what the task list keeps.

use std::sync::Arc;

use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::msg::Msg;
use vesta::app::overlays::Overlay;
use vesta::app::screens::Screen;
use vesta::app::screens::play::Stage;
use vesta::app::state::State;
use vesta::app::update::{execute, update};
use vesta::check::finding::Kind;
use vesta::check::{CHECKS, Report};
use vesta::formats::task::patch::DiffLine;
use vesta::runtime::jobs::Sources;
use vesta::store::library::Places;

use crate::support::checked::{answer, found, panel, planted, press};
use crate::support::{self, Shape, games};

fn heading(state: &State) -> String {
    match state.overlay() {
        Some(overlay @ Overlay::Check(_)) => overlay.overlaid().heading(),
        other => panic!("no panel: {other:?}"),
    }
}

/// The steps from the start to here, and the number of this one.
fn standing(state: &State) -> (usize, u32) {
    let Screen::Play(play) = state.screen() else {
        panic!("not in Play")
    };
    let Stage::Playing(game) = &play.stage else {
        panic!("nothing is played")
    };
    let episode = &game.episode;
    (episode.timeline().len() - 1, episode.here().0)
}

#[test]
fn answers_come_one_by_one() {
    let state = panel(Shape::of(120, 40), 3);
    let all = CHECKS.len();
    assert_eq!(
        heading(&state),
        format!("Check  vh/V022  eai  3 of {all}, 0.3 s")
    );
    let state = panel(Shape::of(120, 40), all);
    assert_eq!(
        heading(&state),
        format!("Check  vh/V022  eai  {all} of {all} done")
    );
}

#[test]
fn a_witness_is_played_in_the_game_and_leads_on() {
    let mut state = panel(Shape::of(120, 40), usize::MAX);
    // The worst comes first: the contradiction, shown by the reference plan where it switches the microwave on.
    press(&mut state, "Enter");
    assert!(state.overlay().is_none());
    assert_eq!(standing(&state), (20, 11));
    press(&mut state, ". . .");
    assert_eq!(standing(&state), (20, 14));
    // The other finding leads elsewhere on the same steps; nothing is asked twice.
    assert_eq!(press(&mut state, "c"), None);
    let all = CHECKS.len();
    let kept = format!("Check  vh/V022  eai  {all} of {all} done before");
    assert_eq!(heading(&state), kept);
    press(&mut state, "j Enter");
    assert_eq!(standing(&state), (20, 12));
}

#[test]
fn steps_can_be_written_as_a_command() {
    let mut state = games::play(Shape::of(120, 40), planted());
    games::act(
        &mut state,
        &["witness s1 walk microwave; open microwave; grab fork"],
        games::Writer::Saves,
    );
    assert_eq!(standing(&state), (3, 1));
    games::act(&mut state, &["witness walk table"], games::Writer::Saves);
    assert_eq!(standing(&state), (4, 4));
}

#[test]
fn what_was_found_stays_in_the_task_list() {
    let mut state = support::with(Shape::of(120, 40), support::library());
    press(&mut state, "g t j");
    let id = press(&mut state, "c").unwrap();
    let mut report = found(&planted());
    answer(&mut state, id, &report, usize::MAX);
    assert_eq!(state.shared.library.checks.cell("vh/V022").0, "✗ 2");
    press(&mut state, "Esc / c h e c k : f a u l t Enter");
    let shown = |state: &State| match state.screen() {
        Screen::Tasks(tasks) => tasks.rows().len(),
        _ => panic!("not on Tasks"),
    };
    assert_eq!(shown(&state), 1);
    // Reading the library anew forgets nothing.
    let read = JobEvent::Done(Box::new(Reply::Library(support::library())));
    update(&mut state, Msg::Job(JobId(1), read));
    assert_eq!(state.shared.library.checks.cell("vh/V022").0, "✗ 2");
    // All tasks: reports come as parts.
    let mut state = support::with(Shape::of(120, 40), support::library());
    press(&mut state, "g t");
    let cmds = execute(&mut state, "check --all");
    let [Cmd::Start(id, Job::CheckAll(_)), ..] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    report.task = "vh/V010".to_owned();
    let part = Reply::Checked(vec![Arc::new(report)]);
    update(&mut state, Msg::Job(*id, JobEvent::Part(Box::new(part))));
    assert_eq!(state.shared.library.checks.cell("vh/V010").0, "✗ 2");
    assert_eq!(state.shared.library.checks.cell("vh/V022").0, "–");
}

#[test]
fn a_witness_can_be_inspected_and_played_on_from() {
    let dir = tempfile::tempdir().unwrap();
    let task = vesta::formats::task::write(&planted().episode.setup().task);
    std::fs::write(dir.path().join("bad.json"), task).unwrap();
    let runs = dir.path().join("runs");
    let sources = Sources::new(Places::usual(), Some(dir.path().to_owned()), Some(runs));
    let mut state = support::settled(Shape::of(120, 40), &["tasks", "keys c"], &sources);
    assert!(heading(&state).ends_with("done"), "{}", heading(&state));
    support::keys(&mut state, "Enter", &sources);
    let Screen::Inspect(it) = state.screen() else {
        panic!("not in Inspect")
    };
    let loaded = it.loaded().expect("the witness is read");
    assert!(loaded.run.is_fine());
    assert_eq!(loaded.run.events.len(), 21);
    assert_eq!(state.screen().place().rail(&state.shared).now, 11);
    support::keys(&mut state, "F", &sources);
    assert_eq!(standing(&state), (11, 11));
}

#[test]
fn a_finding_is_patched_from_its_row_and_checked_again() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.json");
    let task = vesta::formats::task::write(&planted().episode.setup().task);
    std::fs::write(&file, task).unwrap();
    let runs = dir.path().join("runs");
    let sources = Sources::new(Places::usual(), Some(dir.path().to_owned()), Some(runs));
    let mut state = support::settled(Shape::of(120, 40), &["tasks", "keys c"], &sources);
    let faults = |state: &State| {
        let cells = state.top().plain(&state.shared);
        cells.iter().filter(|l| l.starts_with("fault")).count()
    };
    let before = faults(&state);
    assert!(before > 0);
    support::keys(&mut state, "p", &sources);
    let Some(Overlay::Patch(patch)) = state.overlay() else {
        panic!("no patch: {:?}", state.overlay())
    };
    let is_old = |line: &DiffLine| matches!(line, DiffLine::Old(_));
    assert!(patch.lines.iter().any(is_old), "{patch:?}");
    // Left, it changes nothing.
    let old = std::fs::read_to_string(&file).unwrap();
    support::keys(&mut state, "Esc", &sources);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), old);
    support::keys(&mut state, "p Enter", &sources);
    assert_ne!(std::fs::read_to_string(&file).unwrap(), old);
    assert!(heading(&state).ends_with(" done"), "{}", heading(&state));
    assert!(faults(&state) < before);
}

#[test]
fn reports_tell_faults_first() {
    let report: Report = found(&planted());
    let kinds: Vec<Kind> = report.findings().map(|(_, f)| f.kind).collect();
    assert_eq!(
        kinds,
        [
            Kind::Contradictory,
            Kind::ReferenceFails,
            Kind::ComplexityLabel
        ]
    );
}

#[test]
fn what_was_found_is_mended_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.json");
    let before = vesta::formats::task::write(&planted().episode.setup().task);
    std::fs::write(&file, &before).unwrap();
    let sources = Sources::new(
        Places::usual(),
        Some(dir.path().to_owned()),
        Some(dir.path().join("runs")),
    );
    let script = ["play V022", "keys c Esc", "patch"];
    let mut state = support::settled(Shape::of(120, 40), &script, &sources);
    let Some(Overlay::Patch(patch)) = state.overlay() else {
        panic!("no patch: {:?}", state.overlay())
    };
    let changed: Vec<String> = patch
        .lines
        .iter()
        .map(vesta::formats::task::patch::DiffLine::text)
        .filter(|line| line.starts_with(['+', '-']))
        .collect();
    assert_eq!(
        changed,
        [
            "-  \"complexity\": \"low\",",
            "+  \"complexity\": \"medium\",",
            "-    \"microwave:OFF\",",
        ]
    );
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        before,
        "only shown yet"
    );
    support::keys(&mut state, "Enter", &sources);
    assert!(state.overlay().is_none());
    let after = std::fs::read_to_string(&file).unwrap();
    let expected = before
        .replace("\"complexity\": \"low\"", "\"complexity\": \"medium\"")
        .replace("    \"microwave:OFF\",\n", "");
    assert_eq!(after, expected);
}

#[test]
fn annotations_and_steps_become_a_patch() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.json");
    let task = vesta::formats::task::write(&planted().episode.setup().task);
    std::fs::write(&file, task).unwrap();
    let sources = Sources::new(
        Places::usual(),
        Some(dir.path().to_owned()),
        Some(dir.path().join("runs")),
    );
    let plan = planted().episode.setup().task.reference.join("; ");
    let script = [
        "play V022",
        &format!("witness {plan}"),
        "do touch table",
        "keys Tab j j j j a 1",
        "patch",
    ];
    let state = support::settled(Shape::of(120, 40), &script, &sources);
    let Some(Overlay::Patch(patch)) = state.overlay() else {
        panic!("no patch: {:?}", state.shared.notices.front())
    };
    let text: Vec<String> = patch
        .lines
        .iter()
        .map(vesta::formats::task::patch::DiffLine::text)
        .collect();
    assert!(
        text.iter().any(|l| l.starts_with("-    \"microwave:OFF\"")),
        "{text:#?}"
    );
    assert!(
        text.iter()
            .any(|l| l.starts_with("+    \"[TOUCH] <table> (57)\"")),
        "{text:#?}"
    );
}
