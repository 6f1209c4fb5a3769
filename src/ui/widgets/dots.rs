//! A field of dots, eight to a cell, for plots: drawn with the Braille signs.

use crate::app::role::Role;
use crate::ui::canvas::Canvas;

/// Dots across a cell.
const ACROSS: usize = 2;

/// Dots down a cell.
const DOWN: usize = 4;

/// The bits of a Braille sign, by column and row of the dot.
const BITS: [[u8; DOWN]; ACROSS] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The field.
#[derive(Debug, Clone)]
pub struct Dots {
    width: usize,
    height: usize,
    cells: Vec<(u8, Role)>,
}

impl Dots {
    /// An empty field of so many cells.
    pub fn new(width: u16, height: u16) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        Self {
            width,
            height,
            cells: vec![(0, Role::Text); width * height],
        }
    }

    /// Dots across and down.
    pub const fn size(&self) -> (usize, usize) {
        (self.width * ACROSS, self.height * DOWN)
    }

    /// Where a point lies that is so far right and so far up, both from 0 to 1; none where it is not finite.
    pub fn place(&self, right: f64, up: f64) -> Option<(usize, usize)> {
        let (w, h) = self.size();
        if w == 0 || h == 0 || !right.is_finite() || !up.is_finite() {
            return None;
        }
        Some((scaled(right, w), h - 1 - scaled(up, h)))
    }

    /// Sets a dot; the cell takes its role.
    pub fn set(&mut self, (x, y): (usize, usize), role: Role) {
        let (column, row) = (x / ACROSS, y / DOWN);
        if column >= self.width {
            return;
        }
        if let Some(cell) = self.cells.get_mut(row * self.width + column) {
            let bits = BITS.get(x % ACROSS).and_then(|b| b.get(y % DOWN));
            cell.0 |= bits.copied().unwrap_or(0);
            cell.1 = role;
        }
    }

    /// Sets the dots between two points.
    pub fn line(&mut self, from: (usize, usize), to: (usize, usize), role: Role) {
        let across = to.0.abs_diff(from.0);
        let down = to.1.abs_diff(from.1);
        let n = across.max(down).max(1);
        let between = |a: usize, b: usize, i: usize| {
            let gone = a.abs_diff(b) * i / n;
            if a < b { a + gone } else { a - gone }
        };
        for i in 0..=n {
            self.set((between(from.0, to.0, i), between(from.1, to.1, i)), role);
        }
    }

    /// Draws the cells that have dots.
    pub fn draw(&self, (x, y): (u16, u16), canvas: &mut Canvas<'_>) {
        for (at, (bits, role)) in self.cells.iter().enumerate() {
            if *bits == 0 {
                continue;
            }
            let (Ok(column), Ok(row)) = (
                u16::try_from(at % self.width.max(1)),
                u16::try_from(at / self.width.max(1)),
            ) else {
                continue;
            };
            let sign = char::from_u32(0x2800 + u32::from(*bits)).unwrap_or(' ');
            canvas.text(x + column, y + row, sign.encode_utf8(&mut [0; 4]), *role);
        }
    }
}

/// The dot of `n` that lies so far along, from 0 to 1.
#[expect(clippy::cast_sign_loss, reason = "clamped to what is no less than 0")]
fn scaled(along: f64, n: usize) -> usize {
    let last = n.saturating_sub(1) as f64;
    (along.clamp(0.0, 1.0) * last).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_are_the_corners() {
        let dots = Dots::new(3, 2);
        assert_eq!(dots.size(), (6, 8));
        assert_eq!(dots.place(0.0, 0.0), Some((0, 7)));
        assert_eq!(dots.place(1.0, 1.0), Some((5, 0)));
        // What lies outside is at the edge; what is no number is nowhere.
        assert_eq!(dots.place(7.0, -1.0), Some((5, 7)));
        assert_eq!(dots.place(f64::NAN, 0.5), None);
        assert_eq!(Dots::new(0, 3).place(0.5, 0.5), None);
    }

    #[test]
    fn dots_share_a_cell() {
        let mut dots = Dots::new(2, 1);
        dots.line((0, 0), (0, 3), Role::Text);
        dots.set((3, 3), Role::Good);
        dots.set((9, 9), Role::Good);
        assert_eq!(dots.cells, [(0x47, Role::Text), (0x80, Role::Good)]);
    }
}
