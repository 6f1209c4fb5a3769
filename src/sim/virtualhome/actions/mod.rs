//! The actions of the dialect, one file each. The order of [`ACTIONS`] is their number in logs: append only.

use crate::sim::graph::Tx;
use crate::sim::refusal::{Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

mod close;
pub mod cut;
mod drink;
mod drop;
mod eat;
mod find;
mod grab;
mod greet;
mod lie;
mod lookat;
mod lookat_long;
mod lookat_medium;
mod lookat_short;
mod move_it;
pub mod open;
mod plugin;
mod plugout;
mod pointat;
pub mod pour;
mod pull;
mod push;
mod put;
mod putback;
mod putin;
mod putobjback;
mod putoff;
mod puton;
mod read;
mod release;
mod rinse;
mod run;
mod scrub;
mod shove;
mod sit;
mod sleep;
pub mod squeeze;
mod standup;
mod switchoff;
mod switchon;
mod touch;
mod turnto;
mod type_on;
mod wakeup;
mod walk;
mod wash;
mod watch;
mod wipe;

/// The registry: a new action is its file and its line here.
pub const ACTIONS: &[&ActionDef] = &[
    &walk::WALK,
    &run::RUN,
    &find::FIND,
    &sit::SIT,
    &lie::LIE,
    &standup::STANDUP,
    &sleep::SLEEP,
    &wakeup::WAKEUP,
    &grab::GRAB,
    &putback::PUTBACK,
    &putin::PUTIN,
    &putobjback::PUTOBJBACK,
    &drop::DROP,
    &release::RELEASE,
    &open::OPEN,
    &close::CLOSE,
    &switchon::SWITCHON,
    &switchoff::SWITCHOFF,
    &plugin::PLUGIN,
    &plugout::PLUGOUT,
    &drink::DRINK,
    &eat::EAT,
    &cut::CUT,
    &pour::POUR,
    &read::READ,
    &type_on::TYPE,
    &watch::WATCH,
    &lookat::LOOKAT,
    &lookat_short::LOOKAT_SHORT,
    &lookat_medium::LOOKAT_MEDIUM,
    &lookat_long::LOOKAT_LONG,
    &pointat::POINTAT,
    &turnto::TURNTO,
    &touch::TOUCH,
    &push::PUSH,
    &pull::PULL,
    &move_it::MOVE,
    &wash::WASH,
    &rinse::RINSE,
    &scrub::SCRUB,
    &wipe::WIPE,
    &squeeze::SQUEEZE,
    &puton::PUTON,
    &putoff::PUTOFF,
    &greet::GREET,
];

/// The effects of an action that changes nothing.
const fn nothing(_: &mut Tx<'_>, _: Ix, _: Ix, _: Ix) {}

/// The check of an action that the published code lists but cannot execute.
const fn no_executor(_: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    Err(Refusal::crash("TypeError", Pre::Implemented, n))
}
