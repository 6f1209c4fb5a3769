//! Runs as a layer and a place.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::commands::Availability;
use crate::app::edit::LineEdit;
use crate::app::filter_line::FilterLine;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::notice::Notice;
use crate::app::role::Role;
use crate::app::screens::Screen;
use crate::app::shelves::View;
use crate::app::state::Shared;
use crate::eval::write;
use crate::query::complete;
use crate::query::row::Stage;
use crate::query::shelf::{Group, Sort};
use crate::query::tell;

use super::{Line, Pane, Runs};

/// The slots of the jobs.
const READ: &str = "read";
const SAVE: &str = "save";
const KEEP: &str = "keep";

/// The file that is offered for the table.
const OFFERED: &str = "runs.csv";

impl Runs {
    fn start(&mut self) -> Vec<Act> {
        self.arms = self.query.needs() == Stage::Armed;
        self.loading = true;
        self.failed = None;
        vec![Act::Job(READ, Job::Shelve(self.asked.clone(), self.arms))]
    }

    /// The text says something else.
    fn typed(&mut self) -> Vec<Act> {
        if self.reread() {
            self.refresh(true);
        }
        self.offer_anew();
        Vec::new()
    }

    /// The query is settled: the job that goes on may have to tell more.
    fn settled(&mut self) -> Vec<Act> {
        self.line.editing = false;
        self.offers.clear();
        if self.wants_arms() {
            self.start()
        } else {
            Vec::new()
        }
    }

    fn put(&mut self, text: &str) {
        let editing = self.line.editing;
        self.line = FilterLine::new(text);
        self.line.editing = editing;
    }

    fn take_offer(&mut self) -> Vec<Act> {
        if let Some(offer) = self.offers.get(self.offer) {
            let (before, after) = self.line.edit.halves();
            let head = complete::take(&before, offer);
            // The bracket that an offer closes may stand there already.
            let after = match (head.ends_with(')'), after.strip_prefix(')')) {
                (true, Some(rest)) => rest.to_owned(),
                _ => after,
            };
            let mut edit = LineEdit::new(&format!("{head}{after}"));
            for _ in 0..after.chars().count() {
                edit.run("text-left");
            }
            self.line.edit = edit;
        }
        self.typed()
    }

    fn question(&mut self, command: &str) -> Option<Vec<Act>> {
        let n = self.offers.len().max(1);
        match command {
            "question-keep" => return Some(self.settled()),
            "question-take" => return Some(self.take_offer()),
            "question-next" => self.offer = (self.offer + 1) % n,
            "question-previous" => self.offer = (self.offer + n - 1) % n,
            "question-leave" => {
                let before = self.before.clone();
                self.put(&before);
                if self.reread() {
                    self.refresh(true);
                }
                return Some(self.settled());
            }
            _ if self.line.editing && self.line.edit.run(command) => return Some(self.typed()),
            _ => return None,
        }
        Some(Vec::new())
    }

    /// Into the run or group under the cursor.
    fn enter(&mut self) -> Vec<Act> {
        let Some(at) = self.here() else {
            self.fold(None);
            return Vec::new();
        };
        let step = self.steps(at).first().copied();
        let step = step.or_else(|| self.row(at)?.first_bad.map(|(pos, _)| pos));
        let step = step.map_or_else(String::new, |pos| format!(" s{pos}"));
        let line = self
            .folder(at)
            .map(|folder| format!("inspect {folder}{step}"));
        line.map(Act::Run).into_iter().collect()
    }

    /// Unfolds or folds the group under the cursor; `None` does the other of what it is.
    fn fold(&mut self, unfold: Option<bool>) {
        let Some(key) = self.group().map(|it| it.key.clone()) else {
            return;
        };
        let on_run = self.here().is_some();
        match unfold {
            Some(false) if on_run => {
                self.on.run = None;
            }
            Some(true) => {
                self.unfolded.insert(key);
            }
            Some(false) => {
                self.unfolded.remove(&key);
            }
            None => {
                if !self.unfolded.remove(&key) {
                    self.unfolded.insert(key);
                }
            }
        }
        self.layout(false);
    }

    fn pick(&mut self, all: bool) {
        let rows = match (all, self.here(), self.group()) {
            (true, ..) => self.found.rows.clone(),
            (false, Some(at), _) => vec![at],
            (false, None, Some(group)) => group.rows.clone(),
            (false, None, None) => Vec::new(),
        };
        let known = rows.iter().filter_map(|at| self.row(*at));
        let keys: Vec<_> = known.map(|row| (row.root, Arc::clone(&row.id))).collect();
        let has_all = keys.iter().all(|key| self.picked.contains(key));
        for key in keys {
            if has_all {
                self.picked.remove(&key);
            } else {
                self.picked.insert(key);
            }
        }
    }

    fn out(&mut self) -> Vec<Act> {
        if self.zoomed || self.focus == Pane::Detail {
            self.zoomed = false;
            self.focus = Pane::List;
        } else if !self.line.is_empty() {
            self.put("");
            self.reread();
            self.refresh(true);
        } else if !self.picked.is_empty() {
            self.picked.clear();
        } else {
            return vec![Act::Leave];
        }
        Vec::new()
    }

    /// Hands the runs that are meant to another command, once there is one.
    fn hand_to(&self, command: &str, before: &str) -> Vec<Act> {
        let folders: Vec<String> = self
            .meant()
            .into_iter()
            .filter_map(|at| self.folder(at))
            .map(|folder| {
                if folder.contains(' ') {
                    format!("{before}\"{folder}\"")
                } else {
                    format!("{before}{folder}")
                }
            })
            .collect();
        vec![Act::Run(format!("{command} {}", folders.join(" ")))]
    }

    fn hear(&mut self, told: Reply) -> Vec<Act> {
        match told {
            Reply::Shelf(shelved) => {
                let wrong = self.take(*shelved);
                // Nobody has looked around yet: the order may settle.
                if !self.loading && self.list.cursor == 0 {
                    self.refresh(true);
                }
                let notices = wrong.into_iter().map(|why| Act::Notice(Notice::warn(why)));
                notices.collect()
            }
            Reply::Views(views) => {
                let told = format!(
                    "kept, {} in all",
                    crate::query::tell::many(views.len(), "view")
                );
                self.views = views;
                vec![Act::Notice(Notice::info(told))]
            }
            Reply::Written(path) => vec![Act::Notice(Notice::info(format!(
                "{path}: {} written",
                crate::query::tell::many(self.found.rows.len(), "run")
            )))],
            _ => Vec::new(),
        }
    }

    /// What is gone is not picked any more.
    fn forget_gone(&mut self) {
        let rows = self.shelf.rows.iter();
        let known: BTreeSet<_> = rows.map(|row| (row.root, Arc::clone(&row.id))).collect();
        self.picked.retain(|key| known.contains(key));
    }

    fn save(&self, path: &str) -> Vec<Act> {
        let path = path.trim_matches('"');
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let Some(format) = write::find(ending) else {
            let known: Vec<&str> = write::FORMATS.iter().map(|it| it.id).collect();
            let told = format!("{path}: the ending says the format: {}", known.join(", "));
            return vec![Act::Notice(Notice::warn(told))];
        };
        let text = (format.write)(&tell::table(&self.shelf, &self.found.rows));
        vec![Act::Job(SAVE, Job::SaveText(path.into(), text))]
    }
}

impl Layer for Runs {
    fn contexts(&self) -> Vec<&'static str> {
        if self.line.editing {
            vec!["question", "input"]
        } else {
            vec!["library", "pane", "list"]
        }
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        let any = || Availability::when(!self.lines.is_empty(), "there is no run here");
        match command {
            "library-compare" => match self.picks() {
                2..=6 => Availability::Ready,
                n => Availability::blocked(format!("pick 2 to 6 runs with Space: {n} are picked")),
            },
            "library-save" if args.is_empty() => Availability::blocked("name a file"),
            "library-open" | "library-pick" | "library-unfold" | "library-fold"
            | "library-pick-all" | "library-export" | "library-label" | "library-save" => any(),
            "library-view" => {
                Availability::when(!self.line.is_empty(), "there is no query to keep")
            }
            "library-keep" if args.is_empty() || args.contains(':') => {
                Availability::blocked("give it a name without a colon")
            }
            "library-keep" => Availability::when(self.wrong.is_none(), "the query cannot be read"),
            "library-again" => Availability::when(!self.loading, "they are being read"),
            "library-sort" => Availability::when(
                args.is_empty() || Sort::parse(args).is_some(),
                "there is no such order: new, task, who, bad, first_bad, steps or cost",
            ),
            "library-group" => Availability::when(
                args.is_empty() || Group::parse(args).is_some(),
                "runs cannot be put together by that: class, task, risk, model, outcome, error, rule …",
            ),
            "question-take" | "question-next" | "question-previous" => {
                Availability::when(!self.offers.is_empty(), "nothing is offered here")
            }
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if let Some(acts) = self.question(command) {
            return Some(acts);
        }
        match command {
            "filter" => {
                self.before = self.line.edit.text();
                self.line.editing = true;
                self.offer_anew();
            }
            "library-open" => return Some(self.enter()),
            "library-pick" => {
                self.pick(false);
                let (len, page) = (self.lines.len(), shared.page());
                self.list.run("cursor-down", len, page);
                self.remember();
            }
            "library-pick-all" => self.pick(true),
            "library-unfold" => self.fold(Some(true)),
            "library-fold" => self.fold(Some(false)),
            "library-compare" => return Some(self.hand_to("compare", "")),
            "library-label" => return Some(self.hand_to("label", "run ")),
            "library-export" => {
                return Some(vec![Act::Run(format!(
                    "command-line library-save {OFFERED}"
                ))]);
            }
            "library-save" => return Some(self.save(args)),
            "library-view" => {
                let name = format!("view-{}", self.views.len() + 1);
                return Some(vec![Act::Run(format!("command-line library-keep {name}"))]);
            }
            "library-keep" => {
                let view = View {
                    name: args.to_owned(),
                    query: self.query.to_string(),
                };
                return Some(vec![Act::Job(KEEP, Job::KeepView(view))]);
            }
            "library-sort" => {
                self.sort = Sort::parse(args).unwrap_or_else(|| self.sort.next());
                self.refresh(true);
            }
            "library-group" => {
                self.by = Group::parse(args).unwrap_or_else(|| self.by.next());
                self.refresh(true);
            }
            "library-again" => return Some(self.start()),
            "next-pane" | "previous-pane" => {
                self.focus = match self.focus {
                    Pane::List => Pane::Detail,
                    Pane::Detail => Pane::List,
                };
            }
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "out" => return Some(self.out()),
            _ if self.focus == Pane::Detail => {
                let len = self.detail().len();
                return self.scroll.run(command, len, shared.page()).then(Vec::new);
            }
            _ => {
                let len = self.lines.len();
                if !self.list.run(command, len, shared.page()) {
                    return None;
                }
                self.remember();
            }
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.line.editing
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        self.line.insert(text);
        self.typed()
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        self.start()
    }

    fn on_covered(&mut self, _by: &Screen, _shared: &Shared) -> &'static [&'static str] {
        self.loading = false;
        &[READ]
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        let mut ends = false;
        let told = match event {
            JobEvent::Progress { .. } => return Vec::new(),
            JobEvent::Failed(reason) if slot == READ => {
                self.loading = false;
                self.failed = Some(reason.clone());
                return vec![Act::Notice(Notice::error(reason))];
            }
            JobEvent::Failed(reason) => return vec![Act::Notice(Notice::error(reason))],
            JobEvent::Part(reply) => *reply,
            JobEvent::Done(reply) => {
                if slot == READ {
                    self.loading = false;
                    ends = true;
                }
                *reply
            }
        };
        let acts = self.hear(told);
        if ends {
            self.forget_gone();
        }
        acts
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        match self.lines.get(self.list.cursor)? {
            Line::Run(_, at) => Some(tell::line(&self.shelf, *at as usize, &self.steps(*at))),
            Line::Group(at) => {
                let group = self.groups.get(*at)?;
                Some(format!("{} {}", group.key, group.rows.len()))
            }
        }
    }

    fn failed(&self) -> bool {
        self.failed.is_some()
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let query = self.line.edit.text();
        let mut lines = vec![format!("runs, {}, query {query:?}", self.count())];
        if let Some(wrong) = &self.wrong {
            lines.push(format!(
                "the query cannot be read: {wrong}; shown is what fits {:?}",
                self.query.to_string()
            ));
        }
        if self.lines.is_empty() {
            lines.push(self.nothing());
        }
        for group in &self.groups {
            let new = if group.new > 0 {
                format!(", {} new", group.new)
            } else {
                String::new()
            };
            lines.push(format!(
                "{} {}: {}{new}",
                self.by.id(),
                group.key,
                group.rows.len()
            ));
            for at in &group.rows {
                lines.push(format!(
                    "run {}",
                    tell::line(&self.shelf, *at as usize, &self.steps(*at))
                ));
            }
        }
        if self.found.pending > 0 {
            lines.push(format!("not known yet: {}", self.found.pending));
        }
        if self.found.untold > 0 {
            lines.push(format!("cannot be told: {}", self.found.untold));
        }
        lines
    }
}

impl Place for Runs {
    fn title(&self, _shared: &Shared) -> Title {
        let (read, judged, all) = self.read;
        let mut facts = vec![Fact::new(self.count(), Role::Text)];
        if self.picks() > 0 {
            facts.push(Fact::new(format!("{} picked", self.picks()), Role::Picked));
        }
        if self.loading && read < all {
            facts.push(Fact::new(format!("reading {read} of {all}"), Role::Pending));
        } else if self.loading && judged < all {
            facts.push(Fact::new(format!("rules {judged} of {all}"), Role::Pending));
        } else if self.loading && self.arms {
            facts.push(Fact::new("looking for what is armed", Role::Pending));
        }
        if self.found.pending > 0 {
            facts.push(Fact::new(
                format!("{} not known yet", self.found.pending),
                Role::Stale,
            ));
        }
        facts.push(Fact::new(format!("sort {}", self.sort.id()), Role::Text));
        facts.push(Fact::new(format!("group {}", self.by.id()), Role::Text));
        Title {
            subject: match self.folders.as_slice() {
                [] | [_] => String::new(),
                many => format!("{} folders", many.len()),
            },
            facts,
        }
    }
}
