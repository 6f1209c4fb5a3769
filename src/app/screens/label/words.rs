//! What the label queue says.

use crate::app::labels::agreements;
use crate::app::overlays::computed::{Computed, Row};
use crate::app::parts::steps;
use crate::app::role::Role;
use crate::app::state::Shared;
use crate::base::figures::figure;
use crate::eval::agreement::Agreement;
use crate::formats::run::Class;

use super::{Current, Queue, Shown, Stage};

/// A class as a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its key.
    pub key: char,
    /// Its words.
    pub words: &'static str,
    /// Whether it is the one that would be saved.
    pub is_on: bool,
    /// Whether it was proposed.
    pub is_proposed: bool,
}

/// What is said where nothing is wrong.
const NOTHING: &str = "nothing wrong";

impl Shown {
    /// A row of the run in a line: `s8 switchon microwave`.
    pub fn row_words(&self, row: usize) -> String {
        let Some(row) = self.loaded.rows.get(row) else {
            return String::new();
        };
        let (name, words) = self.loaded.words(row);
        format!("{name} {words}").trim().to_owned()
    }

    /// The first bad step with what is bad about it.
    pub fn evidence(&self) -> Vec<(String, Role)> {
        let Some(row) = self.loaded.rows.get(self.first) else {
            return Vec::new();
        };
        let tail = self.loaded.tail(row);
        let is_bad = steps::mark(row, self.loaded.event(row)).is_some() || !tail.is_empty();
        let lead = if is_bad {
            "first bad step"
        } else {
            "last step"
        };
        let mut lines = vec![(
            format!("{lead} {}   {tail}", self.row_words(self.first))
                .trim_end()
                .to_owned(),
            Role::Title,
        )];
        let rules = self.loaded.mark(row).map(|mark| &mark.broke);
        for rule in rules.into_iter().flatten() {
            let words = format!("  {} !{} {}", rule.id, rule.severity, rule.title);
            lines.push((words, Role::Text));
        }
        if let Some(why) = &self.unknown {
            lines.push((format!("  nothing can be proposed: {why}"), Role::Stale));
        }
        lines
    }
}

impl Queue {
    /// The classes to choose from, in the order of their keys.
    pub fn choices(&self, me: Option<&str>) -> Vec<Choice> {
        let on = self.class(me);
        let proposed = self.shown().map(|it| it.proposed);
        let classes = Class::ALL.into_iter().map(|class| Choice {
            key: class.digit(),
            words: class.words(),
            is_on: self.shown().is_some() && on == Some(class),
            is_proposed: proposed == Some(Some(class)),
        });
        let nothing = Choice {
            key: 'x',
            words: NOTHING,
            is_on: self.shown().is_some() && on.is_none(),
            is_proposed: proposed == Some(None),
        };
        classes.chain([nothing]).collect()
    }

    /// What it is about and what caused it, in a line.
    pub fn about_words(&self, me: Option<&str>) -> String {
        let Some(shown) = self.shown() else {
            return String::new();
        };
        let about = if shown.about.is_empty() {
            "no rule".to_owned()
        } else {
            shown.about.join(" ")
        };
        let cause = match self.cause(me) {
            Some(row) => format!("cause {}", shown.row_words(row)),
            None => "no cause step (Space takes the one under the cursor)".to_owned(),
        };
        format!("about {about}   {cause}")
    }

    /// The tags as they would be saved.
    pub fn tags_text(&self, me: Option<&str>) -> String {
        let draft = self.draft().and_then(|it| it.tags.as_ref());
        let saved = || {
            let tags = self.mine(me).map(|it| it.tags.join(" "));
            tags.unwrap_or_default()
        };
        draft.map_or_else(saved, crate::app::edit::LineEdit::text)
    }

    /// The note as it would be saved.
    pub fn note_text(&self, me: Option<&str>) -> String {
        let draft = self.draft().and_then(|it| it.note.as_ref());
        let saved = || self.mine(me).map(|it| it.text.clone()).unwrap_or_default();
        draft.map_or_else(saved, crate::app::edit::LineEdit::text)
    }

    /// How the label stands: saved, changed since, not written, and what others said once that may be seen.
    pub fn status(&self, me: Option<&str>) -> Vec<(String, Role)> {
        let mut lines = Vec::new();
        if let Some(label) = self.unwritten.get(&self.at) {
            let words = format!("not written, kept here: {}; r tries again", label.words());
            lines.push((words, Role::Error));
        } else if let Some(label) = self.mine(me) {
            lines.push((format!("✎ saved: {}", label.words()), Role::Good));
        }
        let hidden = self
            .item()
            .filter(|_| self.mine(me).is_none())
            .map_or(0, |it| it.labels.len());
        match hidden {
            0 => {}
            1 => lines.push((
                "1 other label, shown once yours is saved".to_owned(),
                Role::Dim,
            )),
            n => lines.push((
                format!("{n} other labels, shown once yours is saved"),
                Role::Dim,
            )),
        }
        let mine = self.mine(me).map(|it| it.class);
        for label in self.others(me) {
            let (sign, role) = if Some(label.class) == mine {
                ('=', Role::Dim)
            } else {
                ('≠', Role::Armed)
            };
            lines.push((format!("{sign} {}", label.words()), role));
        }
        lines
    }

    /// What is said instead of a run.
    pub fn nothing(&self, me: Option<&str>) -> String {
        match (&self.stage, &self.current) {
            (Stage::Asked, _) => "looking which runs there are …".to_owned(),
            (Stage::Reading(done, total), _) => format!("reading {done} of {total} runs …"),
            (Stage::Failed(why), _) | (Stage::Ready, Current::Failed(why)) => why.clone(),
            (Stage::Ready, _) if self.items.is_empty() => format!(
                "no run fits {:?}: play or run a task, or ask for others, as in label violates(F05)",
                self.asked.query()
            ),
            (Stage::Ready, Current::Loading) => "reading the run …".to_owned(),
            (Stage::Ready, _) => self.all_done(me).unwrap_or_default(),
        }
    }

    /// That all are labelled, if so: `all 37 labelled: κ .81, E exports`.
    pub fn all_done(&self, me: Option<&str>) -> Option<String> {
        let n = self.items.len();
        if n == 0 || self.done(me) < n {
            return None;
        }
        let kappa = self.kappa_words(me);
        let kappa = kappa.map_or_else(String::new, |words| format!("{words}, "));
        Some(format!("all {n} labelled: {kappa}E exports"))
    }

    /// `you vs Kim κ .81`, `κ .74 of 3`; `None` where nobody else labelled.
    pub fn kappa_words(&self, me: Option<&str>) -> Option<String> {
        let me = me?;
        let first = agreements(&self.items, me)
            .into_iter()
            .find(|it| it.runs() > 0)?;
        let kappa = first
            .kappa
            .map_or_else(|| "none".to_owned(), |kappa| figure(kappa, 2));
        let others: Vec<_> = first.reviewers.iter().filter(|who| *who != me).collect();
        Some(match others.as_slice() {
            [other] => format!("you vs {other} κ {kappa}"),
            _ => format!("κ {kappa} of {}", first.reviewers.len()),
        })
    }

    /// A run that others label differently, in a line.
    pub fn dispute_words(&self, at: usize, me: Option<&str>) -> String {
        let Some(item) = self.items.get(at) else {
            return String::new();
        };
        let class = |class: Option<Class>| class.map_or(NOTHING, Class::words);
        let said = item.labels.iter().map(|(who, label)| {
            let who = if Some(who.as_str()) == me { "you" } else { who };
            format!("{who}: {}", class(label.class))
        });
        let said: Vec<String> = said.collect();
        format!("{} {}  {}", item.task, item.tail(), said.join(" | "))
    }

    /// How far reviewers agree, with the table it is counted from.
    pub fn why(&self, me: Option<&str>) -> Option<Computed> {
        let all = agreements(&self.items, me?);
        let mut rows = Vec::new();
        for found in &all {
            rows.push(Row::new(found.reviewers.join(", "), found.words_line()).role(Role::Title));
            rows.extend(table(found));
        }
        let of = "kappa = (observed - by chance) / (1 - by chance)";
        rows.push(Row::new("", of).role(Role::Dim));
        let cohen = "two reviewers: chance from how often each used each word (Cohen 1960)";
        rows.push(Row::new("", cohen).role(Role::Dim));
        let fleiss = "more: chance from how often each word was used by all (Fleiss 1971)";
        rows.push(Row::new("", fleiss).role(Role::Dim));
        Some(Computed::new("Agreement".to_owned(), rows))
    }

    /// The facts of the screen, a line each.
    pub fn told(&self, shared: &Shared) -> Vec<String> {
        let me = self.reviewer(shared);
        let mut lines = vec![format!(
            "label queue, reviewer {}, {} of {} labelled",
            me.unwrap_or("not named"),
            self.done(me),
            self.items.len()
        )];
        lines.extend(self.kappa_words(me));
        let nothing = self.nothing(me);
        if self.shown().is_none() && !nothing.is_empty() {
            lines.push(nothing);
        }
        if let Some(item) = self.item() {
            lines.push(format!(
                "run {} of {}: {} {} by {}",
                self.at + 1,
                self.items.len(),
                item.task,
                item.id,
                item.who
            ));
        }
        if let Some(shown) = self.shown() {
            lines.extend(shown.evidence().into_iter().map(|(words, _)| words));
            for choice in self.choices(me) {
                let on = if choice.is_on { ", chosen" } else { "" };
                let proposed = if choice.is_proposed { ", proposed" } else { "" };
                lines.push(format!("{} {}{on}{proposed}", choice.key, choice.words));
            }
            lines.push(self.about_words(me));
            lines.push(format!("tags: {}", self.tags_text(me)));
            lines.push(format!("note: {}", self.note_text(me)));
            lines.extend(self.status(me).into_iter().map(|(words, _)| words));
            lines.push("steps:".to_owned());
            for row in 0..shown.loaded.rows.len() {
                let tail = shown.loaded.rows.get(row).map(|it| shown.loaded.tail(it));
                let tail = tail.filter(|tail| !tail.is_empty());
                let tail = tail.map_or_else(String::new, |tail| format!("  {tail}"));
                lines.push(format!("{}{tail}", shown.row_words(row)));
            }
        }
        let disputed = self.disputed(me);
        if !disputed.is_empty() {
            lines.push("disagreements:".to_owned());
            lines.extend(disputed.iter().map(|at| self.dispute_words(*at, me)));
        }
        lines
    }
}

/// The table behind a kappa: who said what how often where another said what.
fn table(found: &Agreement) -> Vec<Row> {
    let Some(confusion) = &found.confusion else {
        let disputed = found.disputed().len();
        let words = format!(
            "{disputed} of {} runs not labelled alike by all",
            found.runs()
        );
        return vec![Row::new("", words)];
    };
    let [first, second] = found.reviewers.as_slice() else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (word, counts) in found.words.iter().zip(confusion) {
        for (other, n) in found.words.iter().zip(counts).filter(|(_, n)| **n > 0) {
            let sign = if word == other { '=' } else { '≠' };
            let words = format!("{sign} {first}: {word}   {second}: {other}");
            rows.push(Row::new("", words).note(n.to_string()));
        }
    }
    rows
}
