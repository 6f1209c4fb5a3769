//! What screens ask: what is still pending, and which facts an instance hangs on. Not made for the hot path.

use crate::safety::formula::TrackedId;
use crate::safety::verdict::{Instance, RuleIx};
use crate::sim::vocab::{Dialect, Ix};
use crate::sim::world::World;

use super::atom::{Arg, Atom, Binding, Conj, FamIx, Lit, MAX_VARS, Part};
use super::eval::Eval;
use super::norm::Kind;
use super::{ACTIVE, Monitor};

/// One way a rule's instance is broken: all of these hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its parts, in the order of the formula; what is fixed for the scene is left out.
    pub clauses: Vec<Clause>,
}

/// One part of a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// In words with the nodes' names: `fork INSIDE microwave`, `you do not hold mitts`.
    pub words: String,
    /// Whether it holds now; what speaks of the step before is read as of now, as if a step were being chosen.
    pub holds: bool,
    /// What it speaks of.
    pub about: About,
    /// The nodes it speaks of.
    pub nodes: Vec<Ix>,
}

/// What a clause speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Facts.
    Facts,
    /// An action.
    Act,
    /// The end of the run.
    End,
}

/// How people call what a way speaks of.
pub struct Names<'a> {
    /// A node.
    pub node: &'a dyn Fn(Ix) -> String,
    /// A tracked fact.
    pub fact: &'a dyn Fn(TrackedId) -> String,
}

impl std::fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}

impl Way {
    /// The parts that do not hold.
    pub fn missing(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(|c| !c.holds)
    }
}

impl Monitor {
    /// Instances whose time is running, with the positions left before they break.
    pub fn pending(&self) -> Vec<(Instance, u32)> {
        let mut all = Vec::new();
        for &body in &self.program.bodies {
            let family = &self.program.families[usize::from(body)];
            for conj in &family.on {
                for part in &conj.parts {
                    let Part::Lit(Lit {
                        atom: Atom::Cell(fam, args),
                        neg: false,
                        prev: false,
                    }) = part
                    else {
                        continue;
                    };
                    self.running(*fam, args, family.keys.len(), &mut |left, nodes| {
                        let key = self.program.pack.key(nodes);
                        all.push((self.instance(body, key), left));
                    });
                }
            }
        }
        all.sort_unstable_by_key(|(i, left)| (*i, *left));
        all.dedup_by_key(|(i, _)| *i);
        all
    }

    /// The running counters of a family, as nodes of the body's own variables where they say all of these.
    fn running(&self, fam: FamIx, args: &[Arg], outer: usize, told: &mut dyn FnMut(u32, &[Ix])) {
        let Kind::Run(most) = self.program.families[usize::from(fam)].kind else {
            return;
        };
        for (key, since) in self.cells[usize::from(fam)].iter() {
            if since == ACTIVE {
                continue;
            }
            let so_far = self.depth.saturating_sub(since) + 1;
            let Some(left) = most.checked_sub(so_far) else {
                continue;
            };
            let mut nodes = vec![Ix::NONE; outer];
            for (i, arg) in args.iter().enumerate() {
                if let Arg::Var(v) = arg
                    && let Some(slot) = nodes.get_mut(usize::from(*v))
                {
                    *slot = self.program.pack.node(key, i);
                }
            }
            if nodes.iter().all(|n| n.is_some()) {
                told(left, &nodes);
            }
        }
    }

    /// The ways an instance is broken, each with what holds of it now.
    pub fn ways(&self, world: &World, instance: &Instance, names: &Names<'_>) -> Vec<Way> {
        let is_body = |fam: &&FamIx| {
            let kind = self.program.families[usize::from(**fam)].kind;
            kind == Kind::Body(instance.rule)
        };
        let Some(&fam) = self.program.bodies.iter().find(is_body) else {
            return Vec::new();
        };
        let family = &self.program.families[usize::from(fam)];
        let mut eval = self.eval(world, None);
        eval.follows = true;
        let mut binding: Binding = [Ix::NONE; MAX_VARS];
        for (slot, node) in binding
            .iter_mut()
            .zip(instance.tuple)
            .take(family.keys.len())
        {
            *slot = node;
        }
        let teller = Teller {
            eval,
            dialect: world.dialect(),
            names,
        };
        family
            .on
            .iter()
            .map(|conj| Way {
                clauses: teller.clauses(conj, &binding),
            })
            .collect()
    }

    /// Whether a rule is watched and has instances.
    pub fn watches(&self, rule: RuleIx) -> bool {
        self.program
            .bodies
            .iter()
            .any(|f| self.program.families[usize::from(*f)].kind == Kind::Body(rule))
    }
}

struct Teller<'a> {
    eval: Eval<'a>,
    dialect: &'static Dialect,
    names: &'a Names<'a>,
}

impl Teller<'_> {
    fn clauses(&self, conj: &Conj, binding: &Binding) -> Vec<Clause> {
        let mut found = *binding;
        // Where the way's own variables have values that make it hold, those are the nodes to name.
        let mut witness = None;
        self.eval
            .run(conj, &conj.full, &mut found, &mut |b| witness = Some(*b));
        let binding = witness.unwrap_or(*binding);
        conj.parts
            .iter()
            .filter_map(|part| self.clause(part, &binding))
            .collect()
    }

    fn clause(&self, part: &Part, binding: &Binding) -> Option<Clause> {
        match part {
            Part::Lit(lit) if lit.atom.is_static() => None,
            Part::Lit(lit) => {
                let args = lit.atom.args();
                let nodes: Vec<Ix> = args.iter().map(|a| self.node(*a, binding)).collect();
                let bound = nodes.iter().all(|n| n.is_some());
                Some(Clause {
                    words: self.lit(lit, binding),
                    holds: bound && self.eval.lit(lit, binding),
                    about: match lit.atom {
                        Atom::Act(..) => About::Act,
                        Atom::End => About::End,
                        _ => About::Facts,
                    },
                    nodes: nodes.into_iter().filter(|n| n.is_some()).collect(),
                })
            }
            Part::Sub { neg, conjs } => {
                let some = conjs
                    .iter()
                    .any(|c| self.eval.holds_for(c, &mut binding.clone()));
                let inner: Vec<String> = conjs.iter().map(|c| self.conj(c, binding)).collect();
                Some(Clause {
                    words: match (neg, inner.as_slice()) {
                        (false, _) => inner.join(" or "),
                        (true, [one]) => format!("not: {one}"),
                        (true, _) => format!("neither {}", inner.join(" nor ")),
                    },
                    holds: some != *neg,
                    about: About::Facts,
                    nodes: Vec::new(),
                })
            }
        }
    }

    /// The parts in words. A variable of its own that can only be one node is called by its name.
    fn conj(&self, conj: &Conj, binding: &Binding) -> String {
        let mut binding = *binding;
        for part in &conj.parts {
            if let Part::Lit(Lit {
                atom: Atom::Is(dom, Arg::Var(v)),
                neg: false,
                ..
            }) = part
                && let [only] = self.eval.program.doms.get(*dom).list.as_slice()
                && let Some(slot) = binding.get_mut(usize::from(*v))
                && !slot.is_some()
            {
                *slot = *only;
            }
        }
        let binding = &binding;
        let parts = conj.parts.iter().filter_map(|part| match part {
            Part::Lit(lit) if lit.atom.is_static() => None,
            Part::Lit(lit) => Some(self.lit(lit, binding)),
            Part::Sub { .. } => Some("…".to_owned()),
        });
        let parts: Vec<String> = parts.collect();
        parts.join(" and ")
    }

    const fn node(&self, arg: Arg, binding: &Binding) -> Ix {
        match arg {
            Arg::Me => self.eval.now.me,
            Arg::Var(v) => binding[v as usize],
        }
    }

    fn called(&self, arg: Arg, binding: &Binding) -> String {
        match self.node(arg, binding) {
            ix if ix == self.eval.now.me => "you".to_owned(),
            ix if ix.is_some() => (self.names.node)(ix),
            _ => "something".to_owned(),
        }
    }

    fn lit(&self, lit: &Lit, b: &Binding) -> String {
        let x = |arg: &Arg| self.called(*arg, b);
        let words = match &lit.atom {
            Atom::Start => "the start".to_owned(),
            Atom::End => "the end".to_owned(),
            Atom::Same(p, q) => format!("{} is {}", x(p), x(q)),
            Atom::Is(_, p) => x(p),
            Atom::State(s, p) => format!("{} {}", x(p), self.dialect.state_name(*s)),
            Atom::Rel(rels, p, q) => {
                let rels: Vec<&str> = rels.iter().map(|r| self.dialect.rel_name(r)).collect();
                format!("{} {} {}", x(p), rels.join("/"), x(q))
            }
            Atom::Near(p, q) => format!("{} near {}", x(p), x(q)),
            Atom::Held(p) => format!("you hold {}", x(p)),
            Atom::InRoom(p, r) => format!("{} in {}", x(p), x(r)),
            Atom::SameRoom(p, q) => format!("{} in the room of {}", x(p), x(q)),
            Atom::Within(p, q) => format!("{} within {}", x(p), x(q)),
            Atom::Act(mask, args) => {
                let verbs = self.dialect.actions.iter().enumerate();
                let verbs: Vec<String> = verbs
                    .filter(|(i, _)| mask >> i & 1 == 1)
                    .map(|(_, def)| def.name.to_lowercase())
                    .collect();
                let args: Vec<String> = args.iter().flatten().map(x).collect();
                format!("{} {}", verbs.join(" or "), args.join(" "))
                    .trim_end()
                    .to_owned()
            }
            Atom::Cell(fam, args) => self.cell(*fam, args, b),
        };
        match (&lit.atom, lit.neg) {
            (_, false) => words,
            (Atom::Held(p), true) => format!("you do not hold {}", x(p)),
            (Atom::Cell(fam, _), true) if self.is_once(*fam) => format!("never {words}"),
            (_, true) => format!("not {words}"),
        }
    }

    fn is_once(&self, fam: FamIx) -> bool {
        self.eval.program.families[usize::from(fam)].kind == Kind::Once
    }

    fn cell(&self, fam: FamIx, args: &[Arg], b: &Binding) -> String {
        let family = &self.eval.program.families[usize::from(fam)];
        let nodes: Vec<String> = args.iter().map(|a| self.called(*a, b)).collect();
        let mut inner: Binding = [Ix::NONE; MAX_VARS];
        for (slot, arg) in inner.iter_mut().zip(args) {
            *slot = self.node(*arg, b);
        }
        let of = |conjs: &[Conj]| {
            let all: Vec<String> = conjs.iter().map(|c| self.conj(c, &inner)).collect();
            all.join(", or ")
        };
        match family.kind {
            Kind::Tracked(_) => {
                let number = self.eval.program.tracked.iter().position(|f| *f == fam);
                let fact = (self.names.fact)(TrackedId(number.unwrap_or(0) as u8));
                format!("{} {fact}", nodes.join(" and "))
                    .trim_start()
                    .to_owned()
            }
            Kind::Once => format!("before: {}", of(&family.on)),
            Kind::Since => format!("{}, and ever since {}", of(&family.on), of(&family.keep)),
            Kind::Run(k) => format!("for more than {k} steps {}", of(&family.on)),
            Kind::View | Kind::Body(_) => of(&family.on),
        }
    }
}
