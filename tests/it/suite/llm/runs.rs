//! Whole runs of the program against endpoints that do well and badly: every strategy comes to its end, every fault
//! ends a run clearly, a person's word closes a call, a recording plays byte for byte, and the key is nowhere.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};
use vesta::agent::session::Control;
use vesta::store::library::{Library, Places};
use vesta::store::runs::live::steer;
use vesta::store::runs::{self, SavedRun};
use vesta::task::episode::{Body, Remark};

use super::canary::clean;
use super::failing::{Case, cases, hurry};
use super::server::{Act, Script, Server};
use super::{CANARY, completions, messages, run};

/// The longest that a run may take here; then it hangs.
const PATIENCE: Duration = Duration::from_mins(3);

/// A folder that a program runs in, without the user's data, and with a key.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn runs(&self) -> PathBuf {
        self.path().join("runs")
    }

    /// The program, not started yet. Half of all get their key from a file.
    fn vesta(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vesta"));
        command
            .args(args)
            .current_dir(self.path())
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("LANG", "C.UTF-8")
            .env("RUST_BACKTRACE", "full")
            .env("OPENAI_API_KEY", CANARY)
            .env("ANTHROPIC_API_KEY", CANARY)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// The flags of a run of a model on V022.
    fn flags(&self, kind: &str, strategy: &str, base: &str) -> Vec<String> {
        let runs = self.runs().display().to_string();
        [
            "run",
            "V022",
            "--agent",
            kind,
            "--model",
            "gpt-4o",
            "--strategy",
            strategy,
            "--base-url",
            base,
            "--runs",
            &runs,
            "--json",
        ]
        .map(str::to_owned)
        .into()
    }

    /// The one run there is.
    fn run(&self) -> SavedRun {
        let rows = runs::list(&self.runs()).unwrap();
        assert_eq!(rows.len(), 1);
        SavedRun::read(&rows[0].folder).unwrap()
    }

    /// Whether the key is in what a program said, or in anything it left.
    fn no_key(&self, output: &Output) {
        clean(&String::from_utf8_lossy(&output.stdout), "standard output");
        clean(&String::from_utf8_lossy(&output.stderr), "standard error");
        let mut folders = vec![self.path().to_owned()];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with(KEY_FILE) {
                    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                    clean(&text, &path.display().to_string());
                    files += 1;
                }
            }
        }
        assert!(files >= 5, "{files} files");
    }
}

/// The file that holds the key, where it comes from one.
const KEY_FILE: &str = "the-secret";

async fn ends(command: &mut Command) -> Output {
    let output = timeout(PATIENCE, command.output()).await;
    output.expect("it hangs").unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A reply as an endpoint of that kind streams it.
fn says(kind: &str, reply: &str) -> Script {
    let words: Vec<&str> = reply.split_inclusive(' ').collect();
    Script::events(&match kind {
        "openai" => completions(&[], &words),
        _ => messages(&[], &words),
    })
}

fn reference(task: &str) -> Vec<String> {
    let library = Library::open_in(Places::default(), None);
    library.load(task).unwrap().task.reference.clone()
}

/// Replies that lead a strategy to success, after a failed trial where it has two.
fn well(strategy: &str) -> Vec<String> {
    let plan = reference("V022");
    let mut replies = Vec::new();
    if strategy.contains('(') {
        replies.push("Done".to_owned());
        replies.push("The bowl is not on the table. It never grabbed the bowl.".to_owned());
    }
    if strategy == "one-go" {
        replies.push(format!("{}\nDone", plan.join("\n")));
    } else {
        replies.extend(plan);
        replies.push("Done".to_owned());
    }
    replies
}

const STRATEGIES: [&str; 5] = ["one-go", "direct", "react", "reflexion(1)", "critic(1)"];

/// Runs tests beside each other, a few at a time: each starts a program.
fn abreast<T: Send>(all: Vec<T>, test: impl Fn(T) + Sync) {
    let all = std::sync::Mutex::new(all.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some(next) = all.lock().unwrap().next() else {
                        return;
                    };
                    test(next);
                }
            });
        }
    });
}

#[test]
fn every_strategy_comes_to_its_end_and_every_event_is_told() {
    let all = ["openai", "anthropic"].map(|kind| STRATEGIES.map(|strategy| (kind, strategy)));
    abreast(all.as_flattened().to_vec(), |(kind, strategy)| {
        run(async {
            let scripts = well(strategy).iter().map(|r| says(kind, r)).collect();
            let server = Server::start(scripts).await;
            let place = Place::new();
            let flags = place.flags(kind, strategy, &server.base);
            let output = ends(place.vesta(&[]).args(flags)).await;
            let (out, err) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(
                output.status.code(),
                Some(0),
                "{kind} {strategy}: {err}\n{out}"
            );
            assert_eq!(err, "");
            assert_eq!(
                server.got().len(),
                well(strategy).len(),
                "{kind} {strategy}"
            );
            let events = place.run().events;
            assert!(events.findings.is_empty());
            assert!(matches!(
                events.items.last().unwrap().body,
                Body::Done { .. }
            ));
            let trials = events
                .items
                .iter()
                .filter(|e| e.body.kind() == "trial")
                .count();
            assert_eq!(trials, usize::from(strategy.contains('(')));
            // The run's name, every event but the start, and how it came out.
            assert_eq!(
                out.lines().count(),
                events.items.len() + 1,
                "{kind} {strategy}:\n{out}"
            );
            place.no_key(&output);
        });
    });
}

#[test]
fn every_fault_ends_a_run_clearly_and_the_key_is_nowhere() {
    let cases: Vec<(usize, Case)> = cases().into_iter().enumerate().collect();
    abreast(cases, |(at, case)| {
        run(async {
            let server = Server::start(vec![case.script.clone()]).await;
            let place = Place::new();
            let mut command = place.vesta(&[]);
            command.args(place.flags("openai", "react", &server.base));
            // Without a schema no rejection is put down to one.
            command.arg("--free-form");
            for (name, value) in hurry(&case) {
                command.arg("--set").arg(format!("{name}={value}"));
            }
            let file = place.path().join(KEY_FILE);
            let tape = place.path().join("tape.jsonl");
            command.arg("--record").arg(&tape);
            let variable = if at % 2 == 0 {
                use std::os::unix::fs::OpenOptionsExt as _;
                let mut options = std::fs::OpenOptions::new();
                let mut file = options
                    .create_new(true)
                    .write(true)
                    .mode(0o600)
                    .open(&file)
                    .unwrap();
                writeln!(file, "{CANARY}").unwrap();
                command
                    .env_remove("OPENAI_API_KEY")
                    .args(["--key-file", KEY_FILE]);
                KEY_FILE
            } else {
                "OPENAI_API_KEY"
            };
            let output = ends(&mut command).await;
            let (out, err) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(
                (output.status.code(), &*err),
                (Some(1), ""),
                "{}\n{out}",
                case.said
            );
            let got = server.got();
            assert_eq!(got.len(), case.attempts, "{}", case.said);
            assert!(got[0].head.contains(CANARY));
            let events = place.run().events.items;
            let Body::Stopped { cause, text } = &events.last().unwrap().body else {
                panic!("{}: it ends in {:?}", case.said, events.last());
            };
            assert_eq!(cause, case.kind.id());
            let said = case.said.replace("TEST_KEY", variable);
            assert!(text.contains(&said), "{text}\n{said}");
            // The reply's place is taken by the failure, with its kind.
            let told = events.iter().any(|e| match &e.body {
                Body::Remark(said) => {
                    let data = said.data.as_deref().unwrap_or_default();
                    said.by == "agent" && data == format!("{{\"failure\":\"{}\"}}", case.kind.id())
                }
                _ => false,
            });
            assert!(told, "{}", case.said);
            place.no_key(&output);
            // What was recorded of it plays the same run, without a key.
            let mut command = place.vesta(&[]);
            let mut flags = place.flags("openai", "react", &server.base);
            flags[11] = place.path().join("again").display().to_string();
            command
                .args(flags)
                .args(["--free-form", "--replay"])
                .arg(&tape)
                .env_remove("OPENAI_API_KEY");
            let output = ends(&mut command).await;
            assert_eq!(
                output.status.code(),
                Some(1),
                "{}: {}",
                case.said,
                String::from_utf8_lossy(&output.stderr)
            );
            let again = runs::list(&place.path().join("again")).unwrap();
            let again = SavedRun::read(&again[0].folder).unwrap();
            assert!(again.events.items == events, "{}", case.said);
        });
    });
}

#[test]
fn every_strategy_comes_to_its_end_at_an_endpoint_of_others() {
    let Some(fake) = super::fake::start() else {
        return;
    };
    let all = ["openai", "anthropic"].map(|kind| STRATEGIES.map(|strategy| (kind, strategy)));
    abreast(all.as_flattened().to_vec(), |(kind, strategy)| {
        run(async {
            let place = Place::new();
            let mut flags = place.flags(kind, strategy, &fake.base);
            "player".clone_into(&mut flags[5]);
            let output = ends(place.vesta(&[]).args(flags)).await;
            let (out, err) = (text(&output.stdout), text(&output.stderr));
            assert_eq!((output.status.code(), &*err), (Some(1), ""), "{out}");
            let events = place.run().events.items;
            let count = |kind: &str| events.iter().filter(|e| e.body.kind() == kind).count();
            let trials = 1 + usize::from(strategy.contains('('));
            assert_eq!(count("trial"), trials - 1, "{kind} {strategy}:\n{out}");
            assert_eq!(count("done"), trials, "{kind} {strategy}:\n{out}");
            place.no_key(&output);
        });
    });
    // What it rejects, one kind each.
    for (model, words) in [
        ("limited", "gets too many requests (429)"),
        ("broken", "failed (500)"),
        ("locked", "rejects the key (401)"),
    ] {
        run(async {
            let place = Place::new();
            let mut flags = place.flags("anthropic", "react", &fake.base);
            model.clone_into(&mut flags[5]);
            flags.extend(["--set", "stream=off", "--set", "retries=1"].map(str::to_owned));
            let output = ends(place.vesta(&[]).args(flags)).await;
            assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
            let events = place.run().events.items;
            let Body::Stopped { text, .. } = &events.last().unwrap().body else {
                panic!("{:?}", events.last());
            };
            assert!(text.contains(words), "{text}");
            place.no_key(&output);
        });
    }
}

#[test]
fn a_run_goes_on_after_what_passes() {
    let date = jiff::Timestamp::now()
        .checked_add(jiff::Span::new().seconds(1))
        .unwrap();
    let date = date.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let slow = || {
        Script::of(
            429,
            "application/json",
            "{\"error\":{\"message\":\"slow\"}}",
        )
    };
    let wide = "Das Gerät läuft: ☕ 日本語 👩\u{200d}👧 Done";
    let fine = |reply| says("openai", reply);
    let half: String = completions(&[], &["ha"])
        .split_inclusive("\n\n")
        .take(2)
        .collect();
    let all = vec![
        (vec![slow().with("retry-after", "1"), fine("Done")], "Done"),
        (
            vec![slow().with("retry-after-ms", "20"), fine("Done")],
            "Done",
        ),
        (
            vec![slow().with("retry-after", &date), fine("Done")],
            "Done",
        ),
        (
            vec![slow(), Script::of(500, "text/plain", ""), fine("Done")],
            "Done",
        ),
        (
            vec![Script::events(&half).then(&[Act::Cut]), fine("Done")],
            "Done",
        ),
        (vec![fine("Done").in_pieces(3, 10)], "Done"),
        (vec![fine(wide).in_pieces(1, 0)], wide),
    ];
    abreast(all, |(scripts, reply)| {
        run(async {
            let calls = scripts.len();
            let server = Server::start(scripts).await;
            let place = Place::new();
            let mut command = place.vesta(&[]);
            command.args(place.flags("openai", "direct", &server.base));
            command.args(["--steps", "1"]);
            let output = ends(&mut command).await;
            assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
            assert_eq!(server.got().len(), calls);
            let events = place.run().events.items;
            let heard = events.iter().any(|e| {
                matches!(&e.body, Body::Remark(said) if said.by == "agent" && said.text == reply)
            });
            assert!(heard, "{reply}");
            place.no_key(&output);
        });
    });
}

/// A run that waits for a reply that never comes whole; it has been asked.
async fn asked(place: &Place, server: &Server) -> (Child, PathBuf) {
    let mut command = place.vesta(&[]);
    command.args(place.flags("openai", "react", &server.base));
    let child = command.spawn().unwrap();
    let begun = Instant::now();
    while server.got().is_empty() {
        assert!(begun.elapsed() < PATIENCE, "it never asks");
        sleep(Duration::from_millis(2)).await;
    }
    // The first words are on their way.
    sleep(Duration::from_millis(100)).await;
    let folder = runs::list(&place.runs()).unwrap()[0].folder.clone();
    (child, folder)
}

async fn held() -> Server {
    let half: String = completions(&[], &["half"])
        .split_inclusive("\n\n")
        .take(2)
        .collect();
    Server::start(vec![
        Script::events(&half).then(&[Act::Hold]),
        says("openai", "Done"),
    ])
    .await
}

async fn left(child: Child) -> Output {
    let output = timeout(PATIENCE, child.wait_with_output()).await;
    output.expect("it hangs").unwrap()
}

fn note(what: &str, took: Duration) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "{what} closes the socket after {took:?}");
}

#[test]
fn an_interrupt_closes_the_call_and_the_run_goes_on_later() {
    for signal in [Signal::INT, Signal::TERM] {
        run(async {
            let mut server = held().await;
            let place = Place::new();
            let (child, folder) = asked(&place, &server).await;
            let pid = i32::try_from(child.id().unwrap()).unwrap();
            for file in ["cmdline", "comm"] {
                clean(
                    &std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap(),
                    file,
                );
            }
            let sent = Instant::now();
            kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
            note(
                "a signal",
                server.closed().await.saturating_duration_since(sent),
            );
            let output = left(child).await;
            assert_eq!(output.status.code(), Some(130));
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            assert_eq!(
                text(&output.stderr),
                format!("vesta: stopped; vesta resume {name} goes on with it\n")
            );
            place.no_key(&output);
            let path = folder.display().to_string();
            let mut resume = place.vesta(&["resume", &path, "--base-url", &server.base]);
            let output = ends(&mut resume).await;
            assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
            let events = place.run().events;
            assert!(matches!(
                events.items.last().unwrap().body,
                Body::Done { .. }
            ));
            place.no_key(&output);
        });
    }
}

#[test]
fn a_person_who_ends_the_run_closes_the_call() {
    run(async {
        let mut server = held().await;
        let place = Place::new();
        let (child, folder) = asked(&place, &server).await;
        // What is said meanwhile is on the disk at once, not with the reply.
        steer(&folder, &Control::Message("hurry".to_owned())).unwrap();
        let begun = Instant::now();
        let said = || {
            let events = SavedRun::read(&folder).unwrap().events.items;
            events.iter().any(|e| {
                matches!(&e.body, Body::Remark(s) if s.kind == Remark::Intervention && s.text == "hurry")
            })
        };
        while !said() {
            assert!(begun.elapsed() < PATIENCE, "it is not recorded");
            sleep(Duration::from_millis(5)).await;
        }
        let sent = Instant::now();
        steer(&folder, &Control::End("enough".to_owned())).unwrap();
        note(
            "an end",
            server.closed().await.saturating_duration_since(sent),
        );
        let output = left(child).await;
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let events = place.run().events.items;
        let Body::Stopped { cause, text } = &events.last().unwrap().body else {
            panic!("{:?}", events.last());
        };
        assert_eq!((&**cause, &**text), ("called_off", "enough"));
        assert_eq!(server.got().len(), 1);
        assert!(steer(&folder, &Control::Pause).is_err());
    });
}

#[test]
fn a_person_who_takes_over_closes_the_call_and_hands_back() {
    for strategy in ["one-go", "react"] {
        run(async {
            let mut server = held().await;
            let place = Place::new();
            let mut command = place.vesta(&[]);
            command.args(place.flags("openai", strategy, &server.base));
            let child = command.spawn().unwrap();
            let begun = Instant::now();
            while server.got().is_empty() {
                assert!(begun.elapsed() < PATIENCE, "it never asks");
                sleep(Duration::from_millis(2)).await;
            }
            let folder = runs::list(&place.runs()).unwrap()[0].folder.clone();
            let sent = Instant::now();
            steer(&folder, &Control::TakeOver).unwrap();
            note(
                "taking over",
                server.closed().await.saturating_duration_since(sent),
            );
            steer(&folder, &Control::Act("walk microwave".to_owned())).unwrap();
            steer(&folder, &Control::HandBack).unwrap();
            let output = left(child).await;
            assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
            let events = place.run().events.items;
            assert!(events.iter().any(|e| e.body.kind() == "step"));
            assert!(!matches!(events.last().unwrap().body, Body::Step { .. }));
            let got = server.got();
            assert_eq!(got.len(), 2);
            assert!(got[1].body.contains("took over"), "{}", got[1].body);
        });
    }
}

/// The events of all runs in a folder, as they are on the disk, by task.
fn bytes(root: &Path) -> Vec<(String, String)> {
    let rows = runs::list(root).unwrap();
    let mut all: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.task.clone(),
                std::fs::read_to_string(row.folder.join("events.jsonl")).unwrap(),
            )
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_recorded_run_plays_byte_for_byte() {
    run(async {
        let scripts = well("critic(1)")
            .iter()
            .map(|r| says("openai", r))
            .collect();
        let server = Server::start(scripts).await;
        let place = Place::new();
        let tape = place.path().join("tape.jsonl").display().to_string();
        let mut all = Vec::new();
        for (flag, runs) in [
            ("--record", "one"),
            ("--replay", "two"),
            ("--replay", "three"),
        ] {
            let mut flags = place.flags("openai", "critic(1)", &server.base);
            flags[11] = place.path().join(runs).display().to_string();
            flags.extend(["--critic", "gpt-4.1", "--reset", flag, &tape].map(str::to_owned));
            let output = ends(place.vesta(&[]).args(flags)).await;
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            all.push(bytes(&place.path().join(runs)));
        }
        assert_eq!(all[0].len(), 1);
        assert_eq!(all[0], all[1]);
        assert_eq!(all[0], all[2]);
        assert_eq!(server.got().len(), well("critic(1)").len());
    });
}

#[test]
fn a_recorded_suite_plays_byte_for_byte_two_at_a_time() {
    run(async {
        let replies = [
            "[WALK] <kitchen> (11)",
            "hm",
            "walk living_room",
            "Done",
            "It never walked.",
        ];
        let scripts = (0..60).map(|i| says("openai", replies[i % 5])).collect();
        let server = Server::start(scripts).await;
        let place = Place::new();
        let mut all = Vec::new();
        for (flag, out) in [("--record", "one"), ("--replay", "two")] {
            let mut command =
                place.vesta(&["eval", "--suite", "vh", "--shard", "1/25", "--jobs", "2"]);
            command
                .args([
                    "--agent",
                    "openai",
                    "--model",
                    "gpt-4o",
                    "--strategy",
                    "reflexion(1)",
                    "--json",
                ])
                .args(["--base-url", &server.base, "--out", out, flag, "tape.jsonl"]);
            let output = ends(&mut command).await;
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            place.no_key(&output);
            let output = ends(&mut place.vesta(&["report", out, "--out", "tables"])).await;
            assert!(
                place.path().join("tables").is_dir(),
                "{}",
                text(&output.stderr)
            );
            place.no_key(&output);
            all.push(bytes(&place.path().join(out)));
        }
        assert_eq!(all[0].len(), 4);
        assert_eq!(all[0], all[1]);
    });
}

/// The planner thinks for seconds before its first act here, on the thread that would hear of the signal.
/// Whether a process handles an interrupt by itself; one that has ended does not wait any more either.
fn hears_interrupts(process: u32) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) else {
        return true;
    };
    let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:"));
    caught.is_none_or(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 0b10 != 0)
}

#[test]
fn an_interrupt_is_heard_while_the_planner_thinks() {
    run(async {
        let place = Place::new();
        let mut child = place
            .vesta(&["run", "V059", "--agent", "planner", "--headless", "--runs"])
            .arg(place.runs())
            .spawn()
            .unwrap();
        let begun = async {
            while runs::list(&place.runs()).map_or(0, |rows| rows.len()) == 0 {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(PATIENCE, begun).await.unwrap();
        let id = child.id().unwrap();
        while !hears_interrupts(id) {
            sleep(Duration::from_millis(1)).await;
        }
        kill_process(Pid::from_raw(id.try_into().unwrap()).unwrap(), Signal::INT).unwrap();
        let ended = timeout(PATIENCE, child.wait()).await.unwrap().unwrap();
        assert_eq!(ended.code(), Some(130));
        let cut = place.run();
        assert_eq!(cut.events.items.len(), 1, "the start, and nothing decided");
        let output = ends(
            place
                .vesta(&["resume", &cut.header.id, "--runs"])
                .arg(place.runs()),
        )
        .await;
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    });
}
