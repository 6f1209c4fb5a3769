//! Taking dust and stains off (Evolving Graph for BEHAVIOR, §4 CLEAN): two tries, of which one is enough.

use crate::sim::behavior::actions::action;
use crate::sim::behavior::facts::{
    has_key, held, is_named, is_under, need_object, need_reach, refuse,
};
use crate::sim::behavior::words::{prop, state};
use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::{Again, Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, Profile, State};
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Take dust and stains off a thing.
pub(super) const CLEAN: ActionDef = action(
    "CLEAN",
    1,
    "Take dust and stains off a thing.",
    check,
    effects,
);

fn check(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    let g = c.graph;
    need_object(c, x)?;
    let dirt = [state::DUSTY, state::STAINED];
    if !dirt.iter().any(|&s| has_key(g, x, s)) {
        return Err(refuse(
            Kind::Affordance,
            Pre::Fit(x),
            "Object does not have target state (CLEAN)",
            x,
        ));
    }
    if !dirt.iter().any(|&s| g.states(x).has(s)) {
        return Err(refuse(
            Kind::AlreadySo,
            Pre::State(x, state::STAINED),
            "Object is not dusty or stained (CLEAN)",
            x,
        ));
    }
    let (mut done, mut failed) = (false, None::<Refusal>);
    let tries: [(State, Try, Again); 2] = [
        (state::DUSTY, dust, Again(|c, x, _| dust(c, x).is_ok())),
        (state::STAINED, stain, Again(|c, x, _| stain(c, x).is_ok())),
    ];
    for (dirt, attempt, Again(again)) in tries {
        if !g.states(x).has(dirt) {
            continue;
        }
        match attempt(c, x) {
            Ok(()) => done = true,
            Err(r) => {
                let r = r.checked_again(again);
                match &mut failed {
                    Some(first) => first.push(r),
                    None => failed = Some(r),
                }
            }
        }
    }
    match failed {
        Some(refusal) if !done => Err(refusal),
        note => Ok(Pass { note, idle: false }),
    }
}

type Try = fn(&Ctx<'_>, Ix) -> Result<(), Refusal>;

/// The thing has the dirt: only an earlier state can lack it.
fn need_dirt(c: &Ctx<'_>, x: Ix, dirt: State) -> Result<(), Refusal> {
    if c.graph.states(x).has(dirt) {
        return Ok(());
    }
    Err(refuse(
        Kind::AlreadySo,
        Pre::State(x, dirt),
        "Object is not dusty or stained (CLEAN)",
        x,
    ))
}

fn runs(g: &Graph, n: Ix) -> bool {
    g.states(n).has(state::TOGGLED_ON)
}

fn dust(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    let g = c.graph;
    need_dirt(c, x, state::DUSTY)?;
    need_reach(c, x)?;
    if held(g, c.me).any(|tool| g.hot(tool).props.has(prop::CLEANING_TOOL))
        || is_under(g, x, &["dishwasher", "sink"], |n| runs(g, n))
    {
        return Ok(());
    }
    Err(refuse(
        Kind::MissingStep,
        Pre::Tool("cleaning tool"),
        "No cleaner in inventory or object not in toggled on cleaner (CLEAN_DUST)",
        x,
    ))
}

fn stain(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    let g = c.graph;
    need_dirt(c, x, state::STAINED)?;
    need_reach(c, x)?;
    let wet =
        |tool: Ix| g.hot(tool).props.has(prop::CLEANING_TOOL) && g.states(tool).has(state::SOAKED);
    if held(g, c.me).any(|tool| wet(tool) || is_named(g, tool, "detergent"))
        || is_under(g, x, &["sink"], |n| runs(g, n))
    {
        return Ok(());
    }
    Err(refuse(
        Kind::MissingStep,
        Pre::Tool("soaked cleaning tool"),
        "No soaked cleaner in inventory or object not in toggled on cleaner (CLEAN_STAIN)",
        x,
    ))
}

fn effects(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    let c = Ctx {
        graph: tx.graph(),
        me,
        profile: Profile::Eai,
    };
    let (dust, stain) = (dust(&c, x).is_ok(), stain(&c, x).is_ok());
    if dust {
        tx.set(x, state::DUSTY, false);
    }
    if stain {
        tx.set(x, state::STAINED, false);
    }
}
