//! A run on one line: equal stretches, its own, what went wrong, where the cursor is.

use crate::app::compare::Compared;
use crate::app::glyph;
use crate::app::parts::steps::{self, What};
use crate::app::role::Role;
use crate::compare::table::Relation;

/// One column of a rail.
pub type Mark = (char, Role);

/// The rail of a lane beside another one, in at most `cols` columns; where there are more steps, a column stands for
/// several, and the worst of them shows.
pub fn rail(
    all: &Compared,
    (lane, other): (usize, usize),
    cursor: Option<usize>,
    cols: usize,
) -> Vec<Mark> {
    let Some(side) = all.sides.get(lane) else {
        return Vec::new();
    };
    let beats = all.table.lanes().get(lane).map_or(0, |l| l.beats.len());
    let cols = cols.min(beats);
    if cols == 0 {
        return Vec::new();
    }
    let here = cursor.and_then(|row| all.table.beat_by(row, lane));
    let mut marks: Vec<(u8, Mark)> = vec![(0, ('═', Role::Dim)); cols];
    for beat in 0..beats {
        let at = beat * cols / beats;
        let row = all.table.row_of(lane, beat).unwrap_or(0);
        let equal = all.table.relation(row, (lane, other)) == Relation::Equal;
        let line = if equal {
            (0, ('═', Role::Dim))
        } else {
            (1, ('─', Role::Text))
        };
        let step = side.row(beat);
        let bad = step.and_then(|step| {
            let (glyph, role) = steps::mark(step, side.loaded.event(step))?;
            let weight = match step.what {
                _ if step.broke > 0 => 6,
                _ if step.lost > 0 => 4,
                What::Refused => 3,
                What::Ended => 5,
                _ => return None,
            };
            Some((weight, (glyph.sign, role)))
        });
        let mark = if Some(beat) == here {
            (7, (glyph::NOW.sign, Role::Title))
        } else {
            bad.unwrap_or(line)
        };
        if let Some(slot) = marks.get_mut(at)
            && mark.0 >= slot.0
        {
            *slot = mark;
        }
    }
    marks.into_iter().map(|(_, mark)| mark).collect()
}
