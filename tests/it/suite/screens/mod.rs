//! Every screen and overlay: how it looks at every size and palette, that tiny sizes harm nothing, that
//! foreign text stays text, and that every command it offers is known to it.
//!
//! A new screen adds rows to `SAMPLES` in [`samples`], or in a file beside; everything here is then done to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use vesta::app::cmd::Cmd;
use vesta::app::commands;
use vesta::app::glyph::GLYPHS;
use vesta::app::jobs::{Job, JobEvent, Reply};
use vesta::app::key::script;
use vesta::app::library::Library;
use vesta::app::msg::{Msg, Size};
use vesta::app::notice::{Level, Notice};
use vesta::app::pages::{Opened, PageReply};
use vesta::app::spoken::{is_drawn, is_sign};
use vesta::app::state::{Colours, State};
use vesta::app::update::{drive, execute, update};
use vesta::base::text::clean;
use vesta::eval::table::Table;
use vesta::eval::write::FORMATS;
use vesta::formats::page::{Body, Row, Window};
use vesta::ui::theme::Theme;
use vesta::ui::{self, ViewCache, dump};

use crate::support::games::{self, Writer};
use crate::support::{self, Shape, checked, saved};

mod agents;
mod arena;
mod compared;
mod labels;
mod samples;
mod shelves;
mod terminal;
mod watched;

/// Something to look at: its name, and how to get there.
pub(crate) struct Sample {
    /// The name of its snapshots.
    pub(crate) name: &'static str,
    /// Makes the state.
    pub(crate) make: fn(Shape, Library) -> State,
}

/// All samples: those of this file, and those of screens about agents.
pub(crate) fn samples() -> impl DoubleEndedIterator<Item = &'static Sample> {
    samples::SAMPLES
        .iter()
        .chain(agents::SAMPLES)
        .chain(watched::SAMPLES)
        .chain(arena::SAMPLES)
        .chain(arena::ARENAS)
        .chain(shelves::SAMPLES)
        .chain(compared::SAMPLES)
        .chain(labels::SAMPLES)
}

/// Settings with everything read, then keys.
fn set(shape: Shape, keys: &str) -> State {
    let mut state = support::shipped(shape, &["settings"]);
    state.shared.settings.file = Some("/home/you/.config/vesta/config.toml".to_owned());
    state.shared.settings.has_file = true;
    drive_on(state, keys)
}

/// The file screen, with a text as its reader would hand it over.
fn page(shape: Shape, library: Library, opened: fn() -> Opened) -> State {
    let mut state = support::with(shape, library);
    let cmds = execute(&mut state, "file tasks/mine/a.json");
    let [Cmd::Start(id, Job::Page(_))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let reply = Reply::Page(PageReply::Opened(Box::new(opened())));
    update(&mut state, Msg::Job(*id, JobEvent::Done(Box::new(reply))));
    for key in script("! Esc") {
        update(&mut state, Msg::Key(key));
    }
    state
}

fn opened(text: &str) -> Opened {
    let rows = text.lines().map(|line| Row {
        text: line.to_owned(),
        cut: line.len() > 400,
    });
    Opened {
        name: "tasks/mine/a.json".to_owned(),
        body: Body::Bytes(text.as_bytes().into()),
        size: text.len() as u64,
        line: 0,
        fault: None,
        window: Arc::new(Window {
            first: 0,
            rows: rows.collect(),
            ends: true,
        }),
    }
}

fn faulty_page() -> Opened {
    let text = "{\"vesta_task\": 1,\n \"id\": \"mine\",\n \"sucess\": [\"bowl ON table\"]\n}\n";
    let fault = "tasks/mine/a.json:3: sucess: is no field of a task; did you mean success?";
    Opened {
        line: 2,
        fault: Some(fault.to_owned()),
        ..opened(text)
    }
}

fn hostile_page() -> Opened {
    let long = "x".repeat(500);
    let lines: Vec<String> = support::HOSTILE
        .iter()
        .map(|text| text.replace('\n', "␊"))
        .collect();
    opened(&format!("{}\n{long}\n", lines.join("\n")))
}

/// Nothing but what is wrong.
fn broken() -> Library {
    Library {
        runs_fault: Some(
            "saved_runs: permission denied; change its rights or name another folder".to_owned(),
        ),
        problems: vec!["tasks/mine: permission denied; change its rights".to_owned()],
        ..Library::default()
    }
}

fn command(shape: Shape, library: Library, line: &str) -> State {
    let mut state = support::with(shape, library);
    execute(&mut state, line);
    state
}

/// V022 after two steps, then keys.
fn played(shape: Shape, keys: &str) -> State {
    let mut state = games::play(shape, games::begun());
    games::act(&mut state, &[&format!("keys {keys}")], Writer::Saves);
    state
}

/// A game with a second branch, then keys.
fn forked(shape: Shape, keys: &str) -> State {
    let lines = ["do grab bowl.203", "keys u", "do close microwave"];
    let mut state = games::play(shape, games::begun());
    games::act(&mut state, &lines, Writer::Saves);
    games::act(&mut state, &[&format!("keys {keys}")], Writer::Saves);
    state
}

fn keys(shape: Shape, library: Library, script: &str) -> State {
    drive_on(support::with(shape, library), script)
}

fn drive_on(mut state: State, script: &str) -> State {
    drive(&mut state, script);
    state
}

fn which_key(shape: Shape, library: Library) -> State {
    let mut state = keys(shape, library, "g");
    update(&mut state, Msg::Tick(300));
    state
}

fn notice(shape: Shape, library: Library) -> State {
    let mut state = support::with(shape, library);
    for notice in [
        Notice::error(
            "agent lost: connection reset after 3 tries; the run is kept at s4, retry from the log",
        ),
        Notice::info("saved"),
        Notice::warn("keymap.toml line 3: unknown key \"Entr\"; the shipped keys are used"),
    ] {
        let now = state.shared.now;
        state.shared.notices.push(notice, now);
    }
    state
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn looks() {
    settings().bind(|| {
        for sample in samples() {
            for (w, h) in [(80, 24), (120, 40), (200, 60)] {
                let state = (sample.make)(Shape::of(w, h), support::library());
                insta::assert_snapshot!(
                    format!("{}-{w}x{h}", sample.name),
                    dump::text(&ui::render(&state))
                );
            }
            let state = (sample.make)(Shape::of(80, 24), support::library());
            insta::assert_snapshot!(
                format!("{}-colour", sample.name),
                dump::styles(&ui::render(&state))
            );
            let state = (sample.make)(Shape::of(80, 24).mono(), support::library());
            insta::assert_snapshot!(
                format!("{}-mono", sample.name),
                dump::styles(&ui::render(&state))
            );
        }
    });
}

#[test]
fn plain_says_the_same_without_a_screen() {
    let mut written = BTreeSet::new();
    settings().bind(|| {
        for sample in samples() {
            let state = (sample.make)(Shape::of(80, 24), support::library());
            // Whoever prints them makes them safe first.
            let lines: Vec<String> = state
                .spoken()
                .iter()
                .map(|line| clean(line).into_owned())
                .collect();
            can_be_heard(sample.name, &state, &lines);
            if let Some(table) = state.screen().place().table(&state.shared) {
                can_be_written(sample.name, &table);
                written.insert(state.screen().desc().id());
            }
            insta::assert_snapshot!(format!("{}-plain", sample.name), lines.join("\n"));
        }
    });
    let lists = [
        "arena", "council", "inspect", "play", "report", "tasks", "watch",
    ];
    assert_eq!(written, BTreeSet::from(lists));
}

/// Whoever hears a screen hears words: no sign without its word but in the lines of Help that explain signs, no box, no
/// bar, no escape.
fn can_be_heard(name: &str, state: &State, lines: &[String]) {
    assert!(!lines.is_empty(), "{name}: nothing is said");
    let explained = |line: &str| {
        let mut all = GLYPHS.iter().chain(state.screen().desc().glyphs);
        all.any(|g| line == format!("{} {}", g.sign, g.word))
    };
    for line in lines.iter().filter(|line| !explained(line.trim_start())) {
        let bad = |c: char| is_drawn(c) || is_sign(c);
        assert!(!line.contains(bad), "{name}: {line}");
    }
}

/// Every list can be taken to a paper, in every format, with nothing in it that acts.
fn can_be_written(name: &str, table: &Table) {
    for row in &table.rows {
        assert_eq!(row.cells.len(), table.columns.len(), "{name}");
    }
    for format in FORMATS {
        let text = (format.write)(table);
        let acts = |c: char| (c.is_control() && !"\n\r".contains(c)) || c == '\u{202e}';
        assert!(!text.contains(acts), "{name}: {}", format.id);
    }
}

#[test]
fn one_pane_below_80x24_and_a_line_below_40x10() {
    let shown = |w, h| {
        let state = support::with(Shape::of(w, h), support::library());
        dump::text(&ui::render(&state))
    };
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("home-60x16", shown(60, 16));
    });
    assert_eq!(
        shown(39, 9).lines().next(),
        Some("vesta needs 40x10, has 39x9")
    );
    assert_eq!(shown(20, 2).lines().next(), Some("vesta needs 40x10, …"));
}

#[test]
fn tiny_sizes_harm_nothing() {
    let theme = Theme::shipped(Colours::Ansi16);
    let (cache, mut buffer) = (ViewCache::default(), Buffer::default());
    for sample in samples() {
        let mut state = (sample.make)(Shape::of(80, 24), support::hostile());
        for w in 0..=44 {
            for h in 0..=14 {
                update(&mut state, Msg::Resize(Size::new(w, h)));
                ui::draw(&state, &theme, &cache, &mut buffer);
                assert_eq!(buffer.content.len(), usize::from(w) * usize::from(h));
            }
            // Keys still work when nothing can be seen.
            drive(&mut state, if w % 2 == 0 { "Down" } else { "Up" });
        }
    }
}

#[test]
fn random_keys_harm_nothing() {
    const KEYS: &str = "j k l h g G Tab Shift-Tab Enter Esc ? / : ! * ' Ctrl-P Ctrl-O Ctrl-N Ctrl-D Ctrl-U Ctrl-W \
        Up Down PgDn PgUp Home End Backspace a b c e f n o r s t u v w x y z Space q ] [ , . + _ D F R W 1 3 Ctrl-S \
        = C M P i < >";
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let theme = Theme::shipped(Colours::Ansi16);
    let (cache, mut buffer) = (ViewCache::default(), Buffer::default());
    // A small generator of our own: the same keys every time.
    let mut seed = 3_u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap() % n
    };
    for sample in samples() {
        let mut state = (sample.make)(Shape::of(80, 24), support::hostile());
        for _ in 0..80 {
            let key = keys.get(next(keys.len())).unwrap();
            drive(&mut state, key);
            ui::draw(&state, &theme, &cache, &mut buffer);
        }
    }
}

#[test]
fn ascii_terminals_get_ascii_only() {
    for sample in samples() {
        for library in [support::library(), support::hostile()] {
            let state = (sample.make)(Shape::of(120, 40).ascii(), library);
            let text = dump::text(&ui::render(&state));
            assert!(text.is_ascii(), "{}: {text}", sample.name);
        }
    }
}

#[test]
fn every_command_of_a_layer_is_known_to_it() {
    // Whether a layer knows a command depends on the layer, not on what it shows: once for each is enough.
    let mut asked = BTreeSet::new();
    for sample in samples() {
        let make = || (sample.make)(Shape::of(80, 24), support::library());
        let mut state = make();
        let contexts = state.contexts();
        let ids: Vec<&str> = contexts.iter().map(|(id, _)| *id).collect();
        if !asked.insert((state.screen().desc().id(), ids.join(" "))) {
            continue;
        }
        for (id, _) in &contexts {
            for command in commands::context(id).unwrap().commands {
                // A command may lead elsewhere; the next one is asked for here again.
                if state.contexts() != contexts {
                    state = make();
                }
                execute(&mut state, command.id);
                let lines = state.shared.notices.lines();
                let errors: Vec<&Notice> =
                    lines.filter(|n| n.text.contains("please report")).collect();
                assert!(
                    errors.is_empty(),
                    "{} in {}: {errors:?}",
                    command.id,
                    sample.name
                );
            }
        }
    }
}

/// The key map is held against the stacks of contexts that are declared; this holds the declarations.
#[test]
fn every_stack_of_contexts_is_declared() {
    for sample in samples() {
        let state = (sample.make)(Shape::of(80, 24), support::library());
        let stack = state.top().contexts();
        let screens = vesta::app::screens::SCREENS
            .iter()
            .flat_map(|screen| screen.contexts);
        let declared = screens
            .chain(vesta::app::overlays::CONTEXTS)
            .any(|known| *known == stack);
        assert!(declared, "{}: {stack:?}", sample.name);
    }
}

#[test]
fn notices_go_after_six_seconds_and_errors_stay() {
    let mut state = support::with(Shape::of(80, 24), support::library());
    state.shared.notices.push(Notice::info("saved"), 0);
    assert_eq!(state.deadline(), Some(6_000));
    update(&mut state, Msg::Tick(5_999));
    assert!(state.shared.notices.front().is_some());
    update(&mut state, Msg::Tick(6_000));
    assert!(state.shared.notices.front().is_none());
    state.shared.notices.push(Notice::error("lost"), 6_000);
    update(&mut state, Msg::Tick(60_000));
    assert_eq!(
        state.shared.notices.front().map(|(n, _)| n.level),
        Some(Level::Error)
    );
    drive(&mut state, "!");
    assert!(state.shared.notices.front().is_none());
    assert_eq!(
        state.deadline(),
        None,
        "nothing moves, nothing wakes the program"
    );
}
