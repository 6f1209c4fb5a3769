//! Tasks as PDDL: the reference plans are valid by the exported files' own semantics, and plans of a planner are played.
//! With Fast Downward (`VESTA_PEERS_PYTHON` names a Python with up-fast-downward) its plans too.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use vesta::formats::{planner, trace};
use vesta::store::library::{Library, Places};
use vesta::task::Environment;

/// An expression of PDDL.
#[derive(Clone, Debug, PartialEq)]
enum Sexp {
    Word(String),
    List(Vec<Self>),
}

impl Sexp {
    fn read(text: &str) -> Self {
        let plain: String = text
            .lines()
            .map(|l| l.split(';').next().unwrap().to_owned() + "\n")
            .collect();
        let spaced = plain.replace('(', " ( ").replace(')', " ) ");
        let mut open = vec![Vec::new()];
        for word in spaced.split_whitespace() {
            match word {
                "(" => open.push(Vec::new()),
                ")" => {
                    let done = open.pop().unwrap();
                    open.last_mut().unwrap().push(Self::List(done));
                }
                word => open.last_mut().unwrap().push(Self::Word(word.to_owned())),
            }
        }
        assert_eq!(open.len(), 1, "brackets match");
        open.pop().unwrap().pop().unwrap()
    }

    fn list(&self) -> &[Self] {
        match self {
            Self::List(all) => all,
            Self::Word(_) => &[],
        }
    }

    fn word(&self) -> &str {
        match self {
            Self::Word(word) => word,
            Self::List(_) => "",
        }
    }

    fn head(&self) -> &str {
        self.list().first().map_or("", Self::word)
    }

    /// What follows a key such as `:init`.
    fn after(&self, key: &str) -> &Self {
        let all = self.list();
        &all[all.iter().position(|x| x.word() == key).unwrap() + 1]
    }

    /// `?x ?y - thing h - hand` as names with their types.
    fn typed(all: &[Self]) -> Vec<(String, String)> {
        let (mut out, mut names) = (Vec::new(), Vec::new());
        let mut words = all.iter().map(Self::word);
        while let Some(word) = words.next() {
            if word == "-" {
                let kind = words.next().unwrap();
                out.extend(names.drain(..).map(|n| (n, kind.to_owned())));
            } else {
                names.push(word.to_owned());
            }
        }
        out
    }
}

type Atom = Vec<String>;
type Bound = BTreeMap<String, String>;

/// A state, with what follows from it.
struct State<'d> {
    facts: HashSet<Atom>,
    derived: BTreeMap<String, (Vec<String>, &'d Sexp)>,
    objects: BTreeMap<String, Vec<String>>,
    /// What was found out about the derived facts of the state.
    known: RefCell<HashMap<Atom, bool>>,
}

impl State<'_> {
    fn atom(of: &Sexp, bound: &Bound) -> Atom {
        let name = |w: &Sexp| {
            bound
                .get(w.word())
                .cloned()
                .unwrap_or_else(|| w.word().to_owned())
        };
        of.list().iter().map(name).collect()
    }

    /// All ways to give names values.
    fn ways(&self, names: &[(String, String)], bound: &Bound) -> Vec<Bound> {
        let mut ways = vec![bound.clone()];
        for (name, kind) in names {
            let values = self.objects.get(kind).map_or(&[][..], Vec::as_slice);
            ways = ways
                .iter()
                .flat_map(|way| {
                    values.iter().map(|value| {
                        let mut way = way.clone();
                        way.insert(name.clone(), value.clone());
                        way
                    })
                })
                .collect();
        }
        ways
    }

    /// Whether names have values with which a formula holds.
    fn some(
        &self,
        names: &[(String, String)],
        what: &Sexp,
        bound: &Bound,
        asked: &mut Vec<Atom>,
    ) -> bool {
        let Some(((name, kind), rest)) = names.split_first() else {
            return self.holds(what, bound, asked);
        };
        let mut bound = bound.clone();
        let values = self.objects.get(kind).map_or(&[][..], Vec::as_slice);
        values.iter().any(|value| {
            bound.insert(name.clone(), value.clone());
            self.some(rest, what, &bound, asked)
        })
    }

    fn holds(&self, what: &Sexp, bound: &Bound, asked: &mut Vec<Atom>) -> bool {
        let all = what.list();
        match what.head() {
            "and" => all[1..].iter().all(|x| self.holds(x, bound, asked)),
            "or" => all[1..].iter().any(|x| self.holds(x, bound, asked)),
            "not" => !self.holds(&all[1], bound, asked),
            "=" => {
                let both = Self::atom(what, bound);
                both[1] == both[2]
            }
            "exists" => self.some(&Sexp::typed(all[1].list()), &all[2], bound, asked),
            _ => {
                let atom = Self::atom(what, bound);
                let Some((names, body)) = self.derived.get(&atom[0]) else {
                    return self.facts.contains(&atom);
                };
                if let Some(&known) = self.known.borrow().get(&atom) {
                    return known;
                }
                // What is asked for already cannot be its own reason.
                if asked.contains(&atom) {
                    return false;
                }
                let inner = names
                    .iter()
                    .cloned()
                    .zip(atom[1..].iter().cloned())
                    .collect();
                asked.push(atom);
                let so = self.holds(body, &inner, asked);
                let atom = asked.pop().unwrap();
                // A no that left out what is being asked may be a yes elsewhere.
                if so || asked.is_empty() {
                    self.known.borrow_mut().insert(atom, so);
                }
                so
            }
        }
    }

    fn effects(&self, what: &Sexp, bound: &Bound, out: &mut [BTreeSet<Atom>; 2]) {
        let all = what.list();
        match what.head() {
            "and" => all[1..].iter().for_each(|x| self.effects(x, bound, out)),
            "forall" => {
                for way in self.ways(&Sexp::typed(all[1].list()), bound) {
                    self.effects(&all[2], &way, out);
                }
            }
            "when" => {
                if self.holds(&all[1], bound, &mut Vec::new()) {
                    self.effects(&all[2], bound, out);
                }
            }
            "not" => {
                out[1].insert(Self::atom(&all[1], bound));
            }
            _ => {
                out[0].insert(Self::atom(what, bound));
            }
        }
    }
}

/// What the first action of a step's name that is allowed adds and deletes.
fn done(state: &State<'_>, actions: &[Sexp], step: &[String]) -> Option<[BTreeSet<Atom>; 2]> {
    let fits = actions.iter().filter(|a| {
        let name = a.list()[1].word();
        name.split('_').next() == Some(step[0].as_str())
    });
    for action in fits {
        let names = Sexp::typed(action.after(":parameters").list());
        let given = step.len() - 1;
        let known =
            |kind: &str, x: &String| state.objects.get(kind).is_some_and(|all| all.contains(x));
        if names.len() < given
            || !names
                .iter()
                .zip(&step[1..])
                .all(|((_, kind), x)| known(kind, x))
        {
            continue;
        }
        let bound: Bound = names
            .iter()
            .map(|(n, _)| n.clone())
            .zip(step[1..].iter().cloned())
            .collect();
        let needs = action.after(":precondition");
        let mut ways = state.ways(&names[given..], &bound).into_iter();
        if let Some(way) = ways.find(|way| state.holds(needs, way, &mut Vec::new())) {
            let mut out = [BTreeSet::new(), BTreeSet::new()];
            state.effects(action.after(":effect"), &way, &mut out);
            return Some(out);
        }
    }
    None
}

/// Whether steps, each a name of an action with its first objects, lead from the start to the goal; else the first that fails.
fn valid(domain: &str, problem: &str, steps: &[Vec<String>]) -> Result<(), String> {
    let (domain, problem) = (Sexp::read(domain), Sexp::read(problem));
    let mut objects: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let parts = |of: &'_ Sexp, key: &str| -> Vec<Sexp> {
        of.list()
            .iter()
            .filter(|x| x.head() == key)
            .cloned()
            .collect()
    };
    for list in parts(&domain, ":constants")
        .iter()
        .chain(&parts(&problem, ":objects"))
    {
        for (name, kind) in Sexp::typed(&list.list()[1..]) {
            objects.entry(kind).or_default().push(name);
        }
    }
    let rules = parts(&domain, ":derived");
    let derived = rules
        .iter()
        .map(|rule| {
            let head = &rule.list()[1];
            let names = Sexp::typed(&head.list()[1..]).into_iter().map(|(n, _)| n);
            (head.head().to_owned(), (names.collect(), &rule.list()[2]))
        })
        .collect();
    let init = &parts(&problem, ":init")[0];
    let facts = init.list()[1..]
        .iter()
        .map(|f| State::atom(f, &Bound::new()))
        .collect();
    let mut state = State {
        facts,
        derived,
        objects,
        known: RefCell::default(),
    };
    let actions = parts(&domain, ":action");
    for (i, step) in steps.iter().enumerate() {
        let found = done(&state, &actions, step);
        let Some([add, delete]) = found else {
            return Err(format!("step {} {step:?} is not allowed", i + 1));
        };
        state.facts.retain(|f| !delete.contains(f));
        state.facts.extend(add);
        state.known.borrow_mut().clear();
    }
    let goals = parts(&problem, ":goal");
    let goal = &goals[0].list()[1];
    for part in &goal.list()[1..] {
        if !state.holds(part, &Bound::new(), &mut Vec::new()) {
            return Err(format!("goal {part:?} does not hold"));
        }
    }
    Ok(())
}

/// A task's domain and problem, its reference plan as PDDL, and its losses.
fn exported(library: &Library, id: &str) -> (String, String, Vec<Vec<String>>, Vec<String>) {
    let setup = library.load(id).unwrap();
    let written = planner::write(&setup).unwrap();
    let file = |name: &str| {
        let bytes = written
            .files
            .iter()
            .find(|f| f.0 == name)
            .unwrap()
            .1
            .clone();
        String::from_utf8(bytes).unwrap()
    };
    let name = |ix| trace::name_of(&setup.scene.node(ix).name());
    let step = |action: &vesta::sim::world::Action| {
        let verb = setup.scene.dialect().actions[usize::from(action.verb)].name;
        let objects = [action.a, action.b].into_iter().filter(|ix| ix.is_some());
        std::iter::once(verb.to_lowercase())
            .chain(objects.map(name))
            .collect()
    };
    let steps = setup.reference.iter().map(step).collect();
    let losses = written.losses.iter().map(|l| l.field.clone()).collect();
    (file("domain.pddl"), file("problem.pddl"), steps, losses)
}

#[test]
fn reference_plans_are_valid_in_the_exported_problems() {
    let library = Library::open_in(Places::default(), None);
    let rows = library.rows().iter().filter(|r| r.suite == "vh");
    let doable: Vec<String> = rows
        .filter(|r| r.environment != Environment::AdversarialInstruction)
        .map(|r| r.id.clone())
        .collect();
    let mut wrong = Vec::new();
    for id in &doable {
        let (domain, problem, steps, losses) = exported(&library, id);
        // What comes to pass by itself is named as a loss, and a plan may answer to it.
        let by_itself = losses.iter().any(|l| l == "happening");
        if let (Err(why), false) = (valid(&domain, &problem, &steps), by_itself) {
            wrong.push(format!("{id}: {why}"));
        }
    }
    assert_eq!(doable.len(), 70);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_plan_with_a_fault_is_not_valid() {
    let library = Library::open_in(Places::default(), None);
    let (domain, problem, mut steps, losses) = exported(&library, "V022");
    assert_eq!(valid(&domain, &problem, &steps), Ok(()));
    let opened = steps.remove(1);
    assert_eq!(opened[0], "open");
    let why = valid(&domain, &problem, &steps).unwrap_err();
    assert!(why.starts_with("step 2 [\"grab\", \"fork"), "{why}");
    assert!(losses.iter().any(|l| l == "rule P12"), "{losses:?}");
    let few = valid(&domain, &problem, &steps[..1]).unwrap_err();
    assert!(few.starts_with("goal "), "{few}");
}

/// Runs the program in a folder.
fn ran(dir: &Path, args: &[&str]) -> (String, i32) {
    let output = Command::new(cargo_bin("vesta"))
        .args(args)
        .current_dir(dir)
        .env("HOME", dir)
        .env("XDG_DATA_HOME", dir.join("data"))
        .env("VESTA_CONFIG_DIR", dir)
        .env("LANG", "C.UTF-8")
        .output()
        .unwrap();
    let all = [output.stdout, output.stderr].concat();
    (
        String::from_utf8(all).unwrap(),
        output.status.code().unwrap(),
    )
}

#[test]
fn a_plan_of_a_planner_is_played() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("sas_plan"),
        "(walk_door nowhere kitchen)\n; cost = 1 (unit cost)\n",
    )
    .unwrap();
    let args = ["import", "sas_plan", "--task", "V011", "--runs", "r"];
    let (said, code) = ran(dir.path(), &args);
    assert_eq!(
        (said.as_str(), code),
        (
            "vesta: step 1: nothing is called nowhere in the scene of the task; name the task the plan is for with --task\n",
            2
        )
    );
    assert!(!dir.path().join("r").exists());
    let plan = "(walk window_38 kids_bedroom_61)\n(close window_38)\n; cost = 2 (unit cost)\n";
    std::fs::write(dir.path().join("sas_plan"), plan).unwrap();
    let (said, code) = ran(dir.path(), &args);
    assert!(said.starts_with("s1 walk window.38\n"), "{said}");
    assert!(said.contains("goals 1/1"), "{said}");
    assert_eq!(code, 1, "the chair still stands below the window");
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "the reason of a skipped test belongs on its output"
)]
fn fast_downward_plans_on_our_problems() {
    let Some(python) = std::env::var_os("VESTA_PEERS_PYTHON") else {
        println!("skipped: VESTA_PEERS_PYTHON names no Python with up-fast-downward");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let tasks = ["V001", "V022", "V051"];
    for task in tasks {
        let (said, code) = ran(
            dir.path(),
            &["export", task, "--format", "pddl", "-o", task],
        );
        assert_eq!(code, 0, "{said}");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/peers.py");
    let mut command = Command::new(python);
    command.arg(script).arg("plan").args(tasks);
    let output = command.current_dir(dir.path()).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    if told.contains("\"planner\": null") {
        println!("skipped: up-fast-downward is not installed");
        return;
    }
    for task in tasks {
        let plan = format!("{task}/sas_plan");
        let args = ["import", &plan, "--task", task, "--runs", "runs"];
        let (said, code) = ran(dir.path(), &args);
        assert!(said.contains(" 0 refused"), "{told}{said}");
        assert_eq!(code, 0, "{said}");
    }
}
