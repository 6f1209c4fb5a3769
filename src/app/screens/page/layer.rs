//! The file screen as a layer and a place.

use crate::app::commands::Availability;
use crate::app::filter_line::{Change, FilterLine};
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::notice::Notice;
use crate::app::pages::{PageJob, PageReply};
use crate::app::role::Role;
use crate::app::state::Shared;

use super::{FIND, OPEN, Page, Stage, Text};

impl Layer for Page {
    fn contexts(&self) -> Vec<&'static str> {
        if self.text().is_some_and(|text| text.find.editing) {
            return FilterLine::contexts().to_vec();
        }
        vec!["page", "pane", "list"]
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        let Some(text) = self.text() else {
            return Availability::when(command == "out", "it is not open yet");
        };
        match command {
            "find-next" | "find-previous" => text.when_find(),
            "line" => Availability::when(
                args.parse::<u64>().is_ok_and(|line| line > 0),
                "write the number of a line: line 14",
            ),
            "scroll-left" => Availability::when(text.left > 0, "nothing is cut off on the left"),
            "next-pane" | "previous-pane" | "zoom-in" | "zoom-out" => {
                Availability::blocked("a file has one pane")
            }
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        let Some(text) = self.text_mut() else {
            return Some(vec![Act::Leave]);
        };
        match command {
            "out" if !text.find.is_empty() => {
                text.find = FilterLine::default();
                text.missing = false;
            }
            "out" => return Some(vec![Act::Leave]),
            "next-pane" | "previous-pane" | "zoom-in" | "zoom-out" => {}
            "filter" => {
                text.from = text.cursor;
                text.missing = false;
                text.find = FilterLine {
                    editing: true,
                    ..FilterLine::default()
                };
            }
            "find-next" => return Some(text.look_for(text.cursor + 1, true)),
            "find-previous" => return Some(text.look_for(text.cursor, false)),
            "line" => {
                let line: u64 = args.parse().unwrap_or(1);
                return Some(text.go(line.saturating_sub(1)));
            }
            "scroll-left" | "scroll-right" => text.scroll(command == "scroll-right"),
            _ => {
                return match text.find.run(command) {
                    Some(Change::Rows) => {
                        text.missing = false;
                        if text.find.is_empty() {
                            text.cursor = text.from;
                        }
                        Some(text.look_for(text.from, true))
                    }
                    Some(Change::Looks) => Some(Vec::new()),
                    None => text.move_cursor(command, shared.page()),
                };
            }
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.text().is_some_and(|text| text.find.editing)
    }

    fn on_text(&mut self, typed: &str, _shared: &mut Shared) -> Vec<Act> {
        match self.text_mut() {
            Some(text) => {
                text.find.insert(typed);
                text.look_for(text.from, true)
            }
            None => Vec::new(),
        }
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        match &self.stage {
            // Coming back, what is shown stays; it is looked at anew only when it could not be opened.
            Stage::Open(_) => Vec::new(),
            _ => vec![Act::Job(OPEN, Job::Page(PageJob::Open(self.ask.clone())))],
        }
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        let reply = match event {
            JobEvent::Progress { .. } | JobEvent::Part(_) => return Vec::new(),
            JobEvent::Failed(reason) => {
                if slot == OPEN {
                    self.stage = Stage::Failed(reason);
                    return Vec::new();
                }
                return vec![Act::Notice(Notice::error(reason))];
            }
            JobEvent::Done(reply) => match *reply {
                Reply::Page(reply) => reply,
                _ => return Vec::new(),
            },
        };
        if let PageReply::Opened(opened) = reply {
            let (text, acts) = Text::new(*opened);
            self.stage = Stage::Open(Box::new(text));
            return acts;
        }
        let Some(text) = self.text_mut() else {
            return Vec::new();
        };
        match reply {
            PageReply::Read(window) => text.read(window),
            PageReply::Indexed(index) => {
                text.index = Some(index);
                Vec::new()
            }
            PageReply::Found(line) if slot == FIND => text.found(line),
            PageReply::Opened(_) | PageReply::Found(_) => Vec::new(),
            PageReply::Painted(pieces) => {
                text.painted = Some(pieces);
                Vec::new()
            }
        }
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        let text = self.text()?;
        text.window().row(text.cursor).map(|row| row.text.clone())
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let text = match &self.stage {
            Stage::Opening => return vec![format!("file {}: reading …", self.ask.words())],
            Stage::Failed(reason) => return vec![format!("file {}: {reason}", self.ask.words())],
            Stage::Open(text) => text,
        };
        let window = text.window();
        let mut lines = vec![format!("file {}, {}", text.opened.name, place(text))];
        lines.extend(text.opened.fault.clone());
        if text.missing {
            lines.push(format!("\"{}\" is nowhere in it", text.find.edit.text()));
        }
        let numbered = window.rows.iter().zip(window.first + 1..);
        lines.extend(numbered.map(|(row, number)| {
            let cut = if row.cut { " …" } else { "" };
            format!("{number}  {}{cut}", row.text)
        }));
        lines
    }
}

/// `line 14 of 1204`; how many there are is told once they are counted.
pub(super) fn place(text: &Text) -> String {
    let all = text
        .lines()
        .map_or_else(|| "…".to_owned(), |n| n.to_string());
    format!("line {} of {all}", text.cursor + 1)
}

/// `812 B`, `12 KiB`, `96 MiB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

impl Place for Page {
    fn title(&self, _shared: &Shared) -> Title {
        let Some(text) = self.text() else {
            return Title {
                subject: self.ask.words(),
                facts: Vec::new(),
            };
        };
        let mut facts = Vec::new();
        facts.extend(text.plain_for().map(|why| Fact::new(why, Role::Dim)));
        facts.push(Fact::new(size(text.opened.size), Role::Dim));
        facts.push(Fact::new(place(text), Role::Text));
        Title {
            subject: text.opened.name.clone(),
            facts,
        }
    }
}
