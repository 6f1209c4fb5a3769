//! A cell as an ordinary task: what RED does is an `init` fact or a scripted event.

use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Moment, Response};
use crate::plan::fact::{Body, Fact};
use crate::sim::happen::Scripted;
use crate::task::Task;
use crate::task::setup::pair_of;

/// The id of the event that a response's disturbance of that number is.
pub(super) fn event_id(number: usize) -> String {
    format!("red-{}", number + 1)
}

/// The task of a ground in which RED answers so: with the same scene it is prepared, played and saved like any other. An
/// `init` fact that says the contrary of what RED does to the start gives way.
///
/// # Errors
/// What is wrong with a fact of the response.
pub fn variant(ground: &Ground, response: &Response) -> Result<Task, String> {
    ground.bind(response)?;
    let setup = ground.setup();
    let mut task = setup.task.as_ref().clone();
    let mut gone = Vec::new();
    let mut more = Vec::new();
    for (i, it) in response.disturbances.iter().enumerate() {
        let Moment::After(step) = it.at else {
            for text in &it.facts {
                let fact = Fact::read(&setup.scene, &setup.book, text)?;
                if let Body::State(nodes, state) = &fact.body {
                    let pairs = nodes.iter().map(|&n| pair_of(&setup.scene, n, *state));
                    let said = pairs.filter_map(|pair| setup.said.get(&pair));
                    gone.extend(said.flatten().copied());
                }
                more.push(text.clone());
            }
            continue;
        };
        task.events.push(Scripted {
            id: event_id(i),
            words: it.words.clone(),
            at: Some(step),
            then: it.facts.clone(),
            ..Scripted::default()
        });
    }
    let mut i = 0;
    task.init.retain(|_| {
        i += 1;
        !gone.contains(&(i - 1))
    });
    // What is said there already would be passed over at its old place, before what moved the thing since.
    task.init.retain(|text| !more.contains(text));
    task.init.extend(more);
    Ok(task)
}
