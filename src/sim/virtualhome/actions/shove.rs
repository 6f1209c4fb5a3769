//! What PUSH, PULL and MOVE share (Evolving Graph §4).

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{class_in, need_close, need_fit, need_hand, need_reachable};
use crate::sim::virtualhome::strict::hold::need_empty_hand;
use crate::sim::virtualhome::strict::reach::need_reach;
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::Ix;
use crate::sim::world::{Ctx, Pass};

/// Near, reachable, a hand free.
pub(super) fn check_push(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    need_reachable(c, n)?;
    need_hand(c)?;
    Ok(Pass::YES)
}

/// As [`check_push`], and movable (buttons, chairs and curtains always are).
pub(super) fn check_move(c: &Ctx<'_>, n: Ix, b: Ix) -> Result<Pass, Refusal> {
    need_fit(movable(c, n), n, "{0} is not movable")?;
    check_push(c, n, b)
}

/// Movable, in reach, a hand free.
pub(super) fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(movable(c, n), n, "{0} is not movable")?;
    need_reach(c, n)?;
    need_empty_hand(c)?;
    Ok(Pass::YES)
}

/// What moves when one pushes; buttons, chairs and curtains always do.
fn movable(c: &Ctx<'_>, n: Ix) -> bool {
    c.graph.hot(n).props.has(prop::MOVABLE) || class_in(c.graph, n, &["button", "chair", "curtain"])
}
