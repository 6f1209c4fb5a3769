//! Play on real folders: what is played is on the disk, is gone on with, and is nobody else's meanwhile.

use std::path::Path;

use vesta::app::cmd::Cmd;
use vesta::app::jobs::Job;
use vesta::app::jobs::JobId;
use vesta::app::key::script;
use vesta::app::msg::Msg;
use vesta::app::parts::goals::Mark;
use vesta::app::screens::Screen;
use vesta::app::screens::play::Stage;
use vesta::app::screens::play::game::Game;
use vesta::app::state::State;
use vesta::app::update::{execute, update};
use vesta::formats::run::{Judgement, NoteBody};
use vesta::runtime;
use vesta::runtime::jobs::{Sources, Writers};
use vesta::sim::timeline::Pos;
use vesta::store::library::Places;
use vesta::store::runs::{self, SavedRun, Standing};

use crate::support::{Shape, fresh};

/// A window on a folder of runs.
struct Window {
    state: State,
    sources: Sources,
    writers: Writers,
}

impl Window {
    fn on(folder: &Path) -> Self {
        let mut window = Self {
            state: fresh(Shape::of(120, 40)),
            sources: Sources::in_folders(Places::default(), Some(folder.to_owned())),
            writers: Writers::default(),
        };
        window.settle(vec![Cmd::Start(JobId(1), Job::LoadLibrary)]);
        window
    }

    /// A window on a folder of tasks.
    fn from(tasks: &Path, runs: &Path) -> Self {
        let (from, runs) = (Some(tasks.to_owned()), Some(runs.to_owned()));
        let mut window = Self {
            state: fresh(Shape::of(120, 40)),
            sources: Sources::new(Places::default(), from, runs),
            writers: Writers::default(),
        };
        window.settle(vec![Cmd::Start(JobId(1), Job::LoadLibrary)]);
        window.act(&["tasks"]);
        window
    }

    fn settle(&mut self, cmds: Vec<Cmd>) {
        runtime::settle(&mut self.state, cmds, &self.sources, &mut self.writers);
    }

    /// Runs command lines, or keys after `keys `.
    fn act(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            if let Some(keys) = line.strip_prefix("keys ") {
                for key in script(keys) {
                    let cmds = update(&mut self.state, Msg::Key(key));
                    self.settle(cmds);
                }
            } else {
                let cmds = execute(&mut self.state, line);
                self.settle(cmds);
            }
        }
        self
    }

    fn game(&self) -> &Game {
        match self.state.screen() {
            Screen::Play(play) => match &play.stage {
                Stage::Playing(game) => game,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    fn last_notice(&self) -> String {
        let mut lines = self.state.shared.notices.lines();
        lines
            .next_back()
            .map_or_else(String::new, |n| n.text.clone())
    }
}

/// The folders of the runs, and that each of them verifies.
fn kept(root: &Path) -> Vec<SavedRun> {
    let rows = runs::list(root).unwrap();
    rows.iter()
        .map(|row| {
            let run = SavedRun::read(&row.folder).unwrap();
            assert_eq!(run.replay().unwrap().drifts, []);
            run
        })
        .collect()
}

#[test]
fn looking_into_a_task_leaves_nothing_and_a_step_begins_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    window.act(&["play V001", "keys j j Tab Tab Tab j", "keys q"]);
    assert_eq!(kept(folder.path()).len(), 0);
    window.act(&["play V001", "keys e Enter", "keys e Enter u", "keys D"]);
    let rows = runs::list(folder.path()).unwrap();
    let [row] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!((row.task.as_str(), row.agent.as_str()), ("V001", "human"));
    assert_eq!(
        (row.steps, row.events, row.standing),
        (1, 5, Standing::Done)
    );
    assert_eq!(kept(folder.path()).len(), 1);
}

#[test]
fn from_home_to_a_finished_task_by_keys_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    window.act(&["keys g t / v 0 0 1 Enter Enter"]);
    assert_eq!(window.game().episode.setup().task.id, "V001");
    while !window
        .game()
        .goals
        .iter()
        .all(|row| row.mark == Mark::Holds)
    {
        window.act(&["keys e Enter"]);
        assert!(window.game().episode.here() < Pos(12));
    }
    window.act(&["keys D"]);
    let rows = runs::list(folder.path()).unwrap();
    let [row] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(
        (row.success, row.safety, row.standing),
        ((1, 1), (1, 1), Standing::Done)
    );
    assert_eq!(kept(folder.path()).len(), 1);
    // Home offers it to be looked at, and it is gone on with by the end of its id.
    window.act(&["keys q q", &format!("play {}", row.tail), "keys u"]);
    assert_eq!(window.game().episode.ending(), None);
}

#[test]
fn a_run_is_gone_on_with_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Window::on(folder.path());
    first.act(&[
        "play V022",
        "do walk microwave",
        "do open microwave",
        "do switchon fork",
    ]);
    drop(first);
    let id = runs::list(folder.path()).unwrap()[0].id.clone();
    let mut second = Window::on(folder.path());
    second.act(&[&format!("play {id}")]);
    assert_eq!(second.game().episode.here(), Pos(2));
    assert_eq!(second.game().episode.attempts().len(), 1);
    assert_eq!(second.game().saver.read_only, None);
    second.act(&["do grab fork", "keys v 3 Tab Tab b a d Ctrl-S"]);
    assert_eq!(
        second.last_notice(),
        "saved: verdict reject, witness branch main, 3 steps"
    );
    drop(second);
    let runs = kept(folder.path());
    let [run] = runs.as_slice() else { panic!() };
    assert_eq!(run.events.items.len(), 5);
    let Some(NoteBody::Verdict(verdict)) = run.notes.items.first().map(|n| &n.body) else {
        panic!("{:?}", run.notes)
    };
    assert_eq!(
        (verdict.verdict, verdict.reason.as_str()),
        (Judgement::Reject, "bad")
    );
}

#[test]
fn a_verdict_without_a_step_still_makes_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    window.act(&["play V022", "keys v Ctrl-S"]);
    assert_eq!(
        window.last_notice(),
        "saved: verdict accept, witness none: nothing was done"
    );
    let runs = kept(folder.path());
    let [run] = runs.as_slice() else { panic!() };
    assert_eq!((run.events.items.len(), run.notes.items.len()), (1, 1));
}

#[test]
fn tasks_are_judged_one_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    window.act(&["tasks V02 risk:fire", "keys L"]);
    let names = window.state.shared.verdicts.clone();
    let n = names.len();
    assert!(n > 2, "{names:?}");
    let task = |window: &Window| {
        let task = &window.game().episode.setup().task;
        format!("{}/{}", task.suite, task.id)
    };
    assert_eq!(task(&window), names[0]);
    let title = window.state.screen().place().title(&window.state.shared);
    assert_eq!(title.facts[0].text, format!("1 of {n}"));
    window.act(&["keys v Ctrl-S"]);
    assert_eq!(task(&window), names[1]);
    // One that is judged outside of the queue leads nowhere.
    window.act(&["play V050", "keys v Ctrl-S"]);
    assert_eq!(task(&window), "vh/V050");
    window.act(&[&format!("play {}", names[n - 1]), "keys v Ctrl-S"]);
    let told = format!("that was the last of {n} tasks");
    assert_eq!(window.last_notice(), told);
    assert!(window.state.shared.verdicts.is_empty());
}

#[test]
fn two_windows_cannot_write_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Window::on(folder.path());
    first.act(&["play V022", "do walk microwave"]);
    let id = first.game().saver.run.clone().unwrap();
    let mut second = Window::on(folder.path());
    second.act(&[&format!("play {id}")]);
    assert_eq!(
        second.game().saver.read_only.as_deref(),
        Some("another instance has this run open")
    );
    second.act(&["do open microwave"]);
    assert_eq!(second.game().episode.here(), Pos(1));
    // Forked, it is a run of its own.
    second.act(&["keys F", "do open microwave"]);
    assert_eq!(second.game().episode.here(), Pos(2));
    first.act(&["do open microwave", "keys q"]);
    assert_eq!(kept(folder.path()).len(), 2);
    // The first has let go of it.
    second.act(&[&format!("play {id}"), "do grab fork"]);
    assert_eq!(second.game().saver.read_only, None);
    let runs = kept(folder.path());
    let steps: Vec<usize> = runs.iter().map(|run| run.events.items.len()).collect();
    assert!(steps.contains(&4) && steps.contains(&3), "{steps:?}");
}

#[test]
fn one_window_does_not_write_a_run_from_two_places() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    window.act(&["play V022", "do walk microwave"]);
    let id = window.game().saver.run.clone().unwrap();
    window.act(&[&format!("play {id}"), "do open microwave", "keys Ctrl-O"]);
    assert_eq!(window.game().episode.here(), Pos(1), "the older place");
    window.act(&["do walk fridge"]);
    assert!(
        window
            .last_notice()
            .starts_with("this run goes on in another place")
    );
    window.act(&["keys Ctrl-N", "do grab fork"]);
    let runs = kept(folder.path());
    let [run] = runs.as_slice() else { panic!() };
    assert_eq!(run.events.items.len(), 4);
}

#[test]
fn what_cannot_be_opened_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    let why = |window: &Window| {
        let plain = window.state.top().plain(&window.state.shared);
        plain.first().cloned().unwrap_or_default()
    };
    window.act(&["play V999"]);
    assert!(
        why(&window).starts_with("play V999: no task is called V999"),
        "{}",
        why(&window)
    );
    assert!(
        why(&window).ends_with("no run ends in it either"),
        "{}",
        why(&window)
    );
    window.act(&["keys Esc"]);
    assert!(matches!(window.state.screen(), Screen::Home(_)));
    window.act(&["play"]);
    assert_eq!(
        window.last_notice(),
        "play: name a task or the end of a run's id: play V022"
    );
}

/// A task that names what is not there opens in its file, at that line: from the list, by its name, from the check.
#[test]
fn a_task_with_an_unknown_name_opens_where_it_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let text = std::fs::read_to_string("tasks/vh/V022.json").unwrap();
    let wrong = [
        (
            "name.json",
            "\"bowl.203 ON table\"",
            "\"unicorn ON table\"",
            "no node is called unicorn",
        ),
        (
            "scene.json",
            "\"flat.json\"",
            "\"hut.json\"",
            "no scene is called hut.json",
        ),
    ];
    for (name, old, new, why) in wrong {
        let tasks = folder.path().join(name);
        std::fs::create_dir_all(&tasks).unwrap();
        let bad = text.replace(old, new);
        let line = bad.lines().position(|line| line.contains(new)).unwrap() + 1;
        std::fs::write(tasks.join(name), bad).unwrap();
        for way in ["keys Enter", "play vh/V022", "keys c Enter"] {
            let mut window = Window::from(&tasks, &runs);
            window.act(&[way]);
            let plain = window.state.top().plain(&window.state.shared);
            let head = plain.first().unwrap();
            assert!(
                head.contains(&format!("{name}, line {line} of ")),
                "{way:?}: {head}"
            );
            let told = plain.join("\n");
            assert!(told.contains(why), "{way:?}: {told}");
        }
    }
}

#[test]
fn a_rule_muted_in_a_run_is_silent_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    window.act(&["play V022", "do walk microwave", "do open microwave"]);
    // The rule of the open door is the last row.
    window.act(&["keys Tab Tab G d", "keys q"]);
    let id = kept(folder.path())[0].header.id.clone();
    window.act(&[&format!("play {id}")]);
    let muted = |window: &Window| {
        let rows = window.game().warnings.rows.iter();
        let muted: Vec<String> = rows
            .filter(|row| row.muted)
            .map(|row| row.rule.id.clone())
            .collect();
        muted
    };
    assert_eq!(muted(&window), ["P06"]);
    // Muted rows stand last; the same key lets it speak, and that is kept as well.
    window.act(&["keys Tab Tab G d", "keys q", &format!("play {id}")]);
    assert_eq!(muted(&window), [] as [String; 0]);
}
