//! The scene as a tree; folded to what is within reach.

use crate::app::parts::name;
use crate::app::parts::scene_tree::{RowView, states};
use crate::app::role::Role;
use crate::app::screens::play::game::Game;
use crate::base::text;
use crate::sim::vocab::Ix;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::{ListView, Seen};

use super::Draw;

/// The pane's title.
pub(super) fn title(draw: &Draw<'_>) -> String {
    let tree = &draw.game.tree;
    let all = draw.game.episode.setup().scene.len();
    if draw.folded {
        format!(
            "Scene you: {}",
            crate::app::screens::play::you(&draw.game.episode)
        )
    } else if tree.filter().is_empty() {
        format!("Scene near {} of {all}", tree.near())
    } else {
        format!("Scene {} of {all}", tree.rows().len())
    }
}

/// The scroll position.
pub(super) fn corner(draw: &Draw<'_>, height: u16) -> String {
    if draw.folded {
        return String::new();
    }
    seen(draw, height).corner()
}

fn list(draw: &Draw<'_>) -> ListView {
    ListView {
        name: "play.scene",
        cursor: draw.game.tree.cursor(),
        len: draw.game.tree.rows().len(),
        focused: draw.focused,
    }
}

fn seen(draw: &Draw<'_>, height: u16) -> Seen {
    list(draw).seen(draw.view, height)
}

/// Draws the pane's inside.
pub(super) fn draw(draw: &Draw<'_>, canvas: &mut Canvas<'_>) {
    if draw.folded {
        return summary(draw.game, canvas);
    }
    let tree = &draw.game.tree;
    if tree.rows().is_empty() {
        let words = format!("nothing matches /{}: Esc clears", tree.filter());
        canvas.fitted((1, 0), canvas.width().saturating_sub(1), &words, Role::Dim);
        return;
    }
    let world = draw.game.episode.timeline().world();
    let seen = seen(draw, canvas.height());
    let area = canvas.area();
    list(draw).draw(canvas, area, seen, |at| {
        tree.rows()
            .get(at)
            .map_or_else(Vec::new, |row| spans(&tree.view(world, row)))
    });
    // The margin column belongs to the signs; the cursor's bar gives way to them.
    for (y, at) in (0..canvas.height()).zip(seen.top..seen.end) {
        let mark = tree
            .rows()
            .get(at)
            .and_then(|row| tree.view(world, row).mark);
        if let Some(mark) = mark {
            let role = if draw.focused && at == tree.cursor() {
                Role::Cursor
            } else {
                mark.role()
            };
            canvas.text(0, y, &mark.glyph().sign.to_string(), role);
        }
    }
}

fn spans(row: &RowView) -> Vec<Span> {
    // Deep trees must leave room for names.
    let indent = "  ".repeat(row.depth.min(10));
    let words = if row.near { Role::Text } else { Role::Dim };
    let mut spans = vec![
        Span::plain(indent),
        Span::new(format!("{} ", row.glyph.sign), Role::Dim),
        Span::new(row.name.clone(), words),
    ];
    if !row.states.is_empty() {
        spans.push(Span::new(format!(" {}", row.states), Role::Text));
    }
    if !row.note.is_empty() {
        spans.push(Span::new(format!("  {}", row.note), Role::Dim));
    }
    spans
}

/// What is within reach, flowing over the lines there are.
fn summary(game: &Game, canvas: &mut Canvas<'_>) {
    let tree = &game.tree;
    let width = usize::from(canvas.width());
    let mut words: Vec<(String, Option<Span>)> = tree
        .near_tops()
        .into_iter()
        .map(|top| {
            let mut text = told(game, top);
            let below = tree.children(top);
            if !below.is_empty() {
                text = format!("{text} > {}", held(game, below));
            }
            let mark = std::iter::once(&top)
                .chain(below)
                .find_map(|&ix| tree.mark(ix));
            let sign = mark.map(|m| Span::new(m.glyph().sign.to_string(), m.role()));
            (text, sign)
        })
        .collect();
    if words.is_empty() {
        words.push(("nothing in reach: walk somewhere".to_owned(), None));
    }
    let (mut x, mut y) = (0_usize, 0_u16);
    let last = canvas.height().saturating_sub(1);
    let hint = "Tab unfolds";
    let all = words.len();
    for (at, (text, sign)) in words.into_iter().enumerate() {
        let needed = text::width(&text) + 1;
        let reserve = if y == last { text::width(hint) + 18 } else { 0 };
        if x > 0 && x + needed + reserve > width {
            if y == last {
                let more = format!("▸ {} more", all - at);
                canvas.text(cells(x + 1), y, &more, Role::Dim);
                break;
            }
            (x, y) = (0, y + 1);
        }
        if let Some(sign) = sign {
            canvas.text(cells(x), y, &sign.text, sign.role);
        }
        let room = cells(width.saturating_sub(x + 1 + if y == last { reserve } else { 0 }));
        let end = canvas.fitted((cells(x + 1), y), room, &text, Role::Text);
        x = usize::from(end) + 2;
    }
    canvas.right(canvas.width(), last, hint, Role::Dim);
}

/// What is on or in something: the things that changed or that a goal speaks of, then others, then how many more.
fn held(game: &Game, below: &[Ix]) -> String {
    let set = &game.episode.ledger().goals().goals;
    let mut order = below.to_vec();
    order.sort_by_key(|&ix| {
        let wanted = set.iter().any(|goal| goal.mentions(ix));
        (game.tree.mark(ix).is_none(), !wanted)
    });
    let named: Vec<String> = order.iter().take(HELD).map(|&ix| told(game, ix)).collect();
    let more = match order.len().saturating_sub(HELD) {
        0 => String::new(),
        n => format!(" +{n}"),
    };
    format!("{}{more}", named.join(", "))
}

/// Things named of those on or in something.
const HELD: usize = 2;

fn told(game: &Game, node: Ix) -> String {
    let world = game.episode.timeline().world();
    let mut text = name(world, node).to_owned();
    let states = states(world, world.graph().states(node));
    if !states.is_empty() {
        text.push(' ');
        text.push_str(&states);
    }
    text
}

fn cells(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
