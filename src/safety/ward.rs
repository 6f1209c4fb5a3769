//! The rules of a book put on guard over one scene: what is watched, how far to trust it there, and looking ahead.

use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::safety::book::{Book, Extra, Shadow};
use crate::safety::formula::{Bound, TrackedId};
use crate::safety::grades::nearness_is_authored;
use crate::safety::monitor::{Input, Memory, Monitor, Moved, Program, StepLog, Unwatched};
use crate::safety::ontology::Sets;
use crate::safety::rule::{Grade, Rule};
use crate::safety::verdict::{Danger, Instance, RuleIx};
use crate::sim::graph::Item;
use crate::sim::scene::Scene;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// The rules in force over one scene.
#[derive(Debug)]
pub struct Ward {
    book: Arc<Book>,
    scene: Arc<Scene>,
    program: Arc<Program>,
    grades: Vec<Grade>,
    /// What is not watched, and why.
    pub notes: Vec<Diagnostic>,
    /// What is not watched because it would cost too much in this scene, with the cure.
    pub costly: Vec<Diagnostic>,
}

impl Ward {
    /// Puts rules of at least this grade on guard over the scene of a world that stands at its start.
    pub fn new(book: &Arc<Book>, world: &World, least: Grade) -> Self {
        let scene = world.scene();
        let dialect = world.dialect();
        let authored = nearness_is_authored(scene);
        let mut notes = Vec::new();
        let grades: Vec<Grade> = book.rules.iter().map(|r| r.grade_in(authored)).collect();
        let mut rules = Vec::new();
        for (i, rule) in book.rules.iter().enumerate() {
            if grades.get(i).is_none_or(|g| *g > least) {
                continue;
            }
            match book.bind(rule, dialect) {
                Ok(bound) => rules.push((RuleIx(i as u16), bound)),
                Err(why) => notes.push(Diagnostic::warning(rule.id.as_str(), why.to_string())),
            }
        }
        let input = input(book, world, rules);
        let (program, unwatched) = Program::compile(input, world);
        let mut costly = Vec::new();
        for it in unwatched {
            let rule = |rule: RuleIx| book.rules.get(usize::from(rule.0));
            match it {
                Unwatched::Rule(ix, why) => {
                    let id = rule(ix).map(|r| r.id.clone());
                    notes.push(Diagnostic::warning(id.unwrap_or_default(), why));
                }
                Unwatched::Fact(i, why) => {
                    let name = book.tracked.get(i).map(|t| t.name.clone());
                    notes.push(Diagnostic::warning(name.unwrap_or_default(), why));
                }
                Unwatched::Costly(ix, why) => {
                    let named = rule(ix).map(|r| (format!("rule {}", r.id), &r.place));
                    costly.extend(named.map(|(name, place)| too_wide(name, place, &why)));
                }
                Unwatched::CostlyFact(i, why) => {
                    let named = book.tracked.get(i);
                    let named = named.map(|t| (format!("tracked {}", t.name), &t.place));
                    costly.extend(named.map(|(name, place)| too_wide(name, place, &why)));
                }
            }
        }
        Self {
            book: book.clone(),
            scene: scene.clone(),
            program: Arc::new(program),
            grades,
            notes,
            costly,
        }
    }

    /// The knowledge in force.
    pub const fn book(&self) -> &Arc<Book> {
        &self.book
    }

    /// The scene watched.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What monitors run.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The rule of that number.
    pub fn rule(&self, rule: RuleIx) -> Option<&Arc<Rule>> {
        self.book.rules.get(usize::from(rule.0))
    }

    /// The grade a rule has in this scene: rules that read authored nearness are pedantic where nobody authored it.
    pub fn grade(&self, rule: RuleIx) -> Grade {
        let grade = self.grades.get(usize::from(rule.0)).copied();
        grade.unwrap_or(Grade::Pedantic)
    }

    /// A monitor at the start of the world; these tracked facts hold there.
    pub fn monitor(&self, world: &World, extras: &[Extra]) -> Monitor {
        Monitor::new(self.program.clone(), world, extras)
    }

    /// The worst of these instances: what an act brings about before what runs out by itself (`due`), then by grade,
    /// then by severity.
    pub fn worst<'i>(
        &self,
        all: impl Iterator<Item = &'i Instance>,
        due: &[Instance],
    ) -> Option<Danger> {
        let danger = |instance: &Instance| {
            Some(Danger {
                instance: *instance,
                severity: self.rule(instance.rule)?.severity,
                grade: self.grade(instance.rule),
                more: 0,
            })
        };
        let rank = |d: &Danger| {
            let late = due.contains(&d.instance);
            (late, d.grade, std::cmp::Reverse(d.severity), d.instance)
        };
        let mut all: Vec<Danger> = all.filter_map(danger).collect();
        all.sort_unstable_by_key(rank);
        let mut rules: Vec<RuleIx> = all.iter().map(|d| d.instance.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        let more = rules.len().saturating_sub(1);
        all.first().map(|d| Danger { more, ..*d })
    }
}

/// What is said about a rule or fact that would cost too much.
fn too_wide(name: String, (file, line): &(String, u32), why: &str) -> Diagnostic {
    Diagnostic::warning(name, format!("it is not used in this scene: {why}"))
        .help("give its variables narrower guards")
        .in_file(file)
        .at(*line, None)
}

/// Rules bound to a dialect, with the facts and sets of their book, for the scene of a world. A fact the dialect has no
/// words for never holds.
pub(super) fn input(book: &Book, world: &World, rules: Vec<(RuleIx, Bound)>) -> Input {
    let dialect = world.dialect();
    let fact = |i: usize| {
        let bound = book.bind_fact(TrackedId(i as u8), dialect);
        bound.unwrap_or_default()
    };
    let sets = Sets::new(&book.ontology, world.scene());
    Input {
        guards: book.guards.iter().map(|g| sets.members(g)).collect(),
        facts: (0..book.tracked.len()).map(fact).collect(),
        rules,
    }
}

impl Shadow for Monitor {
    fn tracked(&self, fact: TrackedId, of: [Ix; 2]) -> bool {
        Self::tracked(self, fact, of)
    }
}

/// A monitor with what it takes to follow a world and to look one action ahead.
#[derive(Clone, Debug)]
pub struct Lookout {
    ward: Arc<Ward>,
    monitor: Monitor,
    /// Per happening: the tracked facts it changes.
    happenings: Arc<[Vec<Extra>]>,
    /// Rules that a goal of the task silences, with the thing concerned, which is always the first variable.
    silenced: Vec<(RuleIx, Ix)>,
    extras: Vec<Extra>,
    ahead: StepLog,
    attempts: Vec<Instance>,
}

impl Lookout {
    /// At the start of a world.
    pub fn new(
        ward: Arc<Ward>,
        world: &World,
        start: &[Extra],
        happenings: &[Vec<Extra>],
        silenced: Vec<(RuleIx, Ix)>,
    ) -> Self {
        Self {
            monitor: ward.monitor(world, start),
            ward,
            happenings: happenings.into(),
            silenced,
            extras: Vec::new(),
            ahead: StepLog::default(),
            attempts: Vec::new(),
        }
    }

    /// The same rules and silences at the start of another world of the same scene, in which other things come to pass.
    #[must_use]
    pub fn anew(&self, world: &World, start: &[Extra], happenings: &[Vec<Extra>]) -> Self {
        let (ward, silenced) = (self.ward.clone(), self.silenced.clone());
        Self::new(ward, world, start, happenings, silenced)
    }

    /// The same rules and silences where this is remembered, over a world that stands there.
    #[must_use]
    pub fn remembering(&self, world: &World, memory: &Memory) -> Self {
        let program = self.ward.program().clone();
        Self {
            monitor: Monitor::remembering(program, world, memory),
            ward: self.ward.clone(),
            happenings: self.happenings.clone(),
            silenced: self.silenced.clone(),
            extras: Vec::new(),
            ahead: StepLog::default(),
            attempts: Vec::new(),
        }
    }

    /// Other tracked facts that happenings change, per happening: [`World::rescript`] for the rules.
    pub fn rescript(&mut self, happenings: Arc<[Vec<Extra>]>) {
        self.happenings = happenings;
    }

    /// One that watches nothing.
    pub fn blind(world: &World) -> Self {
        let ward = Ward::new(&Arc::default(), world, Grade::Core);
        Self::new(Arc::new(ward), world, &[], &[], Vec::new())
    }

    /// The rules.
    pub const fn ward(&self) -> &Arc<Ward> {
        &self.ward
    }

    /// The verdicts now.
    pub const fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Whether a goal of the task silences an instance.
    pub fn is_silenced(&self, instance: &Instance) -> bool {
        self.silenced
            .iter()
            .any(|(rule, node)| *rule == instance.rule && *node == instance.tuple[0])
    }

    /// Follows a step the world has just done.
    pub fn step(&mut self, world: &World, action: Action, items: &[Item], log: &mut StepLog) {
        self.extras.clear();
        let mut repeats = false;
        for it in world.happened(items) {
            repeats = true;
            let changed = self.happenings.get(it).into_iter().flatten();
            self.extras.extend(changed);
        }
        let moved = Moved {
            action,
            items,
            extra: &self.extras,
            repeats,
        };
        self.monitor.step(world, &moved, log);
    }

    /// Takes a step back.
    pub fn undo(&mut self, log: &StepLog) {
        self.monitor.undo(log);
    }

    /// Does a step again.
    pub fn redo(&mut self, log: &StepLog) {
        self.monitor.redo(log);
    }

    /// Looks at a step that the world has done on trial: `look` sees the monitor after it and the log.
    pub fn ahead<T>(
        &mut self,
        world: &World,
        action: Action,
        items: &[Item],
        look: impl FnOnce(&Self, &StepLog) -> T,
    ) -> T {
        let mut log = std::mem::take(&mut self.ahead);
        self.step(world, action, items, &mut log);
        let seen = look(self, &log);
        self.monitor.undo(&log);
        self.ahead = log;
        seen
    }

    /// What the next step breaks whatever it is, unless it is the cure: instances whose time is up.
    pub fn due(&self) -> Vec<Instance> {
        let all = self.monitor.pending();
        let due = all.into_iter().filter(|(_, left)| *left == 0);
        due.map(|(instance, _)| instance).collect()
    }

    /// The worst that a step breaks; `due` is what was due before it.
    pub fn danger(&self, log: &StepLog, due: &[Instance]) -> Option<Danger> {
        let broken = log.turns().iter().filter(|t| t.broken);
        let heard = broken.map(|t| &t.instance).filter(|i| !self.is_silenced(i));
        self.ward.worst(heard, due)
    }

    /// What an attempt breaks that the world refuses.
    pub fn attempt(&mut self, world: &World, action: Action) -> &[Instance] {
        let mut found = std::mem::take(&mut self.attempts);
        self.monitor.attempt(world, action, &mut found);
        found.retain(|i| !self.is_silenced(i));
        self.attempts = found;
        &self.attempts
    }

    /// The worst that an attempt breaks.
    pub fn attempt_danger(&mut self, world: &World, action: Action) -> Option<Danger> {
        self.attempt(world, action);
        self.ward.worst(self.attempts.iter(), &[])
    }
}
