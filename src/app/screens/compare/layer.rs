//! Compare as a layer and a place: its commands, what reaches it, its title.

use std::path::PathBuf;

use crate::app::commands::Availability;
use crate::app::compare::state::About;
use crate::app::compare::{CompareReply, Compared, Wanted, quoted, told};
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::parts::steps::Walk;
use crate::app::parts::why::Follow;
use crate::app::role::Role;
use crate::app::screens::inspect::Inspect;
use crate::app::screens::play::sheets::{About as Explained, Lines};
use crate::app::screens::{Screen, compare::Compare};
use crate::app::state::Shared;
use crate::compare::lane::Names;

use super::{ALIGN, EXPORT, Pane, READ, Reading, SAVE};

const STILL: &str = "the runs are not read yet";

impl Compare {
    /// Opens the focused lane's run where it stands in this row.
    fn open(&self) -> Vec<Act> {
        let lane = self.lane();
        let (Some(all), Some(row)) = (self.done(), self.row()) else {
            return Vec::new();
        };
        let Some(side) = all.sides.get(lane) else {
            return Vec::new();
        };
        let pos = all.pos(row, lane);
        let act = match self.asked.get(lane) {
            _ if side.kept => Act::Run(format!(
                "inspect {} s{pos}",
                side.loaded.run.folder.display()
            )),
            Some(Wanted::Cell(cell)) => {
                Act::Open(Screen::Inspect(Box::new(Inspect::cell((**cell).clone()))))
            }
            _ => {
                let given = Inspect::given(side.loaded.run.clone(), pos);
                Act::Open(Screen::Inspect(Box::new(given)))
            }
        };
        vec![act]
    }

    /// Plays on from where the focused lane's run stands in this row.
    fn fork(&self) -> Option<Vec<Act>> {
        let lane = self.lane();
        let side = self.done()?.sides.get(lane)?;
        let seq = side
            .loaded
            .record
            .seq(self.done()?.pos(self.row()?, lane))?;
        let again = side.loaded.run.again.as_ref().ok()?;
        let pos = again.episode.pos(seq)?.0;
        let folder = side.loaded.run.folder.display();
        Some(vec![Act::Run(format!("play {folder} s{pos}"))])
    }

    fn can_fork(&self) -> Availability {
        let side = self.done().and_then(|all| all.sides.get(self.lane()));
        match side {
            Some(side) if !side.kept => {
                Availability::blocked("it was played now and is kept nowhere")
            }
            _ => Availability::when(self.fork().is_some(), "the world cannot get to this step"),
        }
    }

    /// Explains what the line of the state pane is about.
    fn why(&mut self) {
        let about = self
            .items()
            .get(self.facts.cursor)
            .map(|item| item.about().clone());
        let (lane, about) = match about {
            Some(About::Rule(lane, instance)) => (lane, Explained::Rule(instance)),
            Some(About::Goal(lane, goal)) => (lane, Explained::Goal(goal)),
            Some(About::Node(node)) => (self.pair.0, Explained::Node(node)),
            Some(About::Nothing) | None => return,
        };
        self.explain(lane, about);
    }

    fn explain(&mut self, lane: usize, about: Explained) {
        let side = self.done_mut().and_then(|all| all.sides.get_mut(lane));
        if let Some(lines) = side.and_then(|side| side.loaded.facts(about)) {
            self.sheets.push((lane, lines));
        }
    }

    /// Whether a command of the topmost sheet can be run.
    fn when_sheet(&self, command: &str) -> Availability {
        let follow = self
            .sheets
            .last()
            .and_then(|(_, it)| it.lines.get(it.list.cursor)?.follow);
        match command {
            "filter" => Availability::blocked("a sheet has no filter"),
            "mute" => Availability::blocked("rules are muted while a run is played"),
            "next-binding" | "previous-binding" => {
                Availability::blocked("Enter opens the run: there its other nodes are shown")
            }
            "history" => Availability::when(
                self.sheets
                    .last()
                    .is_some_and(|(_, it)| matches!(it.about, Explained::Node(_))),
                "only nodes have a history",
            ),
            "follow" => match follow {
                None => Availability::blocked("this line leads nowhere"),
                Some(Follow::Do(_) | Follow::Finish) => {
                    Availability::blocked("nothing is done here: F plays on")
                }
                Some(_) => Availability::Ready,
            },
            _ => Availability::Ready,
        }
    }

    fn run_sheet(&mut self, command: &str, page: usize) -> Option<Vec<Act>> {
        let (lane, it) = self.sheets.last_mut()?;
        let lane = *lane;
        match command {
            "close-sheet" => {
                self.sheets.pop();
            }
            "history" => {
                if let Explained::Node(node) = it.about {
                    self.explain(lane, Explained::History(node));
                }
            }
            "follow" => match it.lines.get(it.list.cursor).and_then(|line| line.follow) {
                Some(Follow::Node(node)) => self.explain(lane, Explained::Node(node)),
                Some(Follow::Goal(goal)) => self.explain(lane, Explained::Goal(goal)),
                Some(Follow::Rule(rule)) => self.explain(lane, Explained::Rule(rule)),
                Some(Follow::Refused(action)) => self.explain(lane, Explained::Refused(action)),
                Some(Follow::Step(pos)) => {
                    let side = self.done().and_then(|all| all.sides.get(lane));
                    let pos = side.map_or(pos.0, |side| side.loaded.recorded(pos));
                    self.focus = Pane::Column(lane);
                    self.sheets.clear();
                    if let Some(row) = self.row_of_step(pos) {
                        self.put(row);
                    }
                }
                Some(Follow::Do(_) | Follow::Finish) | None => {}
            },
            "filter" | "mute" | "next-binding" | "previous-binding" => {}
            _ => {
                let len = it.lines.len();
                return it.list.run(command, len, page).then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    fn next_pane(&mut self, by: usize) {
        let panes = self.panes();
        let at = panes
            .iter()
            .position(|pane| *pane == self.focus)
            .unwrap_or(0);
        if let Some(to) = panes.get((at + by) % panes.len().max(1)) {
            self.focus = *to;
        }
    }

    fn out(&mut self) -> Vec<Act> {
        if self.zoomed {
            self.zoomed = false;
        } else if self.held.take().is_some() {
            // What was held is let go.
        } else if self.focus == Pane::State {
            self.focus = Pane::Column(self.pair.0);
        } else {
            return vec![Act::Leave];
        }
        Vec::new()
    }

    fn move_cursor(&mut self, command: &str, page: usize) -> bool {
        if self.focus == Pane::State {
            let len = self.items().len();
            return self.facts.run(command, len, page);
        }
        let moved = self.list.run(command, self.shown.len(), page);
        if moved {
            self.look();
        }
        moved
    }

    /// Goes to a place among the shown rows.
    fn go(&mut self, at: Option<usize>) {
        if let Some(at) = at {
            self.list.cursor = at;
            self.look();
        }
    }

    /// Commands that go to another row. Whether it was one.
    fn travel(&mut self, command: &str, args: &str) -> bool {
        match command {
            "compare-next" | "compare-previous" => {
                self.go(self.difference(command == "compare-next"));
            }
            "next" | "previous" => {
                if let Some(kind) = Walk::parse(args) {
                    self.go(self.walk(kind, command == "next"));
                }
            }
            "step-next" | "step-previous" => self.go(self.next_step(command == "step-next")),
            "goto" => {
                let row = number(args).and_then(|pos| self.row_of_step(pos));
                if let Some(row) = row {
                    self.put(row);
                }
            }
            _ => return false,
        }
        true
    }

    fn can_travel(&self, command: &str, args: &str) -> Option<Availability> {
        let forward = matches!(command, "compare-next" | "next" | "step-next");
        let side = if forward { "after" } else { "before" };
        Some(match command {
            "compare-next" | "compare-previous" => Availability::when(
                self.difference(forward).is_some(),
                &format!("no difference {side} this"),
            ),
            "next" | "previous" => match Walk::parse(args) {
                None => Availability::blocked("say violation, warning, refusal, goal or note"),
                Some(Walk::Branch) => {
                    Availability::blocked("ways are compared, not their branches")
                }
                Some(kind) => Availability::when(
                    self.walk(kind, forward).is_some(),
                    &format!("no {} {side} this", kind.words()),
                ),
            },
            "step-next" | "step-previous" => Availability::when(
                self.next_step(forward).is_some(),
                &format!("no step {side} this"),
            ),
            "goto" => match number(args) {
                None => Availability::blocked("say which step, as in goto 4"),
                Some(pos) => Availability::when(
                    self.row_of_step(pos).is_some(),
                    "the run of this column has no such step on its way",
                ),
            },
            _ => return None,
        })
    }

    /// The name that is offered for a file.
    fn offered(&self) -> String {
        let name = |lane: usize| {
            let side = self.done().and_then(|all| all.sides.get(lane));
            let name = side.map_or("run", |side| side.name.as_str());
            let fine = |c: char| if c.is_alphanumeric() { c } else { '-' };
            name.chars().map(fine).collect::<String>()
        };
        format!("compare-{}-{}.md", name(self.pair.0), name(self.pair.1))
    }

    /// Writes the rows into a file.
    fn export(&mut self, args: &str) -> Vec<Act> {
        let file = PathBuf::from(args.trim().trim_matches('"'));
        let is_csv = file
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("csv"));
        let pair = self.pair;
        let Some(all) = self.done_mut() else {
            return Vec::new();
        };
        let text = if is_csv {
            told::csv(all, pair)
        } else {
            told::markdown(all, pair)
        };
        // Telling moved the worlds.
        self.look();
        vec![Act::Job(EXPORT, Job::Export(file, text))]
    }
}

/// The number of a step as people write it: `4`, `s4`.
fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    text.strip_prefix('s').unwrap_or(text).parse().ok()
}

impl Layer for Compare {
    fn contexts(&self) -> Vec<&'static str> {
        match self.sheets.last() {
            Some((
                _,
                Lines {
                    about: Explained::Rule(_),
                    ..
                },
            )) => vec!["rule", "sheet", "list"],
            Some(_) => vec!["sheet", "list"],
            None => vec!["compare", "steps", "pane", "list"],
        }
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        if !self.sheets.is_empty() {
            return self.when_sheet(command);
        }
        let Some(all) = self.done() else {
            return match command {
                "out" | "next-pane" | "previous-pane" => Availability::Ready,
                _ => Availability::blocked(STILL),
            };
        };
        if let Some(available) = self.can_travel(command, args) {
            return available;
        }
        match command {
            "compare-open" => Availability::when(self.row().is_some(), "there is no row here"),
            "compare-anchor" => Availability::when(
                self.focus != Pane::State && self.beat(self.lane()).is_some(),
                "the cursor stands on no step of a run",
            ),
            "compare-pair" => match number(args) {
                Some(n) if (1..=all.sides.len() as u32).contains(&n) => Availability::Ready,
                _ => Availability::blocked(format!("there are {} runs", all.sides.len())),
            },
            "compare-fork" => self.can_fork(),
            "compare-repair" if self.saving.is_some() => Availability::Ready,
            "compare-repair" => {
                let side = all.sides.get(self.lane());
                match side.map(|side| &side.loaded.run.again) {
                    Some(Err(why)) => Availability::blocked(why.clone()),
                    Some(Ok(_)) => Availability::Ready,
                    None => Availability::blocked("there is no run here"),
                }
            }
            "compare-why" => {
                let item = self.items().into_iter().nth(self.facts.cursor);
                let about = item.is_some_and(|item| *item.about() != About::Nothing);
                Availability::when(
                    about,
                    "no rule, goal or thing is under the cursor of the state pane",
                )
            }
            "compare-save" => Availability::when(
                !args.trim().is_empty(),
                "name a file, as in compare-save a.md",
            ),
            "filter" => Availability::blocked("these rows have no filter: z hides what is equal"),
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if !self.sheets.is_empty() {
            return self.run_sheet(command, shared.page());
        }
        match command {
            "compare-open" => return Some(self.open()),
            "compare-fork" => return Some(self.fork().unwrap_or_default()),
            "compare-anchor" => return Some(self.anchor()),
            "compare-repair" => return Some(self.save()),
            "compare-why" => self.why(),
            "compare-export" => {
                let line = format!("command-line compare-save {}", quoted(&self.offered()));
                return Some(vec![Act::Run(line)]);
            }
            "compare-save" => return Some(self.export(args)),
            "compare-equal" => {
                self.hides = !self.hides;
                self.rearrange();
            }
            "compare-view" => self.view = self.view.next(),
            "compare-swap" => {
                let (x, y) = self.pair;
                let at = |lane: usize| self.order.iter().position(|l| *l == lane);
                if let (Some(i), Some(j)) = (at(x), at(y)) {
                    self.order.swap(i, j);
                }
                self.pair = (y, x);
                self.rearrange();
            }
            "compare-pair" => {
                if let Some(n) = number(args) {
                    self.pick((n as usize).saturating_sub(1));
                }
            }
            "out" => return Some(self.out()),
            "next-pane" => self.next_pane(1),
            "previous-pane" => {
                let n = self.panes().len();
                self.next_pane(n.saturating_sub(1));
            }
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "filter" => {}
            _ if self.travel(command, args) => {}
            _ => {
                if self.done().is_none() {
                    return List::default()
                        .run(command, 0, shared.page())
                        .then(Vec::new);
                }
                return self.move_cursor(command, shared.page()).then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        // Coming back, what was read is still there; what was not is waited for again.
        if self.whole {
            Vec::new()
        } else {
            vec![self.read()]
        }
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        match (slot, event) {
            (SAVE, JobEvent::Progress { done, total }) => {
                if let Some((_, now, of)) = &mut self.saving {
                    (*now, *of) = (done, total);
                }
                Vec::new()
            }
            (READ, JobEvent::Progress { done, total }) => {
                if let Reading::Running(now, of) = &mut self.reading {
                    (*now, *of) = (done, total);
                }
                Vec::new()
            }
            (_, JobEvent::Progress { .. }) => Vec::new(),
            (_, JobEvent::Part(reply) | JobEvent::Done(reply)) => match *reply {
                Reply::Compare(CompareReply::Read(all)) => self.show(all),
                Reply::Compare(CompareReply::Aligned(table, anchors)) => {
                    self.aligned(*table, anchors);
                    Vec::new()
                }
                Reply::Compare(CompareReply::Saved(lane, found)) => self.found(lane, &found),
                Reply::Exported(file) => {
                    vec![Act::Notice(Notice::info(format!(
                        "written to {}",
                        file.display()
                    )))]
                }
                _ => Vec::new(),
            },
            (slot, JobEvent::Failed(reason)) => {
                if slot == SAVE {
                    self.saving = None;
                }
                if slot == READ && self.done().is_none() {
                    self.reading = Reading::Failed(reason.clone());
                }
                let text = match slot {
                    ALIGN => format!("the rows are as they were: {reason}"),
                    _ => reason,
                };
                vec![Act::Notice(Notice::error(text))]
            }
        }
    }

    fn failed(&self) -> bool {
        matches!(self.reading, Reading::Failed(_))
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        if let Some((_, sheet)) = self.sheets.last() {
            return Some(sheet.lines.get(sheet.list.cursor)?.plain());
        }
        if self.focus == Pane::State {
            return Some(self.items().get(self.facts.cursor)?.text());
        }
        let cell = self.cell(self.row()?, self.lane())?;
        Some(
            format!("s{} {} {}", cell.number, cell.words, cell.tail())
                .trim()
                .to_owned(),
        )
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        match &self.reading {
            Reading::Running(done, of) => vec![format!("compare, reading {done} of {of} runs …")],
            Reading::Failed(reason) => vec![format!("compare, error: {reason}")],
            // Telling moves the worlds; the screen's own stay where they are.
            Reading::Done(all) => {
                let mut lines = told::lines(&mut all.clone(), self.pair);
                let cell = self.row().and_then(|row| self.cell(row, self.lane()));
                if let Some(cell) = cell {
                    let letter = Compared::letter(self.lane());
                    lines.insert(
                        0,
                        format!("looking at {letter} s{} {}", cell.number, cell.words),
                    );
                }
                lines
            }
        }
    }
}

impl Place for Compare {
    fn title(&self, shared: &Shared) -> Title {
        let Some(all) = self.done() else {
            let words: Vec<String> = self.asked.iter().map(Wanted::word).collect();
            return Title {
                subject: words.join(" | "),
                facts: Vec::new(),
            };
        };
        let lanes = self.order.iter().map(|lane| all.lane_words(*lane));
        let subject = lanes.collect::<Vec<_>>().join("   ");
        let mut facts = Vec::new();
        let fact = |text: String, role| Fact::new(text, role);
        if all.partial {
            facts.push(fact("not played again yet".to_owned(), Role::Pending));
        }
        if all.names == Names::Classes {
            facts.push(fact("by class".to_owned(), Role::Armed));
        }
        if !all.table.is_exact() {
            facts.push(fact("nearly".to_owned(), Role::Armed));
        }
        if shared.size.w >= 100 {
            facts.push(fact(all.steps_words(self.pair), Role::Dim));
        }
        let again = all.again_words(self.pair, &self.parting);
        if !again.is_empty() {
            facts.push(fact(again, Role::Dim));
        }
        let first = all.first_words(self.pair, &self.parting);
        let role = if self.parting.first.is_some() {
            Role::Change
        } else {
            Role::Good
        };
        facts.push(fact(first, role));
        Title { subject, facts }
    }
}
