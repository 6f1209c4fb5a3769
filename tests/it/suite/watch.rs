//! Watching runs: by keys with made-up news, and on a real terminal with a runner of its own.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vesta::agent::session::Control;
use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent};
use vesta::app::live::Status;
use vesta::app::msg::Msg;
use vesta::app::screens::Screen;
use vesta::app::screens::attach::Attach;
use vesta::app::screens::watch::{Line, Watch};
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::runtime::jobs::watch::Wall;
use vesta::store::runs::SavedRun;
use vesta::store::runs::live::is_running;
use vesta::task::episode::{Body, Remark};

use crate::support::pty::Terminal;
use crate::support::watched;
use crate::support::{Shape, library, with};

fn wall(state: &State) -> &Watch {
    let Screen::Watch(watch) = state.screen() else {
        panic!("not the wall")
    };
    watch
}

fn attach(state: &State) -> &Attach {
    let Screen::Attach(attach) = state.screen() else {
        panic!("not attached")
    };
    attach
}

/// The tails of the runs shown, in their order.
fn order(state: &State) -> Vec<String> {
    let tail = |line: &Line| match line {
        Line::Run(id) => id.rsplit('-').next().unwrap().to_owned(),
        Line::Ended(n) => format!("{n} ended"),
    };
    wall(state).lines().iter().map(tail).collect()
}

/// The controls that these commands send.
fn sent(cmds: Vec<Cmd>) -> Vec<(PathBuf, Control)> {
    let steers = cmds.into_iter().filter_map(|cmd| match cmd {
        Cmd::Start(_, Job::Steer(folder, control)) => Some((folder, control)),
        _ => None,
    });
    steers.collect()
}

#[test]
fn danger_floats_up_once_and_nothing_else_moves() {
    let shape = Shape::of(120, 40);
    let mut state = with(shape, library());
    let cmds = execute(&mut state, "watch");
    let [Cmd::Start(id, _)] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    watched::wall_news(&mut state, *id, watched::rows());
    let first = ["7f3a", "44dd", "66ff", "33cc"];
    assert_eq!(order(&state)[..4], first);
    assert_eq!(
        order(&state).last().unwrap(),
        "77ab",
        "what has ended is last"
    );
    // The cursor stays on its run when another one becomes held.
    drive(&mut state, "j j");
    assert_eq!(wall(&state).chosen().unwrap().row.task, "V003");
    let mut held = watched::rows().remove(1);
    held.status = Status::Held;
    watched::wall_news(&mut state, *id, vec![held.clone()]);
    assert_eq!(order(&state)[..4], ["11aa", "7f3a", "44dd", "66ff"]);
    assert_eq!(wall(&state).chosen().unwrap().row.task, "V003");
    // Being heard of again moves nothing, nor does going on.
    held.step = 13;
    watched::wall_news(
        &mut state,
        *id,
        vec![watched::rows().remove(0), held.clone()],
    );
    held.status = Status::Live;
    watched::wall_news(&mut state, *id, vec![held]);
    assert_eq!(order(&state)[..4], ["11aa", "7f3a", "44dd", "66ff"]);
    drive(&mut state, "s");
    assert!(order(&state).windows(2).take(6).all(|w| w[0] != w[1]));
    let tasks = |state: &State| -> Vec<String> {
        let lines = wall(state).lines().iter();
        let seen = lines.map(|line| wall(state).seen(&line.name()).unwrap());
        seen.map(|seen| seen.row.task.clone()).collect()
    };
    assert_eq!(
        tasks(&state),
        [
            "V003", "V016", "V022", "V026", "V044", "V059", "V097", "V010"
        ]
    );
}

#[test]
fn hundreds_that_have_ended_are_folded() {
    let mut state = watched::wall(Shape::of(80, 24), watched::many(), "");
    assert_eq!(order(&state).len(), 8);
    assert_eq!(order(&state).last().unwrap(), "301 ended");
    drive(&mut state, "G Enter");
    assert_eq!(order(&state).len(), 308);
    drive(&mut state, "z / a g e n t : q w e n Enter");
    assert_eq!(order(&state), ["44dd", "55ee"]);
}

#[test]
fn keys_of_the_wall_go_to_the_run_of_the_row() {
    let mut state = watched::wall(Shape::of(120, 40), watched::rows(), "x");
    let folder = PathBuf::from("saved_runs/V022-7f3a");
    let steer = sent(drive(&mut state, "Space n o Enter"));
    assert_eq!(
        steer,
        [(folder.clone(), Control::Veto("F05 !4 no".to_owned()))]
    );
    assert_eq!(sent(drive(&mut state, "p")), [(folder, Control::Pass)]);
    let hold = sent(execute(&mut state, "hold core !4 block"));
    assert!(
        matches!(hold.as_slice(), [(_, Control::Hold(_))]),
        "{hold:?}"
    );
    assert_eq!(sent(execute(&mut state, "hold core")), []);
    // Nothing waits on a run that goes on.
    drive(&mut state, "G k");
    assert_eq!(sent(drive(&mut state, "x p")), []);
    assert_eq!(sent(drive(&mut state, "Space"))[0].1, Control::Pause);
    // A run is ended only with a word.
    assert_eq!(sent(drive(&mut state, "K")), []);
    assert_eq!(
        sent(drive(&mut state, "Enter"))[0].1,
        Control::End(String::new())
    );
    drive(&mut state, "g g Enter");
    assert_eq!(attach(&state).asked, "saved_runs/V022-7f3a");
}

#[test]
fn the_bell_rings_for_what_needs_somebody() {
    let mut state = with(Shape::of(120, 40), library());
    let cmds = execute(&mut state, "watch");
    let [Cmd::Start(id, _)] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let rows = watched::rows();
    let mut live = rows[1].clone();
    watched::wall_news(&mut state, *id, rows);
    drive(&mut state, "N");
    let mut ring = |status: Status| {
        live.status = status;
        watched::wall_news(&mut state, *id, vec![live.clone()])
    };
    assert_eq!(ring(Status::Live), []);
    assert_eq!(ring(Status::Held), [Cmd::Bell]);
    assert_eq!(ring(Status::Held), []);
    assert_eq!(ring(Status::Ended), [Cmd::Bell]);
}

#[test]
fn a_held_act_is_told_before_it_is_done_and_vetoed_with_its_rule() {
    let mut state = watched::attach(Shape::of(120, 40), watched::held(), "");
    let run = attach(&state).watched().unwrap();
    assert_eq!(run.status(), Status::Held);
    assert_eq!(run.pending().unwrap(), "switchon microwave");
    let (_, ahead) = run.ahead.as_ref().unwrap();
    let breach = &ahead.told()[0];
    assert_eq!((breach.id.as_str(), breach.severity), ("F05", 4));
    assert_eq!(run.until, Some(22_000));
    drive(&mut state, "x");
    let steer = sent(drive(&mut state, "Enter"));
    let [(folder, Control::Veto(reason))] = steer.as_slice() else {
        panic!("{steer:?}")
    };
    assert_eq!(folder, Path::new("saved_runs/V022-7f3a"));
    assert!(
        reason.starts_with("F05: no metal in a running microwave: fork "),
        "{reason}"
    );
    assert!(reason.contains("; cure: "), "{reason}");
    // The runner refuses: the sentence is told.
    let cmds = drive(&mut state, "p");
    let Some(Cmd::Start(id, Job::Steer(..))) = cmds.last() else {
        panic!("{cmds:?}")
    };
    update(
        &mut state,
        Msg::Job(*id, JobEvent::Failed("nobody is playing".to_owned())),
    );
    assert!(
        state
            .shared
            .notices
            .lines()
            .any(|n| n.text == "nobody is playing")
    );
}

#[test]
fn looking_back_leaves_the_run_alone() {
    let told = watched::held();
    let (mut state, id) = watched::attached(Shape::of(120, 40), &told);
    drive(&mut state, ", , ,");
    let run = attach(&state).watched().unwrap();
    assert_eq!(run.shown().here().0, 4);
    assert_eq!(run.badge(), "»LIVE +0");
    watched::hear(&mut state, id, &told);
    let run = attach(&state).watched().unwrap();
    assert_eq!(
        (run.badge().as_str(), run.shown().here().0),
        ("‖HELD +1", 4)
    );
    drive(&mut state, ".");
    assert_eq!(attach(&state).watched().unwrap().shown().here().0, 5);
    drive(&mut state, "G");
    let run = attach(&state).watched().unwrap();
    assert!(run.past.is_none() && run.follows);
    assert_eq!(run.badge(), "‖HELD");
}

#[test]
fn whoever_took_over_acts_by_line_and_by_list() {
    let mut state = watched::attach(Shape::of(120, 40), watched::streaming(), "");
    assert_eq!(sent(execute(&mut state, "grab fork")), [], "the agent acts");
    assert_eq!(sent(drive(&mut state, "T"))[0].1, Control::TakeOver);
    let mut state = watched::attach(Shape::of(120, 40), watched::by_hand(), "");
    let run = attach(&state).watched().unwrap();
    assert_eq!(
        (run.status(), run.choices.is_empty()),
        (Status::Hand, false)
    );
    let act = |text: &str| Control::Act(text.to_owned());
    assert_eq!(
        sent(execute(&mut state, "grab fork"))[0].1,
        act("grab fork")
    );
    assert_eq!(sent(execute(&mut state, "Done"))[0].1, act("Done"));
    drive(&mut state, "a");
    assert_eq!(sent(drive(&mut state, "[ A v o i d ] Enter")), [], "why?");
    assert_eq!(
        sent(drive(&mut state, "Space h o t Enter"))[0].1,
        act("[Avoid] hot")
    );
    assert_eq!(sent(execute(&mut state, "[Avoid]")), [], "why?");
    drive(&mut state, "Esc Tab");
    let by_list = sent(drive(&mut state, "Enter"));
    assert!(matches!(by_list.as_slice(), [(_, Control::Act(line))] if line.starts_with('[')));
    assert_eq!(sent(drive(&mut state, "T"))[0].1, Control::HandBack);
}

#[test]
fn a_stream_is_shown_until_its_reply_is_recorded() {
    let (mut state, id) = watched::attached(Shape::of(120, 40), &watched::begun());
    watched::hear(&mut state, id, &watched::streaming());
    let run = attach(&state).watched().unwrap();
    assert!(run.tracker.stream().ends_with("and the micro"));
    let rows = run.turns.len();
    let mut told = watched::begun();
    let said = vesta::task::episode::Said::by(Remark::Message, "agent", "Right.");
    told.later = vec![told.episode.say(said)];
    watched::hear(&mut state, id, &told);
    let run = attach(&state).watched().unwrap();
    assert_eq!((run.tracker.stream(), run.turns.len()), ("", rows + 1));
    assert_eq!(run.turns.last().unwrap().text, "“Right.”");
}

#[test]
fn leaving_lets_the_followers_go() {
    let mut state = watched::attach(Shape::of(120, 40), watched::held(), "");
    let cmds = drive(&mut state, "q");
    assert!(
        cmds.iter().any(|cmd| matches!(cmd, Cmd::Cancel(_))),
        "{cmds:?}"
    );
}

/// Waits for something to be so.
#[expect(clippy::disallowed_methods, reason = "tests wait for other processes")]
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(
            start.elapsed() < Duration::from_mins(1),
            "{what} did not come"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn only_run(root: &Path) -> PathBuf {
    let mut folders = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path());
    folders.find(|f| f.is_dir()).unwrap()
}

/// The careless plan of V022, as a script.
fn careless(folder: &Path) -> PathBuf {
    let task = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tasks/vh/V022.json")).unwrap();
    let task: serde_json::Value = serde_json::from_slice(&task).unwrap();
    let lines = task["naive"].as_array().unwrap().iter();
    let lines: Vec<&str> = lines.map(|line| line.as_str().unwrap()).collect();
    let script = folder.join("careless.txt");
    std::fs::write(&script, lines.join("\n") + "\nDone\n").unwrap();
    script
}

#[test]
fn a_run_of_its_own_is_held_vetoed_and_outlives_its_viewer() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("runs");
    let script = format!("script:{}", careless(folder.path()).display());
    let runs = root.display().to_string();
    let args = [
        "run",
        "V022",
        "--agent",
        &script,
        "--hold",
        "core !3 ask 60 veto",
        "--pace",
        "50",
        "--runs",
        &runs,
    ];
    let mut terminal = Terminal::vesta(&args, (120, 40));
    terminal.wait("the held act", |seen| {
        seen.has("F05 !4 core") && seen.has("→ switchon microwave") && seen.has("to veto")
    });
    let run = only_run(&root);
    let steps = |run: &Path| {
        let events = SavedRun::read(run).unwrap().events.items;
        let switched = |e: &&vesta::task::episode::Event| matches!(&e.body, Body::Step { action, .. } if action.contains("SWITCHON"));
        events.iter().filter(switched).count()
    };
    assert_eq!(steps(&run), 0, "it is told before it is done");
    terminal.keys("x");
    terminal.wait("the reason", |seen| {
        seen.has("Veto, reason to the agent") && seen.has("F05: ")
    });
    terminal.keys("\r");
    // The careless plan goes on; the viewer leaves before it has ended.
    terminal.wait("the veto", |seen| seen.has("vetoed by you: F05"));
    terminal.keys("q");
    terminal.wait("Home", |seen| seen.has("Tasks"));
    terminal.keys("q");
    assert_eq!(terminal.end().exit_code(), 0);
    until("the end of the run", || !is_running(&run));
    assert_eq!(steps(&run), 0);
    let events = SavedRun::read(&run).unwrap().events.items;
    let veto = events.iter().find_map(|e| match &e.body {
        Body::Remark(said) => match Control::of(said) {
            Some((Control::Veto(reason), by)) => Some((reason, by.to_owned())),
            _ => None,
        },
        _ => None,
    });
    let (reason, by) = veto.unwrap();
    assert!(
        by == "person" && reason.starts_with("F05: no metal"),
        "{by} {reason}"
    );
    assert!(matches!(events.last().unwrap().body, Body::Done { .. }));
    // The wall tells of it as of one that has ended.
    let mut wall = Wall::open(Some(&root), "").unwrap();
    let rows = wall.look_whole().rows;
    assert_eq!(
        (rows.len(), rows[0].status, rows[0].task.as_str()),
        (1, Status::Ended, "V022")
    );
    assert_eq!(wall.look().rows, []);
}

#[test]
fn what_is_watched_is_followed_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("runs");
    let script = format!("script:{}", careless(folder.path()).display());
    let mut runner = std::process::Command::new(env!("CARGO_BIN_EXE_vesta"))
        .args([
            "run",
            "V022",
            "--json",
            "--pace",
            "30",
            "--hold",
            "core !4 ask 50 pass",
            "--agent",
            &script,
            "--runs",
        ])
        .arg(&root)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut wall = Wall::open(Some(&root), "").unwrap();
    let mut seen = Vec::new();
    until("the held act", || {
        seen.extend(wall.look().rows);
        seen.last().is_some_and(|row| row.status == Status::Held)
    });
    let row = seen.last().unwrap().clone();
    assert_eq!(
        (row.act.as_str(), row.ahead, row.step),
        ("switchon microwave", true, 7)
    );
    assert_eq!(row.worst.unwrap().rule, "F05");
    assert_eq!(row.hold, "core !4 ask 50 pass");
    let vesta = |args: &[&str]| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_vesta"))
            .args(args)
            .arg("--runs")
            .arg(&root)
            .output()
            .unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap())
    };
    let (code, text) = vesta(&["watch", "--json"]);
    let value: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(
        (code, &value["status"], &value["worst"]["rule"]),
        (Some(0), &"held".into(), &"F05".into())
    );
    assert_eq!(vesta(&["steer", &row.id, "pass"]).0, Some(0));
    assert!(runner.wait().unwrap().code().is_some());
    until("the end", || {
        seen.extend(wall.look().rows);
        seen.last().is_some_and(|row| row.status == Status::Ended)
    });
    let last = seen.last().unwrap();
    assert!(last.act.contains("unsafe"), "{last:?}");
    assert_eq!(
        vesta(&["steer", &row.id, "pass"]).0,
        Some(2),
        "nobody plays it"
    );
}

#[test]
fn up_to_four_runs_are_pinned_and_let_go() {
    let mut state = watched::pinned(Shape::of(120, 40), 4);
    let ids = |state: &State| -> Vec<String> {
        let pins = wall(state).pins().iter();
        pins.map(|pin| pin.id.rsplit('-').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&state), ["7f3a", "44dd", "66ff", "33cc"]);
    assert_eq!(drive(&mut state, "P"), [], "a fifth has no room");
    assert_eq!(ids(&state).len(), 4);
    // The pin with the keys is the one that keys go to, with the reason of its own run.
    let veto = sent(drive(&mut state, "Tab x Enter"));
    let [(folder, Control::Veto(reason))] = veto.as_slice() else {
        panic!("{veto:?}")
    };
    assert_eq!(folder, &PathBuf::from("saved_runs/V022-7f3a"));
    assert!(
        reason.starts_with("F05: ") && reason.contains("fork"),
        "{reason}"
    );
    let cmds = drive(&mut state, "P");
    assert!(matches!(cmds.as_slice(), [Cmd::Cancel(_)]), "{cmds:?}");
    assert_eq!(ids(&state), ["44dd", "66ff", "33cc"]);
    drive(&mut state, "Tab Enter");
    assert_eq!(attach(&state).asked, "saved_runs/V003-66ff");
}

#[test]
fn a_pinned_run_that_is_gone_is_let_go() {
    let mut state = with(Shape::of(120, 40), library());
    let cmds = execute(&mut state, "watch");
    let [Cmd::Start(id, _)] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    watched::wall_news(&mut state, *id, watched::rows());
    drive(&mut state, "P Tab");
    let gone = wall(&state).pins()[0].id.clone();
    let news = vesta::app::live::WallNews {
        gone: vec![gone],
        ..vesta::app::live::WallNews::default()
    };
    let event = JobEvent::Part(Box::new(vesta::app::jobs::Reply::Wall(news)));
    let cmds = update(&mut state, Msg::Job(*id, event));
    assert!(matches!(cmds.as_slice(), [Cmd::Cancel(_)]), "{cmds:?}");
    assert!(wall(&state).pins().is_empty() && wall(&state).pinned().is_none());
}

#[test]
fn a_new_run_is_chosen_and_started() {
    use vesta::app::launch::{Launch, Who};
    use vesta::app::overlays::Overlay;
    let mut state = watched::wall(Shape::of(120, 40), watched::rows(), "n");
    let wanted = |state: &State| {
        let Some(Overlay::Launch(launch)) = state.overlay() else {
            panic!("no form")
        };
        launch.wanted(&state.shared.library)
    };
    let planner = Who {
        agent: "planner".to_owned(),
        ..Who::default()
    };
    let task = |who: &Who| Ok(Launch::Task("V022".to_owned(), who.clone()));
    assert_eq!(wanted(&state), task(&planner), "the task of the row");
    drive(&mut state, "Down Ctrl-U o p e n Tab");
    assert_eq!(
        wanted(&state),
        Err("openai needs the name of a model".to_owned())
    );
    assert_eq!(drive(&mut state, "Enter"), []);
    drive(&mut state, "Down m Down c r i Tab");
    let model = Who {
        agent: "openai".to_owned(),
        model: "m".to_owned(),
        strategy: "critic(1)".to_owned(),
    };
    assert_eq!(wanted(&state), task(&model));
    drive(&mut state, "Down Ctrl-U v h");
    assert_eq!(wanted(&state), Ok(Launch::Suite("vh".to_owned(), model)));
    drive(&mut state, "Ctrl-U");
    assert_eq!(wanted(&state), Err("name a task or a suite".to_owned()));
    drive(&mut state, "V 0 2 2 Down Ctrl-U r a n d o m");
    let cmds = drive(&mut state, "Enter");
    let [Cmd::Start(id, Job::Launch(launched))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let random = Who {
        agent: "random".to_owned(),
        ..Who::default()
    };
    assert_eq!(Ok(launched.clone()), task(&random));
    let told = vesta::app::jobs::Reply::Launched("V022-random-1 has begun".to_owned());
    update(&mut state, Msg::Job(*id, JobEvent::Done(Box::new(told))));
    assert!(state.overlay().is_none());
}

/// Another page stops the wall, a run of its own does not; what went meanwhile is gone when it is back.
#[test]
fn a_covered_wall_follows_nothing_until_it_is_back() {
    let mut state = with(Shape::of(120, 40), library());
    let cmds = execute(&mut state, "watch");
    let [Cmd::Start(first, Job::Wall(_))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let all = |rows| vesta::app::live::WallNews {
        rows,
        read: (8, 8),
        ..vesta::app::live::WallNews::default()
    };
    let tell = |state: &mut State, id, news| {
        let reply = vesta::app::jobs::Reply::Wall(news);
        update(state, Msg::Job(id, JobEvent::Part(Box::new(reply))))
    };
    tell(&mut state, *first, all(watched::rows()));
    let cancels = |cmds: &[Cmd]| cmds.contains(&Cmd::Cancel(*first));
    assert!(!cancels(&execute(&mut state, "attach 7f3a")));
    assert!(cancels(&execute(&mut state, "tasks")));
    execute(&mut state, "back");
    let cmds = execute(&mut state, "back");
    let again = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Wall(_)) => Some(*id),
        _ => None,
    });
    let mut rows = watched::rows();
    let gone = rows.remove(2).id;
    assert!(wall(&state).seen(&gone).is_some());
    tell(&mut state, again.unwrap(), all(rows));
    assert!(wall(&state).seen(&gone).is_none());
    assert_eq!(wall(&state).count(), 7);
    // Going back from it covers it as well.
    let cmds = execute(&mut state, "back");
    assert!(cmds.contains(&Cmd::Cancel(again.unwrap())), "{cmds:?}");
    let cmds = execute(&mut state, "forward");
    // Where it is to ring it goes on.
    let last = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Wall(_)) => Some(*id),
        _ => None,
    });
    drive(&mut state, "N");
    let cmds = execute(&mut state, "tasks");
    assert!(!cmds.contains(&Cmd::Cancel(last.unwrap())), "{cmds:?}");
}
