//! What PUSH, PULL and MOVE share (Evolving Graph §4).

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{class_in, need_close, need_fit, need_hand, need_reachable};
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
    let fits = c.graph.hot(n).props.has(prop::MOVABLE)
        || class_in(c.graph, n, &["button", "chair", "curtain"]);
    need_fit(fits, n, "{0} is not movable")?;
    check_push(c, n, b)
}
