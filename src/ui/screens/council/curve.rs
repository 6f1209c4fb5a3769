//! The budget curve as a plot: this scenario, and the mean of all.

use crate::app::role::Role;
use crate::base::figures::figure;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::dots::Dots;

/// Columns for the figures at the left.
const LEFT: u16 = 6;

/// Draws the points `(log2 k, this, mean)`.
pub(super) fn draw(points: &[(f64, f64, f64)], canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height().min(14));
    let values = || points.iter().flat_map(|(_, a, b)| [*a, *b]);
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
        (l.min(x), h.max(x))
    });
    let last = points.last().map_or(0.0, |p| p.0);
    if width < LEFT + 8 || height < 4 || low.partial_cmp(&high).is_none() || last <= 0.0 {
        return;
    }
    let span = (high - low).max(1e-9);
    let mut dots = Dots::new(width - LEFT - 1, height - 2);
    for (which, role) in [(1, Role::Dim), (0, Role::SideBlue)] {
        let places: Vec<(usize, usize)> = points
            .iter()
            .filter_map(|(k, own, mean)| {
                let value = if which == 0 { own } else { mean };
                dots.place(k / last, (value - low) / span)
            })
            .collect();
        for pair in places.windows(2) {
            if let [a, b] = pair {
                // The mean is dotted, so that both are told apart without colour.
                if which == 0 {
                    dots.line(*a, *b, role);
                } else {
                    dots.set(*a, role);
                    dots.set(*b, role);
                }
            }
        }
    }
    dots.draw((LEFT, 0), canvas);
    canvas.right(LEFT - 1, 0, &figure(high, 3), Role::Dim);
    canvas.right(LEFT - 1, height - 3, &figure(low, 3), Role::Dim);
    for y in 0..height - 2 {
        canvas.text(LEFT - 1, y, "│", Role::Border);
    }
    for (k, ..) in points {
        let Some((x, _)) = dots.place(k / last, 0.0) else {
            continue;
        };
        let x = u16::try_from(x / 2).unwrap_or(0);
        canvas.text(LEFT + x, height - 2, &format!("{:.0}", k.exp2()), Role::Dim);
    }
    canvas.text(
        LEFT,
        height - 1,
        "advantage by k: line this one, dots the mean",
        Role::Dim,
    );
}
