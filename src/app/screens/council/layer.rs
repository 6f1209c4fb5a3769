//! The councils as a layer and a place.

use std::path::Path;
use std::sync::Arc;

use crate::app::arena::{ArenaJob, ArenaReply};
use crate::app::commands::Availability;
use crate::app::filter_line::{Change, FilterLine};
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Rail, RailStep, Title};
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::overlays::computed::{Computed, Row};
use crate::app::role::Role;
use crate::app::state::Shared;
use crate::arena::advplan::corpus::is_published;
use crate::arena::advplan::council::Council;
use crate::arena::advplan::tables::cells;
use crate::arena::advplan::traces::replay;
use crate::eval::table::Table;

use super::plans::Shown;
use super::{Aside, COLUMNS, Councils, Pane, SEEDS, Stage, Verified, made, words};

/// The slots of the jobs.
const PLAY: &str = "play";
const AUDIT: &str = "audit";

/// Base seeds of an audit.
const AUDITED: usize = 4;

/// A list, or what there is to say instead.
fn show(computed: Result<Computed, String>) -> Vec<Act> {
    vec![match computed {
        Ok(computed) => Act::Show(Overlay::Computed(Box::new(computed))),
        Err(reason) => Act::Notice(Notice::warn(reason)),
    }]
}

impl Councils {
    /// Opens what the cursor of the focused pane is on.
    fn open(&mut self) -> Vec<Act> {
        let run = |rows: Vec<Row>, at: usize| {
            let line = rows.into_iter().nth(at).and_then(|row| row.run);
            line.map(Act::Run).into_iter().collect::<Vec<_>>()
        };
        match self.focus {
            Pane::Scenarios => {
                self.focus = Pane::Blue;
                Vec::new()
            }
            Pane::Blue => {
                let name = self.council().map(|c| c.name(self.at()));
                let what = COLUMNS.get(self.column).copied().unwrap_or("plan");
                name.map_or_else(Vec::new, |name| show(self.made(&name, what)))
            }
            Pane::Red => run(self.replies(), self.reply()),
            Pane::Aside => run(self.aside_rows(), self.side()),
        }
    }

    /// Plays the scenario shown again and compares every published cell.
    fn verify(&mut self) -> Vec<Act> {
        let Some(p) = self.played() else {
            return Vec::new();
        };
        let id = words::id(p).to_owned();
        let ours = cells(p);
        let again = replay(&id).map(|p| cells(&p)).unwrap_or_default();
        let pairs = ours.iter().zip(&again);
        let equal = pairs.clone().filter(|(a, b)| a == b).count();
        let verified = Verified {
            equal,
            cells: ours.len(),
        };
        self.verified.insert(id.clone(), verified);
        let told = format!(
            "{id} played again from its id: {equal} of {} cells equal as text",
            ours.len()
        );
        if equal == ours.len() {
            return vec![Act::Notice(Notice::info(told))];
        }
        let differ = pairs.filter(|(a, b)| a != b);
        let rows = differ.map(|((file, head, a), (_, _, b))| {
            Row::new(*head, format!("{a} was, {b} is")).note(*file)
        });
        let all = Computed::new(told.clone(), rows.collect());
        vec![
            Act::Notice(Notice::warn(told)),
            Act::Show(Overlay::Computed(Box::new(all))),
        ]
    }

    /// Moves the cursor of the focused pane. Whether the command was one that does.
    fn moves(&mut self, command: &str, shared: &Shared) -> bool {
        let page = shared.page();
        match self.focus {
            Pane::Scenarios => {
                let len = self.order().len();
                let known = self.scenarios.run(command, len, page);
                let row = self.row();
                if let Some(place) = self.order.get(row).copied().filter(|p| *p != self.shown) {
                    self.show(place);
                }
                known
            }
            Pane::Blue => {
                let ranking = self.ranking();
                let row = ranking.iter().position(|at| *at == self.at).unwrap_or(0);
                let mut list = crate::app::list::List { cursor: row };
                let known = list.run(command, ranking.len(), page);
                self.at = ranking.get(list.cursor).copied().unwrap_or(self.at);
                if list.cursor != row {
                    self.red.cursor = 0;
                    if self.aside == Aside::Why {
                        self.side.cursor = 0;
                    }
                }
                known
            }
            Pane::Red => {
                let len = self.replies().len();
                self.red.run(command, len, page)
            }
            Pane::Aside => {
                let len = self.aside_rows().len();
                self.side.run(command, len, page)
            }
        }
    }

    fn out(&mut self) -> Vec<Act> {
        if self.zoomed {
            self.zoomed = false;
        } else if self.focus == Pane::Aside || self.focus == Pane::Red {
            self.focus = Pane::Blue;
        } else if self.focus == Pane::Scenarios && !self.filter.is_empty() {
            self.filter = FilterLine::default();
            self.refresh();
        } else if self.focus == Pane::Blue && self.asked.is_none() {
            self.focus = Pane::Scenarios;
        } else {
            return vec![Act::Leave];
        }
        Vec::new()
    }
}

impl Layer for Councils {
    fn contexts(&self) -> Vec<&'static str> {
        if self.filter.editing {
            FilterLine::contexts().to_vec()
        } else {
            vec!["council", "pane", "list"]
        }
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        if self.plans.is_some() {
            return self.when_plans(command);
        }
        let played = self.played().is_some();
        let last = self.council().map_or(0, Council::last_round);
        match command {
            "council-earlier" => Availability::when(self.round > 0, "this is the first round"),
            "council-later" => Availability::when(self.round < last, "this is the last round"),
            "council-right" | "council-left" => Availability::when(
                played && self.focus == Pane::Blue,
                "figures are walked in the pane of BLUE",
            ),
            "council-show" | "council-made" | "council-replies" if args.is_empty() => {
                Availability::blocked("name one")
            }
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            "council-open" | "council-why" | "council-critic" | "council-gifts"
            | "council-budget" | "council-verify" | "council-audit" | "council-show"
            | "council-made" | "council-replies" => {
                Availability::when(played, "no scenario is shown")
            }
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if self.plans.is_some() {
            return self.run_plans(command, shared);
        }
        match command {
            "council-open" => return Some(self.open()),
            "council-why" => self.beside(Aside::Why),
            "council-critic" => self.beside(Aside::Critic),
            "council-budget" => self.beside(Aside::Budget),
            "council-earlier" => self.turn(false),
            "council-later" => self.turn(true),
            "council-gifts" => self.gifts = !self.gifts,
            "council-right" => self.column = (self.column + 1).min(COLUMNS.len() - 1),
            "council-left" => self.column = self.column.saturating_sub(1),
            "council-verify" => return Some(self.verify()),
            "council-audit" => {
                let job = Job::Arena(ArenaJob::Audit(AUDITED));
                return Some(vec![
                    Act::Notice(Notice::info("auditing twenty scenarios …")),
                    Act::Job(AUDIT, job),
                ]);
            }
            "council-show" => return Some(show(self.plan(args.trim()))),
            "council-made" => {
                let (name, what) = args.trim().split_once(' ').unwrap_or((args, "S"));
                return Some(show(self.made(name, what.trim())));
            }
            "council-replies" => {
                let asked = args.trim().parse().ok();
                let all = asked.and_then(|k| self.first_replies(k));
                return Some(show(all.ok_or_else(|| "name how many, 1 to 16".to_owned())));
            }
            "out" => return Some(self.out()),
            "next-pane" => self.step(true),
            "previous-pane" => self.step(false),
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "filter" => {
                self.focus = Pane::Scenarios;
                self.filter.run(command);
            }
            _ => match self.filter.run(command) {
                Some(Change::Rows) => self.refresh(),
                Some(Change::Looks) => {}
                None => return self.moves(command, shared).then(Vec::new),
            },
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.filter.editing
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        self.filter.insert(text);
        self.refresh();
        Vec::new()
    }

    fn on_line(&mut self, line: &str, _shared: &mut Shared) -> Option<Vec<Act>> {
        match line.trim() {
            "verify" => Some(vec![Act::Run("council-verify".to_owned())]),
            "audit" => Some(vec![Act::Run("council-audit".to_owned())]),
            _ => None,
        }
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        if !matches!(self.stage, Stage::New) {
            return Vec::new();
        }
        self.stage = Stage::Playing(0, 0);
        let job = match &self.file {
            Some(path) => ArenaJob::Typed(path.clone()),
            None => ArenaJob::Published(SEEDS, self.asked.clone()),
        };
        vec![Act::Job(PLAY, Job::Arena(job))]
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Progress { done, total } if slot == PLAY => {
                self.stage = Stage::Playing(done, total);
            }
            JobEvent::Progress { .. } | JobEvent::Part(_) => {}
            JobEvent::Failed(reason) if slot == PLAY => self.stage = Stage::Failed(reason),
            JobEvent::Failed(reason) => return vec![Act::Notice(Notice::error(reason))],
            JobEvent::Done(reply) => match *reply {
                Reply::Arena(ArenaReply::Published(study)) => self.take(study),
                Reply::Arena(ArenaReply::Plans(plans)) => {
                    self.plans = Some(Shown::new(plans));
                    self.focus = Pane::Blue;
                }
                Reply::Arena(ArenaReply::Typed(replayed)) => {
                    self.take_file(&replayed);
                    return made::differing(&replayed).map_or_else(Vec::new, |all| show(Ok(all)));
                }
                Reply::Arena(ArenaReply::Audit(moved, of)) => {
                    return show(Ok(made::audited(&Arc::clone(&moved), of)));
                }
                _ => {}
            },
        }
        Vec::new()
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        if let Some(shown) = &self.plans {
            return shown.row_text(self.focus);
        }
        match self.focus {
            Pane::Scenarios => {
                let place = self.order().get(self.row())?;
                Some(words::scenario(self.study()?.played.get(*place)?))
            }
            Pane::Blue => Some(self.candidate_words(self.at())),
            Pane::Red => Some(self.replies().get(self.reply())?.words()),
            Pane::Aside => Some(self.aside_rows().get(self.side())?.words()),
        }
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        if let Some(shown) = &self.plans {
            return shown.plain();
        }
        let (study, p) = match (&self.stage, self.played()) {
            (Stage::New | Stage::Playing(..), _) => {
                return vec![format!("council: {}", self.progress())];
            }
            (Stage::Failed(reason), _) => return vec![format!("council: {reason}")],
            (Stage::Done(study), Some(p)) => (study, p),
            (Stage::Done(_), None) => return vec!["council: no scenario fits".to_owned()],
        };
        let mut lines = vec![format!(
            "council {}, round {}, seed {}, {}",
            words::id(p),
            self.round,
            p.base,
            Self::formula()
        )];
        lines.push(self.verdict());
        lines.extend(self.exploited_words());
        lines.extend(
            self.ranking()
                .into_iter()
                .map(|at| self.candidate_words(at)),
        );
        lines.push(self.red_title());
        lines.extend(self.replies().iter().map(Row::words));
        lines.extend(self.red_notes());
        lines.push(self.aside_title());
        lines.extend(self.aside_rows().iter().map(Row::words));
        if self.asked.is_none() {
            lines.push(format!(
                "scenarios {} of {}",
                self.order().len(),
                study.played.len()
            ));
            let all = self.order().iter().filter_map(|at| study.played.get(*at));
            lines.extend(all.map(words::scenario));
        }
        lines
    }
}

impl Councils {
    /// How far it is, in words.
    pub fn progress(&self) -> String {
        match self.stage {
            Stage::Playing(done, total) if total > 0 => format!("{done} of {total} scenarios"),
            _ => "playing the scenarios …".to_owned(),
        }
    }
}

impl Place for Councils {
    fn table(&self, _shared: &Shared) -> Option<Table> {
        self.rows_of_focus()
    }

    fn title(&self, shared: &Shared) -> Title {
        if let Some(shown) = &self.plans {
            let n = shown.plans.arena.plans.len();
            let mut facts = vec![Fact::new(format!("{n} typed plans"), Role::Text)];
            facts.push(match shown.plans.differ {
                0 => Fact::new("computed anew ✓", Role::Good),
                n => Fact::new(format!("computed anew ✗ {n} differ"), Role::Bad),
            });
            let file = self.file.as_deref().and_then(Path::file_name);
            return Title {
                subject: file.map_or_else(String::new, |f| f.to_string_lossy().into_owned()),
                facts,
            };
        }
        let Some(p) = self.played() else {
            return Title {
                subject: self.asked.clone().unwrap_or_default(),
                facts: Vec::new(),
            };
        };
        let mut facts = Vec::new();
        match self.verified() {
            Some(v) if v.equal == v.cells => {
                facts.push(Fact::new("replayed ✓ digits", Role::Good));
            }
            Some(v) => {
                let told = format!("replayed ✗ {} digits differ", v.cells - v.equal);
                facts.push(Fact::new(told, Role::Bad));
            }
            None => {}
        }
        if self.doubts().iter().any(|d| d.id == "blind" && d.holds) {
            let told = if shared.size.w >= 100 {
                "RED blind: reads only the number of actions"
            } else {
                "RED blind"
            };
            facts.push(Fact::new(told, Role::Armed));
        }
        if !self.gifts {
            facts.push(Fact::new("no gifts", Role::Armed));
        }
        facts.push(Fact::new(format!("seed {}", p.base), Role::Text));
        if !is_published(p.base) {
            facts.push(Fact::new("not published", Role::Armed));
        }
        Title {
            subject: words::id(p).to_owned(),
            facts,
        }
    }

    fn rail(&self, _shared: &Shared) -> Rail {
        let Some(council) = self.council() else {
            return Rail::default();
        };
        let step = |round: u32| RailStep {
            text: format!("round {round}"),
            role: Role::Text,
        };
        Rail {
            dense: false,
            steps: (0..=council.last_round()).map(step).collect(),
            now: self.round as usize,
            tail: String::new(),
        }
    }
}
