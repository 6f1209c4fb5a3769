//! The household arena as a layer and a place.

use crate::app::arena::ArenaReply;
use crate::app::arena::house::House;
use crate::app::commands::Availability;
use crate::app::jobs::{JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Rail, RailStep, Title};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::overlays::computed::{Computed, Row as Line};
use crate::app::role::Role;
use crate::app::screens::Screen;
use crate::app::screens::inspect::Inspect;
use crate::app::screens::inspect::loaded::Loaded;
use crate::app::state::Shared;
use crate::arena::house::record::BOUNDS;
use crate::arena::house::red::{LEVELS, level};
use crate::eval::table::Table;

use super::doings::{AGAIN, KEEP, OTHER, WRITE};
use super::{Arena, Next, PANES, Pane, Stage, Trace, View, words};

/// The slots of the jobs.
pub(super) const HOLD: &str = "hold";
pub(super) const CELL: &str = "cell";

/// The most responses RED may try against a plan.
const BUDGETS: u32 = *BOUNDS[0].1.end();

fn show(computed: Option<Computed>) -> Vec<Act> {
    let show = computed.map(|it| Act::Show(Overlay::Computed(Box::new(it))));
    show.into_iter().collect()
}

impl Arena {
    /// Takes a cell apart in Inspect.
    fn inspect(&self, at: usize, response: usize) -> Vec<Act> {
        let asked = self.cell_asked(at, response);
        let open = asked.map(|it| Act::Open(Screen::Inspect(Box::new(Inspect::cell(it)))));
        open.into_iter().collect()
    }

    fn open(&self) -> Vec<Act> {
        match self.focus {
            Pane::Critic => show(self.claim(self.critic())),
            _ => match (self.why_broken(), self.here()) {
                (Some(why), _) => show(Some(why)),
                (None, Some((at, r))) => self.inspect(at, r),
                (None, None) => Vec::new(),
            },
        }
    }

    /// A cell by the names of candidate and response.
    fn named(&self, args: &str) -> Option<(usize, usize)> {
        let house = self.house.as_ref()?;
        let (candidate, response) = args.trim().split_once(' ')?;
        let all = &house.record;
        let at = all.candidates.iter().position(|e| e.name == candidate)?;
        let id = response.trim();
        let id = if id == "R0" { "nothing" } else { id };
        let response = all.responses.iter().position(|r| r.id == id)?;
        Some((at, response))
    }

    /// Moves the cursor of the focused pane; `None` if the command is none that does.
    fn moves(&mut self, command: &str, shared: &Shared) -> Option<Vec<Act>> {
        let page = shared.page();
        match self.focus {
            Pane::Main => {
                let mut list = List {
                    cursor: self.cursor(),
                };
                let len = self.order().len();
                if !list.run(command, len, page) {
                    return None;
                }
                self.put(list.cursor);
            }
            Pane::Red => {
                let (Some(house), Some(row)) = (&self.house, self.row()) else {
                    return List::default().run(command, 0, page).then(Vec::new);
                };
                let answers = house.answers(row.at);
                let here = self.response();
                let at = answers.iter().position(|r| Some(*r) == here);
                let mut list = List {
                    cursor: at.unwrap_or(0),
                };
                if !list.run(command, answers.len(), page) {
                    return None;
                }
                self.face(answers.get(list.cursor).copied());
            }
            Pane::Trace => {
                if let Some(moved) = self.move_beside(command, page) {
                    return moved.then(Vec::new);
                }
                if let Trace::Ready(_, loaded) = &mut self.trace {
                    return loaded.move_cursor(command, page).then(Vec::new);
                }
                return List::default().run(command, 0, page).then(Vec::new);
            }
            Pane::Critic => {
                let len = self.claims().len();
                let before = self.critic.cursor;
                if !self.critic.run(command, len, page) {
                    return None;
                }
                if self.critic.cursor == before {
                    return Some(Vec::new());
                }
                return Some(self.show_claim());
            }
        }
        Some(self.follow())
    }

    /// Moves among the columns of the matrix.
    fn column(&mut self, right: bool) -> Vec<Act> {
        let here = self.response();
        let Some(house) = &self.house else {
            return Vec::new();
        };
        let at = house.columns.iter().position(|c| Some(*c) == here);
        let to = match (at, right) {
            (Some(at), true) => (at + 1).min(house.columns.len().saturating_sub(1)),
            (Some(at), false) => at.saturating_sub(1),
            (None, _) => 0,
        };
        let to = house.columns.get(to).copied();
        self.face(to);
        self.follow()
    }

    /// Shows another view of the plans, the cursor on the same cell as far as that view has it.
    fn switch(&mut self, view: View) -> Vec<Act> {
        let here = self.here();
        self.view = if self.view == view { View::Plans } else { view };
        self.focus = Pane::Main;
        self.arrange();
        let mut acts = Vec::new();
        if let (Some((at, response)), Some(house)) = (here, &self.house) {
            let is_column = house.columns.contains(&response);
            let lost = house.rows.iter().find(|r| r.at == at);
            let instead = lost.and_then(|r| r.lost.first()).or(house.columns.first());
            let to = match instead {
                Some(to) if self.view == View::Matrix && !is_column => {
                    let (tried, name) = (house.called(response), house.called(*to));
                    acts.push(Act::Notice(Notice::info(format!(
                        "{tried} is no column, for it is no plan’s costliest answer; the cursor is on {name}"
                    ))));
                    *to
                }
                _ => response,
            };
            self.face(Some(to));
        }
        acts.extend(self.follow());
        acts
    }

    fn step(&mut self, forward: bool) {
        if self.step_beside(forward) {
            return;
        }
        if let Trace::Ready(_, loaded) = &mut self.trace {
            loaded.go(forward);
        }
    }

    fn out(&mut self) -> Vec<Act> {
        if self.zoomed {
            self.zoomed = false;
        } else if self.focus == Pane::Trace && self.beside.is_some() {
            self.beside = None;
            return vec![Act::Stop(OTHER)];
        } else if self.focus != Pane::Main {
            self.focus = Pane::Main;
        } else if self.view != View::Plans {
            self.view = View::Plans;
            self.arrange();
        } else {
            return vec![Act::Leave];
        }
        Vec::new()
    }
}

impl Arena {
    /// The run of the cell came, or cannot.
    fn cell_came(&mut self, event: JobEvent) {
        let Some(of) = self.trace.of() else {
            return;
        };
        match event {
            JobEvent::Done(reply) => {
                if let Reply::Run(run) = *reply {
                    self.trace = Trace::Ready(of, Box::new(Loaded::new(run)));
                    self.broken.remove(&of);
                }
            }
            JobEvent::Failed(reason) => {
                self.broken.insert(of, reason.clone());
                self.trace = Trace::Failed(of, reason);
            }
            JobEvent::Progress { .. } | JobEvent::Part(_) => {}
        }
        self.look();
        self.pair();
    }

    /// The arena came, as far as it has come.
    fn held(&mut self, event: JobEvent, shared: &Shared) -> Vec<Act> {
        let done = matches!(event, JobEvent::Done(_));
        match event {
            JobEvent::Part(reply) | JobEvent::Done(reply) => {
                let record = match *reply {
                    Reply::Arena(ArenaReply::House(record)) => record,
                    Reply::Arena(ArenaReply::Plans(_)) => {
                        // Typed plans, no arena of the house: another screen shows them.
                        let line = format!("council {}", self.asked());
                        return vec![Act::Leave, Act::Run(line)];
                    }
                    _ => return Vec::new(),
                };
                self.take(record);
                let name = self.house.as_ref().map(House::task);
                let mut tasks = shared.library.tasks.iter();
                let task = tasks.find(|t| Some(t.name()) == name);
                self.environment = task.map(|t| t.environment);
                let mut acts = Vec::new();
                if done {
                    self.stage = Stage::Done;
                    acts = self.judged();
                }
                acts.extend(self.follow());
                acts
            }
            JobEvent::Failed(reason) => {
                self.stage = Stage::Failed(reason.clone());
                self.next = Next::Same;
                self.brought = None;
                let Some(house) = &self.house else {
                    return Vec::new();
                };
                // What is shown is what was there before.
                self.settings = house.record.settings.clone();
                vec![Act::Notice(Notice::error(reason))]
            }
            JobEvent::Progress { .. } => Vec::new(),
        }
    }

    /// Something that was asked of a cell or the arena is done, or failed.
    fn done(&mut self, slot: &'static str, event: JobEvent) -> Vec<Act> {
        match event {
            JobEvent::Done(reply) => match *reply {
                Reply::Arena(ArenaReply::Cell(outcome, run)) if slot == AGAIN => {
                    self.replace(*outcome, Loaded::new(run))
                }
                Reply::Arena(ArenaReply::Kept(id)) if slot == KEEP => {
                    let told = format!("kept as {id}: Home lists it");
                    vec![Act::Notice(Notice::info(told)), Act::Reload]
                }
                Reply::Edited(text) if slot == WRITE => self.written(text),
                _ => Vec::new(),
            },
            JobEvent::Failed(reason) => {
                if slot == AGAIN
                    && let Some(of) = self.replayed.take()
                {
                    self.broken.insert(of, reason.clone());
                }
                vec![Act::Notice(Notice::error(reason))]
            }
            JobEvent::Progress { .. } | JobEvent::Part(_) => Vec::new(),
        }
    }

    /// What RED knows in what is shown, and what it will know in what is being held.
    pub(super) fn level_words(&self, wide: bool) -> String {
        let shown = self.record().map_or("", |r| r.settings.level.as_str());
        let word = if wide { "RED level" } else { "RED" };
        if shown == self.settings.level {
            format!("{word} {shown}")
        } else {
            format!("{word} {shown}, {} …", self.settings.level)
        }
    }
}

impl Layer for Arena {
    fn contexts(&self) -> Vec<&'static str> {
        match self.view {
            View::Plans => vec!["arena", "pane", "list"],
            View::Matrix => vec!["arena", "matrix", "pane", "list"],
            View::Frontier => vec!["arena", "frontier", "pane", "list"],
        }
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        let there = || Availability::when(self.row().is_some(), "no plan is there yet");
        let Some(house) = &self.house else {
            return match command {
                "out" | "next-pane" | "previous-pane" => Availability::Ready,
                "filter" => Availability::blocked("plans have no filter"),
                _ => Availability::blocked("no plan is there yet"),
            };
        };
        let last = House::last_round(&house.record);
        let is_held = || {
            Availability::when(
                self.stage != Stage::Playing,
                "it is being held: wait for its end",
            )
        };
        match command {
            "arena-earlier" => Availability::when(house.round > 0, "this is the first round"),
            "arena-later" => Availability::when(house.round < last, "this is the last round"),
            "arena-open" if self.focus == Pane::Critic => {
                Availability::when(!self.claims().is_empty(), "the critic says nothing of it")
            }
            "arena-level" if !args.is_empty() && level(args.trim()).is_none() => {
                let known: Vec<&str> = LEVELS.iter().map(|l| l.id).collect();
                Availability::blocked(format!("there are the levels {}", known.join(", ")))
            }
            "arena-budget"
                if !args
                    .trim()
                    .parse()
                    .is_ok_and(|n: u32| (1..=BUDGETS).contains(&n)) =>
            {
                Availability::blocked(format!("say how many responses, 1 to {BUDGETS}"))
            }
            "arena-add" if !args.is_empty() && args.split_whitespace().count() != 1 => {
                Availability::blocked("name one run or one file, as in arena-add b2d4")
            }
            "arena-level" | "arena-budget" | "arena-add" | "arena-write" | "arena-keep" => {
                is_held()
            }
            "arena-compare" => Availability::when(
                house.rows.len() > 1 || self.beside.is_some(),
                "there is no other plan to compare with",
            ),
            "arena-fork" => Availability::when(
                self.trace.loaded().is_some_and(Loaded::is_reached),
                "no run is there yet whose step could be played on from",
            ),
            "arena-cell" => Availability::when(
                self.named(args).is_some(),
                "name a candidate and a response, as in arena-cell B1 R2",
            ),
            "arena-step" | "arena-step-back" => {
                Availability::when(self.trace.loaded().is_some(), "no run is there yet")
            }
            "matrix-again" => Availability::when(
                self.here()
                    .is_some_and(|(at, r)| house.cell(at, r).is_some()),
                "this cell was not played yet",
            ),
            "filter" => Availability::blocked("plans have no filter"),
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            "out" | "next-pane" | "previous-pane" => Availability::Ready,
            _ => there(),
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "arena-open" => return Some(self.open()),
            "arena-matrix" => return Some(self.switch(View::Matrix)),
            "arena-frontier" => return Some(self.switch(View::Frontier)),
            "arena-why" => return Some(show(self.why())),
            "arena-critic" => return Some(self.critic_next()),
            "arena-compare" => return Some(self.compare()),
            "arena-fork" => return Some(self.fork(shared)),
            "arena-add" if args.trim().is_empty() => return Some(self.offer(shared)),
            "arena-add" => return Some(self.add(args)),
            "arena-write" => return Some(self.write()),
            "arena-keep" => return Some(self.keep()),
            "arena-earlier" | "arena-later" => {
                self.turn(command == "arena-later");
                return Some(self.follow());
            }
            "arena-level" => return Some(self.level_to(args)),
            "arena-budget" => {
                if let Ok(n) = args.trim().parse() {
                    self.settings.budget = n;
                    return Some(self.again(None));
                }
            }
            "arena-cell" => {
                let named = self.named(args);
                return Some(named.map_or_else(Vec::new, |(at, r)| self.inspect(at, r)));
            }
            "arena-step" => self.step(true),
            "arena-step-back" => self.step(false),
            "matrix-right" => return Some(self.column(true)),
            "matrix-left" => return Some(self.column(false)),
            "matrix-sort" => {
                self.by_worst = !self.by_worst;
                self.arrange();
            }
            "matrix-again" => return Some(self.replay()),
            "frontier-x" => {
                self.x = Some(self.axes().0.next());
                self.arrange();
            }
            "frontier-y" => {
                self.y = Some(self.axes().1.next());
                self.arrange();
            }
            "frontier-hide" => {
                self.hides = !self.hides;
                self.arrange();
                // A plan that is hidden cannot be under the cursor.
                self.put(self.cursor());
                return Some(self.follow());
            }
            "frontier-on" => return self.moves("cursor-down", shared),
            "frontier-back" => return self.moves("cursor-up", shared),
            "out" => return Some(self.out()),
            "next-pane" | "previous-pane" => {
                let n = PANES.len();
                let at = PANES.iter().position(|p| *p == self.focus).unwrap_or(0);
                let by = if command == "next-pane" { 1 } else { n - 1 };
                self.focus = PANES.get((at + by) % n).copied().unwrap_or_default();
            }
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "filter" => {}
            _ => return self.moves(command, shared),
        }
        Some(Vec::new())
    }

    fn on_line(&mut self, line: &str, _shared: &mut Shared) -> Option<Vec<Act>> {
        let (word, args) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "budget" => Some(vec![Act::Run(format!("arena-budget {args}"))]),
            "level" => Some(vec![Act::Run(format!("arena-level {args}"))]),
            _ => None,
        }
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        if self.stage != Stage::New {
            return Vec::new();
        }
        self.again(None)
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        match slot {
            CELL => {
                self.cell_came(event);
                Vec::new()
            }
            OTHER => {
                self.other_came(event);
                Vec::new()
            }
            HOLD => self.held(event, shared),
            _ => self.done(slot, event),
        }
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        match self.focus {
            Pane::Main => {
                let order = self.order();
                Some(self.row_words(*order.get(self.cursor())?))
            }
            Pane::Red => {
                let house = self.house.as_ref()?;
                let answers = house.answers(self.row()?.at);
                let here = self.response();
                let at = answers.iter().position(|r| Some(*r) == here)?;
                Some(self.answers().get(at)?.words())
            }
            Pane::Trace => {
                let loaded = self.trace.loaded()?;
                Some(loaded.words(loaded.row()?).1)
            }
            Pane::Critic => Some(self.claims().get(self.critic())?.text.clone()),
        }
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let mut lines = match &self.stage {
            Stage::New | Stage::Playing => vec![format!("arena: {}", self.progress())],
            Stage::Failed(reason) => vec![format!("arena: {reason}")],
            Stage::Done => Vec::new(),
        };
        let Some(house) = &self.house else {
            return lines;
        };
        lines.push(format!(
            "arena {}, round {}, {}",
            house.record.task,
            house.round,
            self.level_words(true)
        ));
        lines.extend(self.danger_note());
        lines.extend(self.matrix_notes());
        lines.extend(self.order().iter().map(|row| self.row_words(*row)));
        if self.view == View::Frontier {
            lines.extend(self.frontier_notes());
        }
        lines.push(self.trace_title());
        lines.extend(self.told().into_iter().map(|(words, _)| words));
        lines.push("RED".to_owned());
        lines.extend(self.answers().iter().map(Line::words));
        lines.extend(self.red_notes());
        lines.push(self.critic_title());
        for claim in self.claims() {
            let found = words::finding(claim.finding);
            lines.push(format!(
                "{} {found}: {}; {}",
                claim.id, claim.text, claim.evidence
            ));
        }
        lines.extend(self.held_out());
        lines
    }
}

impl Place for Arena {
    fn table(&self, _shared: &Shared) -> Option<Table> {
        self.rows_of_focus()
    }

    fn title(&self, shared: &Shared) -> Title {
        let Some(house) = &self.house else {
            return Title {
                subject: self.asked().to_owned(),
                facts: Vec::new(),
            };
        };
        let wide = shared.size.w >= 100;
        let mut facts = Vec::new();
        if self.stage == Stage::Playing {
            facts.push(Fact::new(self.progress(), Role::Live));
        }
        if let Some(value) = &house.value {
            facts.push(Fact::new(format!("value {}", value.words()), Role::Text));
        }
        facts.push(Fact::new(self.level_words(wide), Role::Text));
        if wide {
            facts.push(Fact::new(
                format!("{} cells", house.record.cells.len()),
                Role::Text,
            ));
        }
        facts.push(Fact::new(house.record.profile.clone(), Role::Text));
        let name = format!("{}/{}", house.record.suite, house.record.task);
        let task = shared.library.tasks.iter().find(|t| t.name() == name);
        let words = task.map_or_else(String::new, |t| format!(" “{}”", t.instruction));
        Title {
            subject: format!("{}{words}", house.record.task),
            facts,
        }
    }

    fn rail(&self, _shared: &Shared) -> Rail {
        let Some(house) = &self.house else {
            return Rail::default();
        };
        let last = House::last_round(&house.record);
        let tail = format!("round {} of {last}", house.round);
        let Some(loaded) = self.trace.loaded() else {
            return Rail {
                dense: false,
                steps: (0..=last)
                    .map(|round| RailStep {
                        text: format!("round {round}"),
                        role: Role::Text,
                    })
                    .collect(),
                now: house.round as usize,
                tail: String::new(),
            };
        };
        loaded.rail(true, tail)
    }
}
