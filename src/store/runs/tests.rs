//! Tests of begun, continued, torn, damaged, shared and listed runs.

use std::sync::Arc;

use super::*;
use crate::formats::run::{EVENTS_FILE, NOTES_FILE, Verdict};
use crate::sim::timeline::Pos;
use crate::sim::vocab::Profile;
use crate::store::library::{Library, Loaded, Places};
use crate::task::episode::Episode;

fn v022() -> Loaded {
    Library::open_in(Places::default(), None)
        .load_whole("V022")
        .unwrap()
}

/// A run of the first steps of V022, closed again; its folder.
fn begin(root: &Path, steps: usize) -> (PathBuf, Episode) {
    let loaded = v022();
    let (mut episode, start) =
        Episode::start(Arc::new(loaded.setup.clone()), Profile::Eai).unwrap();
    let new = NewRun {
        agent: "human",
        task: &loaded.setup.task,
        base: &loaded.base,
        profile: Profile::Eai,
        forked_from: None,
        player: None,
    };
    let mut writer = RunWriter::create(root, new, &[start]).unwrap();
    for &action in loaded.setup.reference.iter().take(steps) {
        writer.append(&episode.act(action).events).unwrap();
    }
    assert_eq!(writer.saved(), Some(steps as u32));
    (writer.folder().to_owned(), episode)
}

fn writable(folder: &Path) -> (SavedRun, RunWriter) {
    match open(folder).unwrap() {
        Opened {
            run,
            access: Access::Write(writer),
        } => (run, *writer),
        Opened { access, .. } => panic!("{access:?}"),
    }
}

fn reason(opened: Opened) -> String {
    match opened.access {
        Access::ReadOnly(reason) => reason,
        Access::Write(_) => panic!("writable"),
    }
}

fn fault(folder: &Path) -> String {
    let run = SavedRun::read(folder).unwrap();
    let said: Vec<String> = run.findings().map(ToString::to_string).collect();
    let place = format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR);
    said.join(" | ").replace(&place, "")
}

#[test]
fn a_run_is_whole_and_needs_no_other_file() {
    let root = tempfile::tempdir().unwrap();
    let (folder, episode) = begin(root.path(), 20);
    let run = SavedRun::read(&folder).unwrap();
    assert_eq!(run.findings().count(), 0);
    let again = run.replay().unwrap();
    assert_eq!(again.drifts, []);
    assert_eq!(again.episode.here(), episode.here());
    assert!(again.episode.score().succeeds() && again.episode.score().safe());
    let names: Vec<String> = files::entries(&folder)
        .unwrap()
        .0
        .iter()
        .map(|f| name(f))
        .collect();
    assert_eq!(
        names,
        [
            "events.jsonl",
            "lock",
            "run.json",
            "scene.json.gz",
            "timing.jsonl"
        ]
    );
    let timing = std::fs::read_to_string(folder.join("timing.jsonl")).unwrap();
    assert_eq!(timing.lines().count(), 20);
}

/// Same task and steps, same bytes, whenever and by whomever.
#[test]
fn events_and_scene_are_the_same_bytes_in_every_run() {
    let root = tempfile::tempdir().unwrap();
    let (a, _) = begin(root.path(), 9);
    let (b, _) = begin(root.path(), 9);
    assert_ne!(a, b);
    for file in [EVENTS_FILE, "scene.json.gz"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).unwrap();
        assert_eq!(read(&a), read(&b), "{file}");
    }
}

#[test]
fn a_run_is_gone_on_with_where_it_stopped() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = begin(root.path(), 5);
    let (run, mut writer) = writable(&folder);
    let mut episode = run.replay().unwrap().episode;
    assert_eq!((episode.here(), writer.saved()), (Pos(5), Some(5)));
    writer.append(&[episode.undo().unwrap()]).unwrap();
    writer.append(&[episode.finish()]).unwrap();
    drop(writer);
    let run = SavedRun::read(&folder).unwrap();
    let again = run.replay().unwrap();
    assert_eq!(again.drifts, []);
    assert_eq!(again.episode.here(), Pos(4));
    assert!(again.episode.ending().is_some());
}

/// Whatever a torn write left behind is cut by the next writer, and said before.
#[test]
fn a_torn_end_is_said_and_cut() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = begin(root.path(), 5);
    let path = folder.join(EVENTS_FILE);
    let whole = std::fs::read(&path).unwrap();
    let mut torn = whole.clone();
    torn.extend_from_slice(b"{\"v\":1,\"seq\":6,\"ki");
    std::fs::write(&path, &torn).unwrap();
    assert_eq!(
        fault(&folder),
        "events.jsonl line 7: cut off; the first 6 events are used"
    );
    let (run, mut writer) = writable(&folder);
    let mut episode = run.replay().unwrap().episode;
    let undo = episode.undo().unwrap();
    writer.append(&[undo]).unwrap();
    assert_eq!(fault(&folder), "");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes.get(..whole.len()), Some(&*whole));
    // Even a whole line without its line feed goes on as a line of its own.
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    drop(writer);
    let (run, mut writer) = writable(&folder);
    let mut episode = run.replay().unwrap().episode;
    writer.append(&[episode.undo().unwrap()]).unwrap();
    assert_eq!(fault(&folder), "");
}

/// Damage in the middle makes a run read only: cutting it would destroy what follows.
#[test]
fn damage_is_said_and_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = begin(root.path(), 5);
    let path = folder.join(EVENTS_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let bad = text.replacen("\"seq\":3", "\"seq\":9", 1);
    std::fs::write(&path, &bad).unwrap();
    let said = fault(&folder);
    assert!(
        said.starts_with("events.jsonl line 4: crc: the checksum is ")
            && said.ends_with("; the first 3 events are used"),
        "{said}"
    );
    let opened = open(&folder).unwrap();
    assert_eq!(opened.run.replay().unwrap().episode.here(), Pos(2));
    assert!(reason(opened).contains("line 4"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), bad);
}

/// An end that a loss of power left without a right checksum is kept beside the events, and the run goes on.
#[test]
fn a_broken_end_is_kept_apart() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = begin(root.path(), 5);
    let path = folder.join(EVENTS_FILE);
    let whole = std::fs::read_to_string(&path).unwrap();
    let tail = "\0\0\0 half an event\"}\n\0\0";
    std::fs::write(&path, format!("{whole}{tail}")).unwrap();
    let (run, mut writer) = writable(&folder);
    assert_eq!(run.events.items.len(), 6);
    let mut again = run.replay().unwrap().episode;
    let next = v022().setup.reference[5];
    writer.append(&again.act(next).events).unwrap();
    drop(writer);
    let cut = std::fs::read_to_string(folder.join("events.cut")).unwrap();
    assert_eq!(cut, tail);
    let (run, _) = writable(&folder);
    assert_eq!((run.events.items.len(), run.findings().count()), (7, 0));
}

#[test]
fn the_second_instance_reads_only_until_the_first_leaves() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = begin(root.path(), 2);
    let (_, first) = writable(&folder);
    assert_eq!(
        reason(open(&folder).unwrap()),
        "another instance has this run open"
    );
    let note = NoteBody::Comment {
        at: None,
        text: "me too".to_owned(),
    };
    let refused = add_note(&folder, note.clone()).unwrap_err().to_string();
    assert!(
        refused.contains("another instance has this run open"),
        "{refused}"
    );
    drop(first);
    writable(&folder);
    add_note(&folder, note).unwrap();
}

#[test]
fn notes_are_kept_beside_the_events() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = begin(root.path(), 2);
    let verdict = |judgement| {
        NoteBody::Verdict(Verdict {
            verdict: judgement,
            reason: "odd".to_owned(),
            goals: Vec::new(),
            witness: None,
        })
    };
    let before = std::fs::read(folder.join(EVENTS_FILE)).unwrap();
    add_note(&folder, verdict(Judgement::Reject)).unwrap();
    // A torn note is cut, the next one is whole.
    let path = folder.join(NOTES_FILE);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"v\":1");
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(
        fault(&folder),
        "notes.jsonl line 2: cut off; the line is skipped"
    );
    let (_, mut writer) = writable(&folder);
    let note = writer.note(verdict(Judgement::Accept)).unwrap();
    assert_eq!(note.seq, 1);
    let run = SavedRun::read(&folder).unwrap();
    assert_eq!(run.findings().count(), 0);
    let seqs: Vec<u32> = run.notes.items.iter().map(|n| n.seq).collect();
    assert_eq!(seqs, [0, 1]);
    assert_eq!(std::fs::read(folder.join(EVENTS_FILE)).unwrap(), before);
    assert_eq!(
        list(root.path()).unwrap()[0].verdict,
        Some(Judgement::Accept)
    );
}

#[test]
fn the_list_tells_how_each_run_stands() {
    let root = tempfile::tempdir().unwrap();
    let (whole, _) = begin(root.path(), 20);
    {
        let (run, mut writer) = writable(&whole);
        let mut episode = run.replay().unwrap().episode;
        writer
            .append(&episode.act_text("fly to the moon").events)
            .unwrap();
        writer.append(&[episode.finish()]).unwrap();
    }
    let (bad, _) = begin(root.path(), 3);
    std::fs::write(bad.join("run.json"), "{").unwrap();
    std::fs::create_dir(root.path().join("a-odd")).unwrap();
    std::fs::create_dir(root.path().join("b-odd")).unwrap();
    std::fs::create_dir(root.path().join(".new-odd")).unwrap();
    let rows = list(root.path()).unwrap();
    assert_eq!(rows.len(), 4);
    let row = rows.iter().find(|r| r.folder == whole).unwrap();
    assert_eq!(
        (&*row.task, &*row.agent, &*row.profile),
        ("V022", "human", "eai")
    );
    assert_eq!(
        (row.standing, row.steps, row.refused),
        (Standing::Done, 20, 1)
    );
    assert_eq!((row.success, row.safety, row.events), ((3, 3), (2, 2), 23));
    assert_eq!(row.fault, None);
    let faults = |folder: &Path| {
        let row = rows.iter().find(|r| r.folder == folder).unwrap();
        row.fault.clone().unwrap()
    };
    assert!(faults(&bad).contains("run.json line 1"), "{}", faults(&bad));
    assert!(faults(&root.path().join("a-odd")).contains("run.json: not found"));
    assert_eq!(find(root.path(), &row.tail).unwrap(), whole);
    assert_eq!(find(root.path(), &row.id).unwrap(), whole);
    assert_eq!(find(root.path(), whole.to_str().unwrap()).unwrap(), whole);
    let none = find(root.path(), "zzzz").unwrap_err().to_string();
    assert!(
        none.contains("ends in \"zzzz\"; write the end of a run's id"),
        "{none}"
    );
    // No id of a real run ends like this: they end in hex digits.
    let many = find(root.path(), "odd").unwrap_err().to_string();
    assert_eq!(
        many,
        "\"odd\" fits 2 runs: a-odd, b-odd; write more of the end of one"
    );
    assert_eq!(list(&root.path().join("nowhere")).unwrap(), []);
}

#[test]
fn tails_are_short_and_unique() {
    let ids = ["a-31aa", "b-31aa", "c-ffff", "x"].map(str::to_owned);
    assert_eq!(tails(&ids), ["a-31aa", "b-31aa", "ffff", "x"]);
    assert_eq!(tails(&["abcdef".to_owned()]), ["cdef"]);
    assert_eq!(tails::<String>(&[]), Vec::<String>::new());
}

#[test]
fn a_scene_that_was_exchanged_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = begin(root.path(), 1);
    let path = folder.join("scene.json.gz");
    let mut longer = std::fs::read(&path).unwrap();
    longer.extend(b"more");
    std::fs::write(&path, longer).unwrap();
    let run = SavedRun::read(&folder).unwrap();
    let said = run.replay().unwrap_err().to_string();
    assert!(
        said.contains("something follows the end of the scene"),
        "{said}"
    );
    std::fs::write(&path, b"\x1f\x8b\x08nonsense").unwrap();
    let run = SavedRun::read(&folder).unwrap();
    let said = run.replay().unwrap_err().to_string();
    assert!(
        said.contains("scene.json.gz: the scene cannot be unpacked"),
        "{said}"
    );
    std::fs::remove_file(&path).unwrap();
    assert!(run.replay().unwrap_err().to_string().contains("not found"));
}

#[test]
fn names_are_safe_as_files() {
    let root = tempfile::tempdir().unwrap();
    let loaded = v022();
    let mut task = (*loaded.setup.task).clone();
    task.id = "../../\u{202e}evil\n".to_owned();
    let (_, start) = Episode::start(Arc::new(loaded.setup), Profile::Eai).unwrap();
    let new = NewRun {
        agent: "gpt/4 mini",
        task: &task,
        base: &loaded.base,
        profile: Profile::Eai,
        forked_from: None,
        player: None,
    };
    let writer = RunWriter::create(root.path(), new, &[start]).unwrap();
    let id = &writer.header().id;
    assert!(
        id.starts_with("_.._..evil_") || id.starts_with("_.._"),
        "{id}"
    );
    assert!(!id.contains(['/', '\n', '\u{202e}']));
    assert_eq!(writer.folder().parent(), Some(root.path()));
}

/// What a killed maker left behind goes with the next run; what somebody still makes stays.
#[test]
fn leftovers_of_killed_makers_are_swept() {
    let root = tempfile::tempdir().unwrap();
    let left = root.path().join(".new-left");
    let busy = root.path().join(".new-busy");
    for folder in [&left, &busy] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("lock"), "").unwrap();
        std::fs::write(folder.join("scene.json.gz.new"), "x").unwrap();
    }
    let held = std::fs::File::open(busy.join("lock")).unwrap();
    held.lock().unwrap();
    begin(root.path(), 0);
    assert!(!left.exists() && busy.exists());
}

/// Whoever follows a run knows at every look where it stands, also when it went back further than is kept.
#[test]
fn a_run_that_is_followed_stands_where_its_list_says() {
    let root = tempfile::tempdir().unwrap();
    let (folder, mut episode) = begin(root.path(), 5);
    let (_, mut writer) = writable(&folder);
    let mut follow = live::Follow::new(&folder);
    let mut looks = |writer: &RunWriter, steps: u32| {
        let news = follow.poll();
        assert!(news.running && news.fault.is_none());
        let row = list(root.path()).unwrap().remove(0);
        let (at, goals) = follow.stand().unwrap();
        assert_eq!((at, at), (steps, row.steps as u32), "{:?}", writer.saved());
        assert_eq!(goals.len(), row.success.0 + row.safety.0);
    };
    looks(&writer, 5);
    let mut tell = |events: Vec<Event>, steps: u32| {
        writer.append(&events).unwrap();
        looks(&writer, steps);
    };
    let back: Vec<Event> = episode.goto(Pos(2)).into_iter().collect();
    tell(back, 2);
    let turn = episode.act_text("fly to the moon").events;
    tell(turn, 2);
    let turn = episode.act_text("walk bathroom").events;
    tell(turn, 3);
    let end = vec![episode.stop("limit", "enough")];
    tell(end, 3);
    let rooms = ["walk bathroom", "walk bedroom"].iter().cycle();
    let far = rooms.take(600).flat_map(|to| episode.act_text(to).events);
    let far: Vec<Event> = far.collect();
    let steps = far.iter().filter(|e| e.body.makes_position()).count();
    assert!(steps > 500, "{steps}");
    tell(far, 3 + steps as u32);
    let back: Vec<Event> = episode.goto(Pos(4)).into_iter().collect();
    tell(back, 4);
    let turn = episode.act_text("walk bathroom").events;
    tell(turn, 5);
}

/// The way to a position is the steps that lead there and no others.
#[test]
fn the_way_to_a_position_is_read_from_the_file() {
    let root = tempfile::tempdir().unwrap();
    let (folder, mut episode) = begin(root.path(), 5);
    let (_, mut writer) = writable(&folder);
    let mut events: Vec<Event> = episode.goto(Pos(2)).into_iter().collect();
    events.extend(episode.act_text("fly to the moon").events);
    events.extend(episode.act_text("walk bathroom").events);
    let last = events.last().unwrap().seq;
    writer.append(&events).unwrap();
    let mut way = Vec::new();
    live::along(&folder, last, &mut |event| way.push(event.seq)).unwrap();
    assert_eq!(way, [0, 1, 2, last]);
    let none = live::along(&folder, 99, &mut |_| {}).unwrap_err();
    assert!(none.to_string().contains("no event 99"), "{none}");
}
