//! The label queue as a layer and a place.

use crate::app::commands::Availability;
use crate::app::edit::LineEdit;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Rail, Title};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::role::Role;
use crate::app::screens::inspect::loaded::Loaded;
use crate::app::settings::reviewer;
use crate::app::state::Shared;
use crate::formats::run::{Class, Label, Labelled, NoteBody, write_labels};

use super::draft::{Field, completion};
use super::{Current, Pane, Queue, Shown, Stage};

/// The slots of the jobs.
const QUEUE: &str = "queue";
const RUN: &str = "run";
const SAVE: &str = "save";
const NAME: &str = "name";
const WRITE: &str = "write";

/// The file that is offered for the table.
const OFFERED: &str = "labels.csv";

impl Queue {
    /// Opens a run of the queue.
    fn go(&mut self, at: usize) -> Vec<Act> {
        self.at = at.min(self.items.len().saturating_sub(1));
        self.focus = Pane::Cause;
        let Some(item) = self.items.get(self.at) else {
            self.current = Current::None;
            return Vec::new();
        };
        if !item.fault.is_empty() {
            self.current = Current::Failed(item.fault.clone());
            return Vec::new();
        }
        self.current = Current::Loading;
        let name = item.folder.display().to_string();
        vec![Act::Job(RUN, Job::LoadRun(name))]
    }

    /// Saves the label and goes on; asks for the reviewer's name first where none is known.
    fn save(&mut self, shared: &Shared) -> Vec<Act> {
        self.field = None;
        let Some(me) = self.reviewer(shared).map(str::to_owned) else {
            self.saves = true;
            self.field = Some(Field::Name);
            return Vec::new();
        };
        if self.shown().is_none() {
            return Vec::new();
        }
        let label = self.label(&me);
        let at = self.at;
        self.drafts.remove(&at);
        self.unwritten.remove(&at);
        self.warned = false;
        if let Some(item) = self.items.get_mut(at) {
            item.labels.insert(me.clone(), label.clone());
        }
        let mut acts = self.hand_over(at, label);
        match self.unlabelled(&me) {
            Some(next) => acts.extend(self.go(next)),
            None => acts.extend(
                self.all_done(Some(&me))
                    .map(|words| Act::Notice(Notice::info(words))),
            ),
        }
        acts
    }

    /// Gives a label to the writer, after those that wait: one at a time, so that it is known which failed.
    fn hand_over(&mut self, at: usize, label: Label) -> Vec<Act> {
        self.writing.push_back((at, label));
        if self.writing.len() > 1 {
            return Vec::new();
        }
        self.write_first()
    }

    fn write_first(&self) -> Vec<Act> {
        let job = self.writing.front().and_then(|(at, label)| {
            let folder = self.items.get(*at)?.folder.clone();
            let body = NoteBody::Label(label.clone());
            Some(Act::Job(SAVE, Job::Note { folder, body }))
        });
        job.into_iter().collect()
    }

    /// What became of the label that was handed over.
    fn written(&mut self, failed: Option<String>) -> Vec<Act> {
        let mut acts = Vec::new();
        if let (Some((at, label)), Some(why)) = (self.writing.pop_front(), failed) {
            self.unwritten.insert(at, label);
            let n = self.unwritten.len();
            let words = format!("{why}; {n} kept here until written, r tries again");
            acts.push(Act::Notice(Notice::error(words)));
        }
        acts.extend(self.write_first());
        acts
    }

    fn again(&mut self) -> Vec<Act> {
        let waiting = std::mem::take(&mut self.unwritten);
        let mut acts = Vec::new();
        for (at, label) in waiting {
            acts.extend(self.hand_over(at, label));
        }
        acts
    }

    /// Takes a reviewer's name, keeps it in the user's settings, and saves the label that waited for it.
    fn take_name(&mut self, text: &str, shared: &mut Shared) -> Vec<Act> {
        let name = match reviewer(text) {
            Ok(name) => name,
            Err(why) => return vec![Act::Notice(Notice::warn(why))],
        };
        self.field = None;
        self.named = None;
        // It has been checked.
        let _ = shared.reset(|settings| settings.choose("reviewer", &name));
        let unchosen = Box::new(shared.settings.unchosen());
        let job = Job::KeepSettings(unchosen, vec![("reviewer", name)]);
        let mut acts = vec![Act::Job(NAME, job)];
        if std::mem::take(&mut self.saves) {
            acts.extend(self.save(shared));
        }
        acts
    }

    fn choose(&mut self, class: Option<Class>) {
        self.draft_mut().class = Some(class);
    }

    /// Takes the step under the cursor for the cause; takes it back where it is that already.
    fn cause_here(&mut self, me: Option<&str>) {
        let Some((seq, row)) = self.shown().and_then(|shown| {
            let row = *shown.loaded.shown.get(shown.loaded.list.cursor)?;
            Some((shown.seq(row)?, row))
        }) else {
            return;
        };
        let is_it = self.cause(me) == Some(row);
        self.draft_mut().cause = Some((!is_it).then_some(seq));
    }

    /// Gives the keys to a line, begun with what was saved.
    fn write_line(&mut self, field: Field, me: Option<&str>) {
        let (note, tags) = (self.note_text(me), self.tags_text(me));
        let draft = self.draft_mut();
        match field {
            Field::Note => {
                draft.note.get_or_insert_with(|| LineEdit::new(&note));
            }
            Field::Tags => {
                draft.tags.get_or_insert_with(|| LineEdit::new(&tags));
            }
            Field::Name => {}
        }
        self.field = Some(field);
    }

    /// The line that has the keys.
    fn line(&mut self) -> Option<&mut LineEdit> {
        let draft = self.drafts.get_mut(&self.at);
        match self.field? {
            Field::Note => draft?.note.as_mut(),
            Field::Tags => draft?.tags.as_mut(),
            Field::Name => Some(&mut self.name),
        }
    }

    /// A command while a line is written; `None` if it is none of it.
    fn on_line_command(&mut self, command: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        let field = self.field?;
        match command {
            "label-line-keep" | "label-line-save" if field == Field::Name => {
                let text = self.name.text();
                return Some(self.take_name(&text, shared));
            }
            "label-line-keep" => self.field = None,
            "label-line-save" => return Some(self.save(shared)),
            "label-line-complete" => {
                let rest = match (field, self.draft().and_then(|it| it.tags.as_ref())) {
                    (Field::Tags, Some(line)) => completion(line, &self.items),
                    _ => None,
                };
                if let (Some(rest), Some(line)) = (rest, self.line()) {
                    line.insert(&rest);
                }
            }
            "out" => {
                self.field = None;
                self.saves = false;
            }
            _ => {
                if !self.line()?.run(command) {
                    return None;
                }
            }
        }
        Some(Vec::new())
    }

    /// The table of all labels of the queue.
    fn table(&self) -> String {
        let rows = self.items.iter().flat_map(|item| {
            item.labels.values().map(|label| Labelled {
                run: item.id.clone(),
                task: item.task.clone(),
                created: String::new(),
                label: label.clone(),
            })
        });
        write_labels(&rows.collect::<Vec<_>>())
    }

    fn enter(&mut self, me: Option<&str>) -> Vec<Act> {
        if let Some(list) = &self.disputes {
            let at = self.disputed(me).get(list.cursor).copied();
            self.disputes = None;
            return at.map_or_else(Vec::new, |at| self.go(at));
        }
        let step = self.shown().map(|it| it.loaded.pos());
        let Some((item, step)) = self.item().zip(step) else {
            return Vec::new();
        };
        vec![Act::Run(format!(
            "inspect {} s{step}",
            item.folder.display()
        ))]
    }

    fn out(&mut self) -> Vec<Act> {
        if self.disputes.take().is_some() {
            return Vec::new();
        }
        if self.zoomed || self.focus == Pane::Steps {
            self.zoomed = false;
            self.focus = Pane::Cause;
            return Vec::new();
        }
        let open = self.unwritten.len() + self.writing.len();
        if open > 0 && !self.warned {
            self.warned = true;
            let words = format!("{open} not written: r tries again; leaving once more drops them");
            return vec![Act::Notice(Notice::error(words))];
        }
        vec![Act::Leave]
    }

    fn hear(&mut self, slot: &str, told: Reply, shared: &mut Shared) -> Vec<Act> {
        match (slot, told) {
            (QUEUE, Reply::Labels(items)) => {
                self.items = items;
                self.stage = Stage::Ready;
                let me = self.reviewer(shared).map(str::to_owned);
                let open = |at: &usize| {
                    let item = self.items.get(*at);
                    item.is_some_and(|it| me.as_ref().is_none_or(|me| !it.labels.contains_key(me)))
                };
                let first = (0..self.items.len()).find(open).unwrap_or(0);
                self.go(first)
            }
            (RUN, Reply::Run(run)) => {
                self.current = Current::Open(Box::new(Shown::new(Loaded::new(run))));
                Vec::new()
            }
            (RUN, Reply::LongRun(huge)) => {
                self.current = Current::Failed(huge.words());
                Vec::new()
            }
            (RUN, Reply::Foreign(_)) => {
                let why = "another tool recorded it: there is no world to show; :inspect opens it as a text";
                self.current = Current::Failed(why.to_owned());
                Vec::new()
            }
            (SAVE, _) => self.written(None),
            (NAME, Reply::Kept(read, _)) => {
                shared.reset(|settings| settings.kept(*read));
                Vec::new()
            }
            (WRITE, Reply::Written(path)) => {
                let n: usize = self.items.iter().map(|it| it.labels.len()).sum();
                vec![Act::Notice(Notice::info(format!(
                    "{path}: {n} labels written"
                )))]
            }
            _ => Vec::new(),
        }
    }
}

impl Layer for Queue {
    fn contexts(&self) -> Vec<&'static str> {
        if self.field.is_some() {
            vec!["labelling", "input"]
        } else {
            vec!["labels", "pane", "list"]
        }
    }

    fn when(&self, command: &str, args: &str, shared: &Shared) -> Availability {
        let me = self.reviewer(shared);
        let any = || Availability::when(self.shown().is_some(), "no run is open here");
        match command {
            "label-class" => {
                let digit = args.chars().next().and_then(Class::of_digit);
                match (digit, self.shown()) {
                    (None, _) => Availability::blocked("say a digit, as in label-class 7"),
                    (_, None) => Availability::blocked("no run is open here"),
                    _ => Availability::Ready,
                }
            }
            "label-nothing" | "label-cause" | "label-note" | "label-tags" | "label-save" => any(),
            "label-open" if self.disputes.is_none() => any(),
            "label-next" => Availability::when(
                self.at + 1 < self.items.len(),
                "this is the last run of the queue",
            ),
            "label-previous" => Availability::when(self.at > 0, "this is the first run"),
            "label-disputes" => Availability::when(
                self.disputes.is_some() || !self.disputed(me).is_empty(),
                "nobody labels differently what you labelled",
            ),
            "label-why" => Availability::when(
                self.kappa_words(me).is_some(),
                "nobody else labelled what you labelled",
            ),
            "label-export" => Availability::when(
                self.items.iter().any(|it| !it.labels.is_empty()),
                "nothing is labelled yet",
            ),
            "label-write" if args.is_empty() => Availability::blocked("name a file"),
            "label-again" => Availability::when(!self.unwritten.is_empty(), "all is written"),
            "label-who" if !args.is_empty() => match reviewer(args) {
                Ok(_) => Availability::Ready,
                Err(why) => Availability::blocked(why),
            },
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            "filter" => Availability::blocked("leave the queue and narrow it with a query"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if self.field.is_some() {
            return self.on_line_command(command, shared);
        }
        let me = self.reviewer(shared).map(str::to_owned);
        let me = me.as_deref();
        match command {
            "label-class" => {
                let class = args.chars().next().and_then(Class::of_digit);
                self.choose(class);
            }
            "label-nothing" => self.choose(None),
            "label-cause" => self.cause_here(me),
            "label-note" => self.write_line(Field::Note, me),
            "label-tags" => self.write_line(Field::Tags, me),
            "label-save" => return Some(self.save(shared)),
            "label-next" => return Some(self.go(self.at + 1)),
            "label-previous" => return Some(self.go(self.at.saturating_sub(1))),
            "label-open" => return Some(self.enter(me)),
            "label-disputes" => {
                self.disputes = match self.disputes {
                    Some(_) => None,
                    None => Some(List::default()),
                };
            }
            "label-why" => {
                let why = self.why(me).map(|it| Overlay::Computed(Box::new(it)));
                return Some(why.map(Act::Show).into_iter().collect());
            }
            "label-export" => {
                let line = format!("command-line label-write {OFFERED}");
                return Some(vec![Act::Run(line)]);
            }
            "label-write" => {
                let path = args.trim_matches('"').into();
                return Some(vec![Act::Job(WRITE, Job::SaveText(path, self.table()))]);
            }
            "label-again" => return Some(self.again()),
            "label-who" if args.is_empty() => {
                self.name = LineEdit::new(me.unwrap_or_default());
                self.field = Some(Field::Name);
            }
            "label-who" => return Some(self.take_name(args, shared)),
            "next-pane" | "previous-pane" => {
                self.focus = match self.focus {
                    Pane::Cause => Pane::Steps,
                    Pane::Steps => Pane::Cause,
                };
            }
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "out" => return Some(self.out()),
            _ => {
                let page = shared.page();
                let disputed = self.disputed(me).len();
                if let Some(list) = &mut self.disputes {
                    return list.run(command, disputed, page).then(Vec::new);
                }
                let moved = match self.shown_mut() {
                    Some(shown) => shown.loaded.move_cursor(command, page),
                    None => List::default().run(command, 0, page),
                };
                return moved.then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.field.is_some()
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        if let Some(line) = self.line() {
            line.insert(text);
        }
        Vec::new()
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        // Coming back from a run changes nothing here.
        if self.stage == Stage::Asked {
            return vec![Act::Job(QUEUE, Job::Label(self.asked.clone()))];
        }
        Vec::new()
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Progress { done, total } => {
                if slot == QUEUE {
                    self.stage = Stage::Reading(done, total);
                }
                Vec::new()
            }
            JobEvent::Failed(why) => match slot {
                SAVE => self.written(Some(why)),
                QUEUE => {
                    self.stage = Stage::Failed(why);
                    Vec::new()
                }
                RUN => {
                    self.current = Current::Failed(why);
                    Vec::new()
                }
                _ => vec![Act::Notice(Notice::error(why))],
            },
            JobEvent::Part(reply) | JobEvent::Done(reply) => self.hear(slot, *reply, shared),
        }
    }

    fn on_gone(&self) -> Option<Job> {
        // The first was handed over and is written whoever waits.
        let waiting = self.writing.iter().skip(1).map(|(at, label)| (at, label));
        let notes = waiting.chain(&self.unwritten).filter_map(|(at, label)| {
            let folder = self.items.get(*at)?.folder.clone();
            Some((folder, NoteBody::Label(label.clone())))
        });
        let notes: Vec<_> = notes.collect();
        (!notes.is_empty()).then_some(Job::Notes(notes))
    }

    fn row_text(&self, shared: &Shared) -> Option<String> {
        let me = self.reviewer(shared);
        if let Some(list) = &self.disputes {
            let at = *self.disputed(me).get(list.cursor)?;
            return Some(self.dispute_words(at, me));
        }
        let shown = self.shown()?;
        let row = *shown.loaded.shown.get(shown.loaded.list.cursor)?;
        Some(shown.row_words(row))
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        self.told(shared)
    }
}

impl Place for Queue {
    fn title(&self, shared: &Shared) -> Title {
        let me = self.reviewer(shared);
        let mut facts = Vec::new();
        if !self.unwritten.is_empty() {
            let words = format!("{} not written", self.unwritten.len());
            facts.push(Fact::new(words, Role::Error));
        }
        if let Stage::Reading(done, total) = self.stage {
            facts.push(Fact::new(format!("{done} of {total}"), Role::Pending));
        }
        facts.push(Fact::new(format!("{} labelled", self.done(me)), Role::Text));
        facts.extend(
            self.kappa_words(me)
                .map(|words| Fact::new(words, Role::Text)),
        );
        facts.push(match me {
            Some(me) => Fact::new(format!("by {me}"), Role::Text),
            None => Fact::new("reviewer not named", Role::Armed),
        });
        let subject = self.item().map_or_else(String::new, |item| {
            let (at, n) = (self.at + 1, self.items.len());
            format!("{at} of {n}  {} {}", item.task, item.tail())
        });
        Title { subject, facts }
    }

    fn rail(&self, _shared: &Shared) -> Rail {
        self.shown().map_or_else(Rail::default, |shown| {
            shown.loaded.rail(false, String::new())
        })
    }
}
