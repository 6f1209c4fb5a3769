//! A second, slow reading of formulas: straight from the definition, from nothing, at every position.

use super::*;

/// Positions of a run, each with everything it needs.
pub(super) struct Past {
    pub(super) worlds: Vec<World>,
    pub(super) acts: Vec<Option<Action>>,
    /// Per position and fact: the tuples that hold, with the step that last set them.
    pub(super) facts: Vec<Vec<Held>>,
    pub(super) end: std::cell::Cell<bool>,
}

pub(super) type Held = Vec<([Ix; 2], u32)>;

pub(super) struct Slow<'a> {
    pub(super) input: &'a Input,
    pub(super) past: &'a Past,
}

pub(super) type Env = Vec<(Slot, Ix)>;

impl Slow<'_> {
    pub(super) fn term(&self, t: Term, env: &Env) -> Ix {
        match t {
            Term::Me => self.past.worlds[0].me(),
            Term::Var(s) => env.iter().rev().find(|e| e.0 == s).unwrap().1,
        }
    }

    pub(super) fn at(&self, f: &Formula, t: usize, env: &Env) -> bool {
        let world = &self.past.worlds[t];
        match f {
            Formula::True => true,
            Formula::Start => t == 0,
            Formula::End => self.past.end.get() && t + 1 == self.past.worlds.len(),
            Formula::Same(a, b) => self.term(*a, env) == self.term(*b, env),
            Formula::Is(g, a) => self.input.guards[usize::from(g.0)].contains(&self.term(*a, env)),
            Formula::Base(read, [a, b]) => {
                base(world, *read, self.term(*a, env), self.term(*b, env))
            }
            Formula::Tracked(id, args) => {
                let i = usize::from(id.0);
                let arity = self.input.facts[i].params.len();
                let key = pad(args.map(|a| self.term(a, env)), arity);
                let facts = &self.past.facts[t];
                facts[i].iter().any(|f| f.0 == key)
            }
            Formula::Act(mask, args) => self.past.acts[t].is_some_and(|act| {
                mask >> act.verb & 1 == 1
                    && args[0].is_none_or(|a| self.term(a, env) == act.a)
                    && args[1].is_none_or(|b| self.term(b, env) == act.b)
            }),
            Formula::Not(f) => !self.at(f, t, env),
            Formula::And(all) => all.iter().all(|f| self.at(f, t, env)),
            Formula::Or(all) => all.iter().any(|f| self.at(f, t, env)),
            Formula::Prev(f) => t > 0 && self.at(f, t - 1, env),
            Formula::Once(f) => (0..=t).any(|u| self.at(f, u, env)),
            Formula::Hist(f) => (0..=t).all(|u| self.at(f, u, env)),
            Formula::Since(f, g) => (0..=t)
                .rev()
                .find(|&u| self.at(g, u, env) || !self.at(f, u, env))
                .is_some_and(|u| self.at(g, u, env)),
            Formula::Run(f, k) => {
                let run = (0..=t).rev().take_while(|&u| self.at(f, u, env)).count();
                run <= *k as usize
            }
            Formula::All(binders, f) => self
                .tuples(binders, env)
                .iter()
                .all(|env| self.at(f, t, env)),
            Formula::Some(binders, f) => self
                .tuples(binders, env)
                .iter()
                .any(|env| self.at(f, t, env)),
        }
    }

    pub(super) fn tuples(&self, binders: &[Binder], env: &Env) -> Vec<Env> {
        let mut all = vec![env.clone()];
        for b in binders {
            let nodes = &self.input.guards[usize::from(b.guard.0)];
            let grow = |e: Env| {
                nodes.iter().map(move |n| {
                    let mut e = e.clone();
                    e.push((b.slot, *n));
                    e
                })
            };
            all = all.into_iter().flat_map(grow).collect();
        }
        all
    }

    pub(super) fn broken(&self, t: usize) -> Vec<Instance> {
        let mut found = Vec::new();
        for (rule, bound) in &self.input.rules {
            for env in self.tuples(&bound.outer, &Vec::new()) {
                if !self.at(&bound.body, t, &env) {
                    let mut tuple = [Ix::NONE; MAX_OUTER];
                    for (to, e) in tuple.iter_mut().zip(&env) {
                        *to = e.1;
                    }
                    found.push(Instance { rule: *rule, tuple });
                }
            }
        }
        found.sort_unstable();
        found
    }
}

pub(super) fn pad(args: [Ix; 2], arity: usize) -> [Ix; 2] {
    std::array::from_fn(|i| if i < arity { args[i] } else { Ix::NONE })
}

pub(super) fn base(world: &World, read: FactRead, a: Ix, b: Ix) -> bool {
    let g = world.graph();
    let held = |n| g.has(world.me(), rel::HOLDS_RH, n) || g.has(world.me(), rel::HOLDS_LH, n);
    let room = |n| room_or_none(g, if held(n) { world.me() } else { n });
    match read {
        FactRead::State(s) => g.states(a).has(s),
        FactRead::Mine(s) => g.states(world.me()).has(s),
        FactRead::Edge(r) => g.has(a, r, b) && !g.hot(b).room,
        FactRead::Near => g.has(a, rel::CLOSE, b) || g.has(b, rel::CLOSE, a),
        FactRead::Held => held(a),
        FactRead::InRoom => room(a) == Some(b),
        FactRead::SameRoom => room(a).is_some() && room(a) == room(b),
        FactRead::Within => within(world, a, b, DEEPEST),
    }
}

pub(super) fn within(world: &World, a: Ix, b: Ix, left: usize) -> bool {
    let g = world.graph();
    left > 0
        && world.scene().indices().any(|y| {
            let at = g.rels(a, y).0 & Rels::of(&[rel::ON, rel::INSIDE]).0 != 0;
            at && !g.hot(y).room && (y == b || within(world, y, b, left - 1))
        })
}

impl Past {
    pub(super) fn new(input: &Input, world: &World, extra: &[Extra]) -> Self {
        let mut past = Self {
            worlds: vec![world.clone()],
            acts: vec![None],
            facts: vec![vec![Vec::new(); input.facts.len()]],
            end: std::cell::Cell::new(false),
        };
        for (i, fact) in input.facts.iter().enumerate() {
            let slow = Slow { input, past: &past };
            let start = fact.start.as_ref();
            let mut now: Vec<[Ix; 2]> = slow
                .tuples(&fact.params, &Vec::new())
                .into_iter()
                .filter(|env| start.is_some_and(|f| slow.at(f, 0, env)))
                .map(|env| nodes(&env))
                .collect();
            for e in extra.iter().filter(|e| usize::from(e.fact.0) == i) {
                now.retain(|n| *n != e.of);
                if e.on {
                    now.push(e.of);
                }
            }
            past.facts[0][i] = now.into_iter().map(|n| (n, 0)).collect();
        }
        past
    }

    pub(super) fn push(&mut self, input: &Input, world: &World, action: Action, extra: &[Extra]) {
        self.worlds.push(world.clone());
        self.acts.push(Some(action));
        let t = self.acts.len() - 1;
        self.facts.push(self.facts[t - 1].clone());
        for (i, fact) in input.facts.iter().enumerate() {
            let slow = Slow { input, past: self };
            let before = &self.facts[t - 1][i];
            let mut now = Vec::new();
            for env in slow.tuples(&fact.params, &Vec::new()) {
                let is = |f: &Option<Formula>| f.as_ref().is_some_and(|f| slow.at(f, t, &env));
                let key = nodes(&env);
                let mut set = before.iter().find(|f| f.0 == key).map(|f| f.1);
                if is(&fact.set) {
                    set = Some(t as u32);
                }
                if is(&fact.reset) {
                    set = None;
                }
                if is(&fact.during) {
                    set = Some(t as u32);
                }
                let lasts = |s: &u32| fact.lasts.is_none_or(|k| t as u32 - s <= k);
                if let Some(s) = set.filter(lasts) {
                    now.push((key, s));
                }
            }
            for e in extra.iter().filter(|e| usize::from(e.fact.0) == i) {
                now.retain(|n| n.0 != e.of);
                if e.on {
                    now.push((e.of, t as u32));
                }
            }
            self.facts[t][i] = now;
        }
    }

    pub(super) fn back(&mut self) {
        self.worlds.pop();
        self.acts.pop();
        self.facts.pop();
    }
}
