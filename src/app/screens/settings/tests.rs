//! What the screen changes, shows and keeps.

use super::*;
use crate::app::cmd::Cmd;
use crate::app::jobs::JobId;
use crate::app::key::Code;
use crate::app::msg::{Msg, Size};
use crate::app::profiles::{Line, Played};
use crate::app::settings::{Hold, Set, Source};
use crate::app::state::{Setup, State, Symbols};
use crate::app::update::{drive, execute, update};
use crate::sim::vocab::Profile;

fn open(line: &str) -> (State, Vec<(JobId, Job)>) {
    let keymap = crate::app::keymap::Keymap::parse(crate::app::keymap::SHIPPED, "keymap.toml");
    let (mut state, _) = State::new(Setup {
        size: Size::new(120, 40),
        keymap: keymap.unwrap(),
        ..Setup::default()
    });
    let jobs = execute(&mut state, line)
        .into_iter()
        .filter_map(|cmd| match cmd {
            Cmd::Start(id, job) => Some((id, job)),
            _ => None,
        })
        .collect();
    (state, jobs)
}

fn screen(state: &State) -> &Settings {
    match state.screen() {
        Screen::Settings(it) => it,
        other => panic!("{other:?}"),
    }
}

fn contrasts() -> Vec<Contrast> {
    ["closed-doors", "load-stays"]
        .into_iter()
        .map(|id| Contrast {
            id,
            title: "A difference",
            eai: "Walks through.",
            strict: "Stops.",
            why: "Doors are in the way.",
            given: &["door.28:CLOSED"],
            played: vec![Played {
                profile: "eai",
                steps: vec![Line {
                    good: true,
                    text: "walk kitchen".to_owned(),
                    note: String::new(),
                }],
                facts: Vec::new(),
            }],
        })
        .collect()
}

fn done(state: &mut State, id: JobId, reply: Reply) {
    update(state, Msg::Job(id, JobEvent::Done(Box::new(reply))));
}

#[test]
fn enter_goes_round_the_profiles_until_the_program_ends() {
    let (mut state, jobs) = open("settings");
    let profile = |state: &State| state.shared.settings.profile.value;
    assert_eq!(profile(&state), None);
    let mut seen = Vec::new();
    for _ in 0..3 {
        drive(&mut state, "Enter");
        seen.push(profile(&state));
    }
    assert_eq!(seen, [Some(Profile::Strict), Some(Profile::Eai), None]);
    drive(&mut state, "Enter");
    // The file, read late, does not undo what was chosen.
    let [(read, Job::ReadSettings(_)), _] = jobs.as_slice() else {
        panic!("{jobs:?}")
    };
    let mut of_file = crate::app::settings::Settings {
        profile: Set::new(Some(Profile::Eai), Source::File(3)),
        file: Some("vesta/config.toml".to_owned()),
        has_file: true,
        ..Default::default()
    };
    of_file.faults = vec!["config.toml:3 hold = \"core 3\": write \"core !3\"".to_owned()];
    done(&mut state, *read, Reply::Settings(Box::new(of_file)));
    assert_eq!(profile(&state), Some(Profile::Strict));
    assert_eq!(state.shared.settings.faults.len(), 1);
    let asked = screen(&state).file(&state.shared);
    assert_eq!(asked.as_deref(), Some("file vesta/config.toml:3"));
}

#[test]
fn what_is_chosen_acts_at_once_and_is_kept_on_demand() {
    let (mut state, jobs) = open("settings");
    let of_file = crate::app::settings::Settings {
        file: Some("vesta/config.toml".to_owned()),
        ..Default::default()
    };
    done(
        &mut state,
        jobs[0].0,
        Reply::Settings(Box::new(of_file.clone())),
    );
    assert!(!state.availability("setting-keep", "").is_ready());
    drive(&mut state, "j Enter Enter j Enter h Enter");
    assert_eq!(state.shared.settings.hold.value.words(), "core !3");
    assert_eq!(state.shared.look.symbols, Symbols::Ascii);
    // Typed, it is the same.
    drive(&mut state, "k e Ctrl-U");
    for c in "set hold core !2".chars() {
        update(
            &mut state,
            Msg::Key(crate::app::key::Key::plain(Code::Char(c))),
        );
    }
    drive(&mut state, "Enter");
    assert_eq!(state.shared.settings.hold.value.words(), "core !2");
    execute(&mut state, "set hold core 1");
    let notice = state.shared.notices.lines().last().unwrap();
    assert_eq!(notice.text, "set hold core 1: write \"core !1\"");
    // Kept: what is set without the choices goes along, and comes back from the file.
    let cmds = drive(&mut state, "Ctrl-S");
    let [Cmd::Start(id, Job::KeepSettings(unchosen, chosen))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(**unchosen, of_file);
    let both = [("hold", "core !2"), ("symbols", "ascii")];
    assert_eq!(*chosen, both.map(|(key, text)| (key, text.to_owned())));
    let written = crate::app::settings::Settings {
        hold: Set::new(Hold::parse("core !2").unwrap(), Source::File(1)),
        symbols: Set::new(Symbols::Ascii, Source::File(2)),
        has_file: true,
        ..of_file
    };
    let lines = vec![("hold = \"core !2\"".to_owned(), 1)];
    done(
        &mut state,
        *id,
        Reply::Kept(Box::new(written.clone()), lines),
    );
    assert_eq!(state.shared.settings, written);
    let told = state.shared.notices.lines().last().unwrap();
    assert_eq!(
        told.text,
        "vesta/config.toml: kept hold = \"core !2\" at line 1"
    );
    // What is chosen at the start cannot be chosen here.
    drive(&mut state, "G");
    let why = state.availability("setting-change", "");
    assert!(why.reason().unwrap().contains("rules/"), "{why:?}");
}

#[test]
fn a_difference_is_opened_by_its_name() {
    let (mut state, jobs) = open("settings load-stays");
    let (id, _) = jobs[1];
    done(&mut state, id, Reply::Contrasts(Arc::new(contrasts())));
    assert_eq!(screen(&state).contrast().unwrap().id, "load-stays");
    assert_eq!(screen(&state).focus, Pane::Profiles);
    let plain = state.top().plain(&state.shared).join("\n");
    assert!(
        plain.contains("closed-doors eai step walk kitchen done"),
        "{plain}"
    );
    let (mut state, jobs) = open("settings nothing");
    done(
        &mut state,
        jobs[1].0,
        Reply::Contrasts(Arc::new(contrasts())),
    );
    assert_eq!(screen(&state).focus, Pane::Values);
    assert!(state.shared.notices.front().is_some());
}
