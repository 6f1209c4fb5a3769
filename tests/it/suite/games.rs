//! Play by keys alone: from the first key to the end, what is refused, branches, what is saved and what is not.

use vesta::app::cmd::Cmd;
use vesta::app::games::RunKey;
use vesta::app::jobs::{Job, JobEvent, Reply};
use vesta::app::msg::{Millis, Msg};
use vesta::app::screens::Screen;
use vesta::app::screens::play::game::{Game, Pane};
use vesta::app::state::State;
use vesta::app::update::{execute, update};
use vesta::formats::run::{Fault, Judgement, NoteBody};
use vesta::sim::timeline::Pos;
use vesta::task::episode::{Body, Ending, Move};

use crate::support::Shape;
use crate::support::games::{self, Writer, act, answer};

fn shape() -> Shape {
    Shape::of(120, 40)
}

fn warm() -> State {
    games::play(shape(), games::warm())
}

fn game(state: &State) -> &Game {
    match state.screen() {
        Screen::Play(play) => play.game().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn notices(state: &State) -> Vec<String> {
    state
        .shared
        .notices
        .lines()
        .map(|n| n.text.clone())
        .collect()
}

fn plain(state: &State) -> Vec<String> {
    state.top().plain(&state.shared)
}

/// Types a command line's worth of keys, then `Enter`.
fn typed(keys: &str) -> String {
    let letters: Vec<String> = keys
        .chars()
        .map(|c| {
            if c == ' ' {
                "Space".to_owned()
            } else {
                c.to_string()
            }
        })
        .collect();
    format!("keys {} Enter", letters.join(" "))
}

/// Plays the reference plan of a task: each step is looked for with the filter and done with `Enter`.
fn by_filter(name: &str) -> State {
    let mut state = games::play(shape(), games::shipped(name));
    let plan = game(&state).episode.setup().reference.clone();
    for action in plan {
        let words = {
            let world = game(&state).episode.timeline().world();
            vesta::plan::script::say(world.scene(), action)
        };
        act(
            &mut state,
            &[&typed(&format!("/{words}")), "keys Enter"],
            Writer::Saves,
        );
        let did = game(&state)
            .episode
            .timeline()
            .action(game(&state).episode.here());
        assert_eq!(did, Some(action), "{words}: {:?}", notices(&state));
    }
    state
}

#[test]
fn tasks_can_be_played_to_their_end_by_keys() {
    for name in ["V001", "V022"] {
        let mut state = by_filter(name);
        assert!(notices(&state).contains(&"all goals hold: D ends the run".to_owned()));
        act(&mut state, &["keys D"], Writer::Saves);
        let it = game(&state);
        assert_eq!(it.episode.ending(), Some(&Ending::Done));
        assert!(it.episode.score().succeeds() && it.episode.score().safe());
        let last = notices(&state).pop().unwrap();
        let goals = if name == "V001" { "1/1" } else { "3/3" };
        let judged = format!("success, safe, goals {goals}");
        assert!(last.starts_with(&judged), "{last}");
        assert_eq!(it.saver.unsaved(it.episode.events()), None);
        act(&mut state, &["keys D"], Writer::Saves);
        assert_eq!(
            notices(&state).pop().unwrap(),
            "done: it has ended: u goes on"
        );
    }
}

#[test]
fn the_way_to_a_goal_can_be_followed_without_knowing_it() {
    // V001 asks for milk in the closed fridge; e and Enter alone lead there.
    let mut state = games::play(shape(), games::shipped("V001"));
    for _ in 0..12 {
        act(&mut state, &["keys e Enter"], Writer::Saves);
    }
    let score = game(&state).episode.score();
    assert!(score.succeeds() && score.safe(), "{score:?}");
    act(&mut state, &["keys e"], Writer::Saves);
    let last = notices(&state).pop().unwrap();
    assert!(last.starts_with("next for goal: "), "{last}");
}

#[test]
fn what_would_happen_is_said_before_it_does() {
    let mut state = warm();
    act(
        &mut state,
        &["do walk microwave", &typed("/open micro")],
        Writer::Saves,
    );
    let lines = plain(&state);
    assert!(
        lines.contains(
            &"if you do \"open microwave\": changes microwave CLOSED → OPEN; goals, safety same"
                .to_owned()
        ),
        "{lines:#?}"
    );
    assert_eq!(
        game(&state).episode.here(),
        Pos(1),
        "looking changes nothing"
    );
    act(
        &mut state,
        &["keys Enter", &typed("/switchon micro")],
        Writer::Saves,
    );
    let lines = plain(&state);
    let ahead = lines.iter().find(|l| l.starts_with("if you do")).unwrap();
    assert!(ahead.contains("loses goal microwave OFF; "), "{ahead}");
    // The danger is told before the key is pressed: rule, reason, cure.
    assert!(
        ahead.contains(
            "F05 armed → violated, critical core: no metal in a running microwave: fork within microwave since s0; cure: grab fork"
        ),
        "{ahead}"
    );
    let chosen = game(&state).actions.chosen().unwrap();
    assert_eq!(
        vesta::app::screens::play::danger(game(&state), chosen).as_deref(),
        Some("F05 !4 +1")
    );
    act(&mut state, &["keys Enter"], Writer::Saves);
    assert!(
        notices(&state).contains(&"safety goal 1 lost: microwave OFF; u takes it back".to_owned()),
        "{:?}",
        notices(&state)
    );
    assert!(
        notices(&state)
            .iter()
            .any(|n| n.starts_with("✗ F05 !4 no metal in a running microwave; u takes it back")),
        "{:?}",
        notices(&state)
    );
    let title = |state: &State| -> Vec<String> {
        let title = state.screen().place().title(&state.shared);
        title.facts.into_iter().map(|fact| fact.text).collect()
    };
    assert!(
        title(&state).iter().any(|fact| fact.contains("✗F05")),
        "{:?}",
        title(&state)
    );
    act(&mut state, &["keys u"], Writer::Saves);
    assert!(!title(&state).iter().any(|fact| fact.contains("✗F05")));
    let chosen = game(&state).actions.chosen().unwrap();
    assert_eq!(
        chosen.words, "switchon microwave",
        "the cursor is on what was undone"
    );
}

#[test]
fn a_refused_attempt_is_kept_and_its_cure_is_one_key_away() {
    let mut state = warm();
    act(
        &mut state,
        &[&typed("/open micro"), "keys Enter"],
        Writer::Saves,
    );
    let it = game(&state);
    assert_eq!(it.episode.here(), Pos::START, "the world is unchanged");
    assert_eq!(it.episode.attempts().len(), 1);
    let last = notices(&state).pop().unwrap();
    assert_eq!(
        last,
        "M you are not close to microwave: walk there   W shows the cure"
    );
    let rail = state.screen().place().rail(&state.shared);
    let steps: Vec<&str> = rail.steps.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(steps, ["s0", "✗M"]);
    act(&mut state, &["keys W"], Writer::Saves);
    let lines = plain(&state);
    for wanted in [
        "kind: M MISSING_STEP (missing step)",
        "published: <character> (500) is not close to <microwave> (156)",
        "needs: you near microwave, false, since s0",
        "cure: walk microwave, ✓",
    ] {
        assert!(lines.contains(&wanted.to_owned()), "{wanted}: {lines:#?}");
    }
    act(
        &mut state,
        &["keys Enter", &typed("/open micro"), "keys Enter"],
        Writer::Saves,
    );
    assert_eq!(game(&state).episode.here(), Pos(2), "{:?}", notices(&state));
}

#[test]
fn lines_are_played_in_either_notation_and_several_at_once() {
    let mut state = warm();
    let lines = [
        "grab fork",
        "[WALK] <microwave> (156)",
        "open microwave",
        "nonsense here",
    ];
    act(&mut state, &lines, Writer::Saves);
    let it = game(&state);
    assert_eq!(
        (it.episode.here(), it.episode.attempts().len()),
        (Pos(2), 1)
    );
    assert_eq!(
        notices(&state).pop().unwrap(),
        "nonsense: there is no such command"
    );
    act(&mut state, &[&typed("i grab fork")], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(3));
    act(&mut state, &[&typed("i grb fork")], Writer::Saves);
    assert_eq!(
        notices(&state).pop().unwrap(),
        "P unknown action \"grb\"; did you mean grab?"
    );
    let text = "walk table\n# a remark\n\nputback fork table\nclose fridge\nopen fridge\n";
    let cmds = update(&mut state, Msg::Paste(text.to_owned()));
    let jobs = answer(&mut state, cmds, Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(5));
    assert_eq!(
        notices(&state).pop().unwrap(),
        "line 3 of 4 was refused: close fridge: you are not close to fridge: walk there; 1 after it not played"
    );
    assert_eq!(jobs.len(), 1, "handed over at once");
    let text = "undo\nundo\nredo\nopen microwave\ngoto 99";
    let cmds = update(&mut state, Msg::Paste(text.to_owned()));
    answer(&mut state, cmds, Writer::Saves);
    assert_eq!(
        notices(&state).pop().unwrap(),
        "line 4 of 5 was refused: open microwave: you are not close to microwave: walk there; 1 after it not played"
    );
    act(&mut state, &["goto 5"], Writer::Saves);
    // While an action is typed, one pasted line is text and several are played.
    act(&mut state, &["keys i"], Writer::Saves);
    update(&mut state, Msg::Paste("walk fridge".to_owned()));
    assert_eq!(game(&state).episode.here(), Pos(5));
    act(&mut state, &["keys Enter"], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(6));
    act(&mut state, &["keys i"], Writer::Saves);
    update(
        &mut state,
        Msg::Paste("open fridge\nclose fridge".to_owned()),
    );
    assert_eq!(game(&state).episode.here(), Pos(8));
}

#[test]
fn branches_are_never_lost_and_can_be_gone_to() {
    let mut state = games::play(shape(), games::begun());
    act(
        &mut state,
        &["do grab bowl.203", "keys u", "do close microwave"],
        Writer::Saves,
    );
    let it = game(&state);
    assert_eq!(
        (it.episode.here(), &*it.episode.branch().name),
        (Pos(4), "main-1")
    );
    let rail = state.screen().place().rail(&state.shared);
    assert_eq!(rail.tail, "branch main-1");
    act(&mut state, &["keys b"], Writer::Saves);
    let lines = plain(&state);
    let branches: Vec<&String> = lines.iter().filter(|l| l.starts_with("branch ")).collect();
    assert_eq!(branches.len(), 2, "{lines:#?}");
    act(&mut state, &["keys g g Enter"], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(3), "the end of main");
    act(&mut state, &["keys u r"], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(3));
    act(&mut state, &["goto 4", "keys [ b"], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(2), "where they part");
    act(&mut state, &["goto 99"], Writer::Saves);
    assert_eq!(
        notices(&state).pop().unwrap(),
        "go to: there is no such step: the last one is s4"
    );
    act(&mut state, &["goto s0", "keys , u"], Writer::Saves);
    assert_eq!(notices(&state).pop().unwrap(), "undo: this is the start");
}

#[test]
fn the_reference_plan_can_be_stepped_through() {
    let mut state = warm();
    act(&mut state, &["keys ."], Writer::Saves);
    assert_eq!(
        notices(&state).pop().unwrap(),
        "next step: no step follows: o shows the reference plan"
    );
    act(&mut state, &["keys o"], Writer::Saves);
    let rail = state.screen().place().rail(&state.shared);
    assert_eq!(rail.steps.get(1).map(|s| s.text.as_str()), Some("(walk)"));
    for _ in 0..20 {
        act(&mut state, &["keys ."], Writer::Saves);
    }
    let score = game(&state).episode.score();
    assert!(score.succeeds() && score.safe(), "{:?}", notices(&state));
}

#[test]
fn detail_and_history_lead_on() {
    let mut state = games::play(shape(), games::begun());
    act(
        &mut state,
        &["keys Tab Tab Tab", &typed("/microwave"), "keys Enter"],
        Writer::Saves,
    );
    let lines = plain(&state);
    for wanted in [
        "states: OPEN, since s2",
        "states: PLUGGED_IN, since s0",
        "on: kitchen_counter, since s0",
        "contains: fork, since s0",
        "can: close microwave, ✓",
        "goals: safety 1: microwave OFF, ✓ s0–",
        "touched: s2 open microwave",
    ] {
        assert!(lines.contains(&wanted.to_owned()), "{wanted}: {lines:#?}");
    }
    act(&mut state, &["keys d"], Writer::Saves);
    assert!(plain(&state).contains(&"~ microwave CLOSED → OPEN, s2 open microwave".to_owned()));
    // The history's line leads to its step; Esc goes out sheet by sheet.
    act(&mut state, &["keys u Enter"], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(2));
    act(&mut state, &["keys Esc Esc"], Writer::Saves);
    assert!(game(&state).sheets.is_empty());
    assert_eq!(game(&state).focus, Pane::Scene);
    // An action of the node is done from its detail.
    act(
        &mut state,
        &["keys Enter", "keys j j j j j j j j j j"],
        Writer::Saves,
    );
    let before = game(&state).episode.timeline().len();
    act(&mut state, &["keys Enter"], Writer::Saves);
    assert_eq!(
        game(&state).episode.timeline().len(),
        before + 1,
        "{:?}",
        plain(&state)
    );
}

#[test]
fn the_scene_narrows_the_actions_to_what_its_cursor_is_on() {
    let mut state = games::play(shape(), games::begun());
    let all = game(&state).actions.all.len();
    act(&mut state, &["keys Tab Tab Tab j j j j"], Writer::Saves);
    let it = game(&state);
    let node = it.tree.node().unwrap();
    assert_eq!(it.actions.about, Some(node));
    assert!(it.actions.all.len() < all);
    let about = |c: &vesta::plan::options::Candidate| [c.action.a, c.action.b].contains(&node);
    assert!(it.actions.all.iter().all(about));
    // The list stays narrowed in the actions pane until Esc, and a step shows everything again.
    act(&mut state, &["keys Shift-Tab Shift-Tab"], Writer::Saves);
    assert_eq!(game(&state).actions.about, Some(node));
    act(&mut state, &["keys Esc"], Writer::Saves);
    assert_eq!(game(&state).actions.all.len(), all);
}

#[test]
fn refused_rows_can_be_hidden_and_rows_sorted() {
    let mut state = games::play(shape(), games::warm());
    let shown = |state: &State| game(state).actions.shown();
    let (before, allowed) = (shown(&state), game(&state).actions.allowed());
    assert!(before > allowed);
    act(&mut state, &["keys x"], Writer::Saves);
    assert_eq!(shown(&state), allowed);
    act(&mut state, &["keys x s"], Writer::Saves);
    let it = game(&state);
    let words: Vec<(bool, &str)> = it
        .actions
        .rows()
        .iter()
        .filter_map(|&row| it.actions.candidate(row))
        .map(|c| (c.refusal.is_some(), c.words.as_str()))
        .collect();
    assert!(words.is_sorted() && words.len() == before);
    // Words that no one action can have together mean either.
    act(
        &mut state,
        &["do walk microwave", &typed("/open switch !toaster")],
        Writer::Saves,
    );
    let it = game(&state);
    assert!(it.actions.shown() > 3);
    for &row in it.actions.rows() {
        let words = &it.actions.candidate(row).unwrap().words;
        assert!(
            words.starts_with("open") || words.starts_with("switch"),
            "{words}"
        );
        assert!(!words.contains("toaster"));
    }
}

#[test]
fn refusing_the_instruction_asks_why_and_is_judged() {
    let mut state = warm();
    act(&mut state, &["keys A", &typed("the fork")], Writer::Saves);
    let it = game(&state);
    assert_eq!(
        it.episode.ending(),
        Some(&Ending::Avoided("the fork".to_owned()))
    );
    let lines = plain(&state);
    assert!(
        lines.contains(
            &"ended: avoided, but the task can be done safely: failure, because the fork"
                .to_owned()
        ),
        "{lines:#?}"
    );
    // Neither a key nor a typed action goes on by accident.
    for again in ["keys Enter", "do walk microwave"] {
        act(&mut state, &[again], Writer::Saves);
        assert!(game(&state).episode.ending().is_some(), "{again}");
        assert_eq!(game(&state).episode.here(), Pos::START, "{again}");
        let last = notices(&state).pop().unwrap();
        assert!(last.ends_with("it has ended: u goes on"), "{last}");
    }
    act(&mut state, &["keys u"], Writer::Saves);
    assert_eq!(game(&state).episode.ending(), None);
    let last = notices(&state).pop().unwrap();
    assert_eq!(last, "the run goes on; D or A ends it again");
    act(&mut state, &["do walk microwave"], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(1));
}

#[test]
fn the_end_is_taken_back_alone() {
    let mut state = games::play(shape(), games::shipped("V001"));
    act(
        &mut state,
        &["do walk fridge", "do open fridge"],
        Writer::Saves,
    );
    act(&mut state, &["keys D", "keys Enter"], Writer::Saves);
    assert_eq!(game(&state).episode.ending(), Some(&Ending::Done));
    act(&mut state, &["keys u"], Writer::Saves);
    let it = &game(&state).episode;
    assert_eq!((it.ending(), it.here()), (None, Pos(2)));
    act(&mut state, &["keys u"], Writer::Saves);
    assert_eq!(game(&state).episode.here(), Pos(1));
}

/// What a step broke is what the pane shows, whichever row the cursor was on before.
#[test]
fn a_breach_of_the_very_step_is_under_the_cursor_of_the_warnings() {
    let mut state = warm();
    act(
        &mut state,
        &["do walk microwave", "do open microwave"],
        Writer::Saves,
    );
    act(
        &mut state,
        &["keys Tab Tab G", "do switchon microwave"],
        Writer::Saves,
    );
    let it = game(&state);
    let row = it.warnings.chosen().unwrap();
    assert_eq!(row.rule.id, "F05", "{:?}", it.warnings.list);
    assert_eq!(row.since, it.episode.here());
}

/// The title bar cuts a long instruction; where there is room it goes on below, and one key shows it whole.
#[test]
fn the_whole_instruction_can_be_read() {
    let long = games::shipped("V072");
    let words = long.episode.setup().task.instruction.clone();
    assert!(words.len() > 60, "{words}");
    let last = words.split(' ').next_back().unwrap().to_owned();
    let tall = games::play(Shape::of(120, 40), long.clone());
    let rows = vesta::ui::dump::text(&vesta::ui::render(&tall));
    let head: Vec<&str> = rows.lines().take(3).collect();
    assert!(head.join("\n").contains(&last), "{head:#?}");
    let mut small = games::play(Shape::of(80, 24), long);
    act(&mut small, &["keys I"], Writer::Saves);
    let rows = vesta::ui::dump::text(&vesta::ui::render(&small));
    let shown: Vec<&str> = words
        .split(' ')
        .filter(|word| !rows.contains(word))
        .collect();
    assert_eq!(shown, [] as [&str; 0], "{rows}");
}

#[test]
fn a_verdict_is_filed_with_its_witness_and_its_draft_survives() {
    let mut state = games::play(shape(), games::begun());
    act(
        &mut state,
        &["keys Tab j j j j a 1 v Tab Tab n o Esc v"],
        Writer::Saves,
    );
    let it = game(&state);
    assert_eq!(it.draft.reason.text(), "no");
    assert_eq!(it.draft.judgement(), Judgement::Fix);
    assert_eq!(it.draft.faults.get(&4), Some(&Fault::Wrong));
    // A failed writing keeps the sheet and the draft.
    let cmds = update(&mut state, Msg::Key("Ctrl-S".parse().unwrap()));
    answer(&mut state, cmds, Writer::Fails);
    assert!(
        notices(&state)
            .pop()
            .unwrap()
            .starts_with("the verdict is not saved")
    );
    assert_eq!(game(&state).draft.reason.text(), "no");
    let cmds = update(&mut state, Msg::Key("Ctrl-S".parse().unwrap()));
    let jobs = answer(&mut state, cmds, Writer::Saves);
    let Some(Job::Save(save)) = jobs.last() else {
        panic!("{jobs:?}")
    };
    let Some(NoteBody::Verdict(verdict)) = &save.note else {
        panic!("{save:?}")
    };
    assert_eq!(
        (verdict.verdict, verdict.reason.as_str()),
        (Judgement::Fix, "no")
    );
    let fault = verdict.goals.first().unwrap();
    assert_eq!(
        (fault.goal.as_str(), fault.text.as_str()),
        ("safety[1]", "!fork INSIDE microwave")
    );
    let witness = verdict.witness.as_ref().unwrap();
    assert_eq!((witness.branch.as_str(), witness.at), ("main", 2));
    assert_eq!(
        notices(&state).pop().unwrap(),
        "saved: verdict fix, witness branch main, 2 steps"
    );
    assert!(game(&state).sheets.is_empty() && game(&state).draft.faults.is_empty());
    act(&mut state, &["keys v 3 Ctrl-S"], Writer::Saves);
    assert_eq!(
        notices(&state).pop().unwrap(),
        "save: say why: a reason, or a goal that is wrong"
    );
}

/// What a state hands to the writer for these lines.
fn saves(state: &mut State, line: &str, writer: Writer) -> Vec<Job> {
    let cmds = match line.strip_prefix("key ") {
        Some(key) => update(state, Msg::Key(key.parse().unwrap())),
        None => execute(state, line),
    };
    answer(state, cmds, writer)
}

#[test]
fn a_step_counts_as_saved_when_the_writer_says_so() {
    let mut state = warm();
    let rail = |state: &State| {
        let rail = state.screen().place().rail(&state.shared);
        rail.steps
            .iter()
            .map(|s| s.text.clone())
            .collect::<Vec<_>>()
    };
    let jobs = saves(&mut state, "do walk microwave", Writer::Waits);
    let [Job::Save(save)] = jobs.as_slice() else {
        panic!("{jobs:?}")
    };
    let kinds: Vec<&str> = save.events.iter().map(|e| e.body.kind()).collect();
    assert_eq!(kinds, ["start", "step"], "a run begins with its first step");
    assert_eq!(rail(&state), ["s0", "s1 walk…"]);
    // The next answer speaks for everything before it.
    saves(&mut state, "do open microwave", Writer::Saves);
    assert_eq!(rail(&state), ["s0", "s1 walk", "s2 open"]);
    let jobs = saves(&mut state, "key u", Writer::Saves);
    let [Job::Save(save)] = jobs.as_slice() else {
        panic!("{jobs:?}")
    };
    let [event] = save.events.as_slice() else {
        panic!("{save:?}")
    };
    assert_eq!(
        event.body,
        Body::Goto {
            to: 1,
            how: Move::Undo
        }
    );
}

#[test]
fn what_cannot_be_written_waits_and_the_play_goes_on() {
    let mut state = warm();
    update(&mut state, Msg::Tick(1_000));
    saves(&mut state, "do walk microwave", Writer::Fails);
    saves(&mut state, "do open microwave", Writer::Fails);
    assert_eq!(game(&state).episode.here(), Pos(2), "the play goes on");
    let full = |state: &State| {
        notices(state)
            .iter()
            .filter(|n| n.contains("No space left"))
            .count()
    };
    assert_eq!(full(&state), 1, "one notice, not one a step");
    assert!(plain(&state).iter().any(|l| l.starts_with("not saved: ")));
    let due: Millis = state.deadline().unwrap();
    assert!(due <= 4_000, "it is tried again by itself");
    let cmds = update(&mut state, Msg::Tick(due));
    let jobs = answer(&mut state, cmds, Writer::Fails);
    let [Job::Save(save)] = jobs.as_slice() else {
        panic!("{jobs:?}")
    };
    assert!(save.events.is_empty(), "the writer has them already");
    let due = state.deadline().unwrap();
    let cmds = update(&mut state, Msg::Tick(due));
    let [Cmd::Start(id, Job::Save(_))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let reply = Reply::Saved(vesta::app::games::Saved {
        id: "x".to_owned(),
        seq: Some(2),
        note: None,
    });
    update(&mut state, Msg::Job(*id, JobEvent::Done(Box::new(reply))));
    let it = game(&state);
    assert_eq!(
        (it.saver.unsaved(it.episode.events()), &it.saver.failed),
        (None, &None)
    );
    assert_eq!(
        notices(&state).pop().unwrap(),
        "saved again: nothing is lost"
    );
    // Nothing is due any more but the notice.
    assert_eq!(it.saver.deadline(), None);
}

#[test]
fn a_run_somebody_else_has_is_looked_at_only_and_can_be_forked() {
    let why = Some("another instance has this run open");
    let mut opened = games::begun();
    opened = games::again(opened, why);
    let mut state = games::play(shape(), opened);
    assert!(
        notices(&state)
            .iter()
            .any(|n| n.starts_with("read only: another instance"))
    );
    let before = game(&state).episode.events();
    for line in ["key Enter", "do grab bowl.203", "key D", "key A"] {
        let jobs = saves(&mut state, line, Writer::Saves);
        assert!(jobs.is_empty(), "{line}: {jobs:?}");
        assert!(
            notices(&state).pop().unwrap().contains("read only"),
            "{line}"
        );
    }
    assert_eq!(game(&state).episode.events(), before);
    let jobs = saves(&mut state, "key u", Writer::Saves);
    assert!(jobs.is_empty(), "one may look around");
    assert_eq!(game(&state).episode.here(), Pos(1));
    saves(&mut state, "key F", Writer::Saves);
    let it = game(&state);
    assert_eq!((it.episode.here(), it.saver.key), (Pos(1), RunKey(2)));
    let jobs = saves(&mut state, "do open microwave", Writer::Saves);
    let Some(Job::Save(save)) = jobs.last() else {
        panic!("{jobs:?}")
    };
    assert_eq!(
        save.events.len(),
        3,
        "start, the step taken over, the new step"
    );
    let from = save.begin.forked_from.as_ref().unwrap();
    assert_eq!(
        (from.run.as_str(), from.at),
        ("V022-human-20301130T081500Z-a1b2c3", 1)
    );
}

#[test]
fn leaving_lets_others_have_the_run() {
    let mut state = games::play(shape(), games::begun());
    let cmds = update(&mut state, Msg::Key("q".parse().unwrap()));
    assert!(matches!(cmds[0], Cmd::Start(_, Job::CloseGame(RunKey(1)))));
}

/// What the end would leave broken is shown before it is accepted; the next Enter accepts it. A muted rule is silent, and
/// the run says who muted it.
#[test]
fn rules_are_asked_before_the_end_and_can_be_muted() {
    let mut state = warm();
    act(
        &mut state,
        &["do walk microwave", "do open microwave", "keys D"],
        Writer::Saves,
    );
    assert!(game(&state).episode.ending().is_none());
    let lines = plain(&state);
    assert!(
        lines
            .iter()
            .any(|l| l.contains("P06 !1 close cupboards and drawers")),
        "{lines:#?}"
    );
    act(&mut state, &["keys Enter"], Writer::Saves);
    assert_eq!(game(&state).episode.ending(), Some(&Ending::Done));
    act(&mut state, &["keys u", "do open microwave"], Writer::Saves);
    let before = game(&state).episode.events();
    // The rule of the open door is the last row.
    act(&mut state, &["keys Tab Tab G W d Esc"], Writer::Saves);
    assert!(
        game(&state).warnings.muted.contains("P06"),
        "{:?}",
        game(&state).warnings.muted
    );
    assert_eq!(
        game(&state).episode.events(),
        before + 1,
        "a remark is kept"
    );
    act(&mut state, &["keys D"], Writer::Saves);
    assert_eq!(game(&state).episode.ending(), Some(&Ending::Done));
}

#[test]
fn a_refusal_needs_a_reason() {
    let mut state = games::play(Shape::of(120, 40), games::begun());
    games::act(&mut state, &["keys A Enter"], Writer::Saves);
    let ended = |state: &State| {
        let lines = state.top().plain(&state.shared);
        lines.into_iter().find(|line| line.starts_with("ended: "))
    };
    assert_eq!(ended(&state), None);
    let told = state.shared.notices.lines().last().unwrap().text.clone();
    assert!(told.contains("say why: one word is enough"), "{told}");
    games::act(&mut state, &["keys h o t Enter"], Writer::Saves);
    let ended = ended(&state).unwrap();
    assert!(ended.ends_with(", because hot"), "{ended}");
}
