//! Putting steps into a plan where a walk over it has come.

use crate::plan::branching::{Branching, Step};

/// The plan with more steps before the action that [`super::Program`] laid out as its `order`-th; at its end where there
/// is no such action.
pub fn insert(plan: &Branching, order: Option<u32>, more: Vec<Step>) -> Branching {
    let mut steps = plan.steps.clone();
    let mut more = Some(more);
    if let Some(order) = order {
        before(&mut steps, (order, &mut 0), &mut more);
    }
    steps.extend(more.into_iter().flatten());
    Branching { steps }
}

/// Counts orders as [`super::Program`] lays them out, and puts the steps in when it comes to that number.
fn before(steps: &mut Vec<Step>, (order, here): (u32, &mut u32), more: &mut Option<Vec<Step>>) {
    let mut place = None;
    for (i, step) in steps.iter_mut().enumerate() {
        let own = *here;
        *here += 1;
        match step {
            Step::Act(_) if own == order => place = Some(i),
            Step::Act(_) | Step::Stop | Step::Avoid(_) => {}
            Step::If {
                then, otherwise, ..
            } => {
                before(then, (order, here), more);
                if !otherwise.is_empty() {
                    // The jump over them.
                    *here += 1;
                    before(otherwise, (order, here), more);
                }
            }
        }
        if place.is_some() || more.is_none() {
            break;
        }
    }
    if let Some((i, more)) = place.zip(more.take_if(|_| place.is_some())) {
        steps.splice(i..i, more);
    }
}

#[cfg(test)]
mod tests {
    use super::insert;
    use crate::plan::branching::{Branching, Next, Program, Step, print, read};
    use crate::safety::book::Book;
    use crate::sim::testing::scene;
    use crate::sim::vocab::Profile;
    use crate::sim::world::World;

    fn plan(text: &str) -> Branching {
        read(&scene(), &Book::default(), text).unwrap()
    }

    #[test]
    fn steps_go_before_the_action_a_walk_has_come_to() {
        let old = plan(
            "walk fridge\nif fridge:OPEN then\n  close fridge\n  walk table\nelse\n  open fridge\nend\ngrab milk\n",
        );
        let world = World::new(&scene(), Profile::Eai).unwrap();
        let program = Program::new(&old);
        let mut place = 0;
        let mut orders = Vec::new();
        while let Next::Act(_) = program.next(&mut place, &world, &()) {
            orders.push(place - 1);
        }
        // The fridge is shut: walk, open, grab.
        let texts: Vec<String> = orders
            .iter()
            .map(|&o| print(&scene(), &insert(&old, Some(o), vec![Step::Stop])))
            .collect();
        assert_eq!(texts.len(), 3);
        assert!(texts[0].starts_with("stop\nwalk fridge\n"), "{}", texts[0]);
        assert!(
            texts[1].contains("else\n  stop\n  open fridge\nend"),
            "{}",
            texts[1]
        );
        assert!(texts[2].ends_with("end\nstop\ngrab milk\n"), "{}", texts[2]);
        let end = print(&scene(), &insert(&old, None, vec![Step::Stop]));
        assert!(end.ends_with("grab milk\nstop\n"), "{end}");
        let never = insert(&old, Some(99), vec![Step::Stop]);
        assert!(print(&scene(), &never).ends_with("grab milk\nstop\n"));
    }
}
