//! Walking over a plan: a list of small orders with jumps, and a place in it.

use crate::plan::branching::{Branching, Guard, Knowledge, Step, knows};
use crate::safety::book::Shadow;
use crate::sim::world::{Action, World};

/// A plan made ready for walking over it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    orders: Vec<Order>,
    guards: Vec<Vec<Guard>>,
    reasons: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    Act(Action),
    /// Goes on behind it if the guards of that number hold, else at the other place.
    Unless(u32, u32),
    Jump(u32),
    Stop,
    Avoid(u32),
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<'p> {
    /// This action.
    Act(Action),
    /// Nothing any more.
    Stop,
    /// The refusal to go on, for this reason.
    Avoid(&'p str),
}

impl Program {
    /// Lays a plan out.
    pub fn new(plan: &Branching) -> Self {
        let mut program = Self::default();
        program.lay(&plan.steps);
        program
    }

    fn lay(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Act(action) => self.orders.push(Order::Act(*action)),
                Step::Stop => self.orders.push(Order::Stop),
                Step::Avoid(reason) => {
                    self.orders.push(Order::Avoid(self.reasons.len() as u32));
                    self.reasons.push(reason.clone());
                }
                Step::If {
                    all,
                    then,
                    otherwise,
                } => {
                    let guards = self.guards.len() as u32;
                    self.guards.push(all.clone());
                    let branch = self.orders.len();
                    self.orders.push(Order::Stop);
                    self.lay(then);
                    let over = self.orders.len();
                    if !otherwise.is_empty() {
                        self.orders.push(Order::Stop);
                    }
                    let behind = self.orders.len() as u32;
                    self.orders[branch] = Order::Unless(guards, behind);
                    if !otherwise.is_empty() {
                        self.lay(otherwise);
                        self.orders[over] = Order::Jump(self.orders.len() as u32);
                    }
                }
            }
        }
    }

    /// What comes next where the world stands. `place` begins at 0 and is moved on; it never goes back, so that every walk
    /// ends.
    pub fn next(&self, place: &mut u32, world: &World, shadow: &dyn Shadow) -> Next<'_> {
        loop {
            let Some(&order) = self.orders.get(*place as usize) else {
                return Next::Stop;
            };
            *place += 1;
            match order {
                Order::Act(action) => return Next::Act(action),
                Order::Jump(to) => *place = to,
                Order::Unless(guards, to) => {
                    let all = self.guards.get(guards as usize).into_iter().flatten();
                    let mut all = all.map(|g| knows(world, shadow, &g.fact));
                    if !all.all(|k| k == Knowledge::Holds) {
                        *place = to;
                    }
                }
                Order::Stop => {
                    // It has ended for good, wherever it is asked again.
                    *place = self.orders.len() as u32;
                    return Next::Stop;
                }
                Order::Avoid(reason) => {
                    *place = self.orders.len() as u32;
                    let reason = self.reasons.get(reason as usize);
                    return Next::Avoid(reason.map_or("", String::as_str));
                }
            }
        }
    }
}
