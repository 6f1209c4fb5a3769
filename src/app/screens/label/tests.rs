//! The queue driven by keys, over runs made in memory.

use super::*;
use crate::app::cmd::Cmd;
use crate::app::jobs::{Job, JobEvent, JobId, Reply};
use crate::app::keymap::{Keymap, SHIPPED};
use crate::app::layer::Place as _;
use crate::app::msg::{Msg, Size};
use crate::app::screens::inspect::tests::{play, saved};
use crate::app::state::{Setup, State};
use crate::app::update::{drive, execute, update};
use crate::formats::run::{NoteBody, read_labels};
use std::sync::Arc;

/// A queue of so many runs, each with a refused attempt and an open goal; Kim labelled some.
struct Desk {
    state: State,
    items: Vec<Item>,
    notes: Vec<Label>,
    /// Whether notes can be written.
    writes: bool,
}

impl Desk {
    fn new(n: usize, kim: usize) -> Self {
        let (state, _) = State::new(Setup {
            size: Size::new(120, 40),
            keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
            ..Setup::default()
        });
        let item = |at: usize| {
            let label = Label {
                by: "Kim".to_owned(),
                class: Some(Class::WrongOrder),
                tags: vec!["door".to_owned()],
                ..Label::default()
            };
            let labels = (at < kim).then(|| ("Kim".to_owned(), label));
            Item {
                folder: format!("saved_runs/T001-x-{at:06x}").into(),
                id: format!("T001-x-{at:06x}"),
                task: "T001".to_owned(),
                who: "human".to_owned(),
                labels: labels.into_iter().collect(),
                fault: String::new(),
            }
        };
        let mut desk = Self {
            state,
            items: (0..n).map(item).collect(),
            notes: Vec::new(),
            writes: true,
        };
        let cmds = execute(&mut desk.state, "label as Me");
        desk.answer(cmds);
        desk
    }

    fn reply(&mut self, id: JobId, event: JobEvent) {
        let cmds = update(&mut self.state, Msg::Job(id, event));
        self.answer(cmds);
    }

    fn answer(&mut self, cmds: Vec<Cmd>) {
        for cmd in cmds {
            let Cmd::Start(id, job) = cmd else { continue };
            let event = match job {
                Job::Label(_) => Ok(Reply::Labels(self.items.clone())),
                Job::LoadRun(_) => {
                    let run = saved(play(&["walk fridge", "grab milk", "done"]));
                    Ok(Reply::Run(Arc::new(run)))
                }
                Job::Note { .. } if !self.writes => Err("read only".to_owned()),
                Job::Note {
                    body: NoteBody::Label(label),
                    ..
                } => {
                    self.notes.push(label);
                    Ok(Reply::Done)
                }
                _ => continue,
            };
            match event {
                Ok(reply) => self.reply(id, JobEvent::Done(Box::new(reply))),
                Err(why) => self.reply(id, JobEvent::Failed(why)),
            }
        }
    }

    fn keys(&mut self, keys: &str) {
        for key in crate::app::key::script(keys) {
            let cmds = update(&mut self.state, Msg::Key(key));
            self.answer(cmds);
        }
    }

    fn queue(&self) -> &Queue {
        match self.state.screen() {
            Screen::Label(queue) => queue,
            other => panic!("{other:?}"),
        }
    }

    fn told(&self) -> String {
        self.queue().told(&self.state.shared).join("\n")
    }
}

#[test]
fn thirty_runs_are_labelled_by_keys_alone() {
    let mut desk = Desk::new(30, 0);
    assert!(desk.told().contains("1 missing step, chosen, proposed"));
    for at in 0..30 {
        // Every third is accepted as proposed; others are told apart, with cause, tag and note.
        desk.keys(match at % 3 {
            0 => "Ctrl-S",
            1 => "7 j Space n w h y Enter Ctrl-S",
            _ => "x t a Space b Ctrl-S",
        });
    }
    assert_eq!(desk.notes.len(), 30);
    let (first, second, third) = (&desk.notes[0], &desk.notes[1], &desk.notes[2]);
    assert_eq!(
        *first,
        Label {
            by: "Me".to_owned(),
            class: Some(Class::MissingStep),
            proposed: Some(Class::MissingStep),
            first: Some(2),
            ..Label::default()
        }
    );
    assert_eq!(second.class, Some(Class::UnsafeAct));
    assert_eq!((second.cause, &*second.text), (Some(3), "why"));
    assert_eq!((third.class, third.first), (None, None));
    assert_eq!(third.tags, ["a", "b"]);
    assert!(desk.told().contains("30 of 30 labelled"));
    let queue = desk.queue();
    assert_eq!(
        queue.all_done(Some("Me")).unwrap(),
        "all 30 labelled: E exports"
    );
}

#[test]
fn others_are_seen_once_ones_own_is_saved() {
    let mut desk = Desk::new(4, 2);
    assert!(
        !desk.told().contains("wrong order by Kim"),
        "{}",
        desk.told()
    );
    assert!(
        desk.told()
            .contains("1 other label, shown once yours is saved")
    );
    desk.keys("Ctrl-S");
    desk.keys("<");
    assert!(
        desk.told().contains("≠ wrong order by Kim [door]"),
        "{}",
        desk.told()
    );
    // Agreement: of two runs both labelled, none yet alike but the second.
    desk.keys("> 2 Ctrl-S");
    assert_eq!(
        desk.queue().kappa_words(Some("Me")).unwrap(),
        "you vs Kim κ .00"
    );
    assert_eq!(desk.queue().disputed(Some("Me")), [0]);
    desk.keys("D");
    assert_eq!(
        desk.queue().dispute_words(0, Some("Me")),
        "T001 000000  Kim: wrong order | you: missing step"
    );
    desk.keys("Enter");
    assert_eq!(desk.queue().at, 0);
}

#[test]
fn what_cannot_be_written_is_kept_and_tried_again() {
    let mut desk = Desk::new(3, 0);
    desk.writes = false;
    desk.keys("Ctrl-S 9 Ctrl-S");
    assert_eq!(desk.queue().unwritten.len(), 2);
    let title = desk.queue().title(&desk.state.shared);
    assert_eq!(title.facts[0].text, "2 not written");
    // Leaving is warned of once.
    desk.keys("Esc");
    assert_eq!(desk.queue().unwritten.len(), 2);
    desk.writes = true;
    desk.keys("r");
    assert!(desk.queue().unwritten.is_empty());
    let classes: Vec<_> = desk.notes.iter().map(|it| it.class).collect();
    assert_eq!(
        classes,
        [Some(Class::MissingStep), Some(Class::ObeyedUnsafe)]
    );
}

#[test]
fn drafts_stay_while_other_runs_are_looked_at() {
    let mut desk = Desk::new(2, 1);
    desk.keys("3 n s o Enter > < ");
    let told = desk.told();
    assert!(
        told.contains("3 affordance, chosen") && told.contains("note: so"),
        "{told}"
    );
    // A tag that was used before is completed.
    desk.keys("t d o Tab Enter");
    assert!(desk.told().contains("tags: door"), "{}", desk.told());
}

#[test]
fn a_reviewer_without_a_name_is_asked_for_one() {
    let mut desk = Desk::new(1, 0);
    let cmds = execute(&mut desk.state, "label");
    desk.answer(cmds);
    drive(&mut desk.state, "");
    desk.keys("Ctrl-S");
    assert!(desk.notes.is_empty());
    assert_eq!(desk.queue().field, Some(Field::Name));
    desk.keys("L e e Enter");
    assert_eq!(desk.notes[0].by, "Lee");
    assert_eq!(
        desk.state.shared.settings.reviewer.value.as_deref(),
        Some("Lee")
    );
}

#[test]
fn the_table_of_a_queue_is_read_back() {
    let mut desk = Desk::new(2, 2);
    desk.keys("n a , Space b Ctrl-S");
    let cmds = execute(&mut desk.state, "label-write l.csv");
    let [Cmd::Start(_, Job::SaveText(path, text))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(path.to_str(), Some("l.csv"));
    let (rows, faults) = read_labels("l.csv", text.as_bytes()).unwrap();
    assert!(faults.is_empty());
    let who: Vec<_> = rows.iter().map(|row| &*row.label.by).collect();
    assert_eq!(who, ["Kim", "Me", "Kim"]);
    assert_eq!(rows[1].label.text, "a, b");
}
