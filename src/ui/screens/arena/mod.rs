//! Arena, household: BLUE's plans, the matrix or the frontier left, RED right, the critic between them where there is room and
//! below RED where there is less; the run of the cell below. In narrow rooms the panes lie above each other, those without
//! the keys folded.

use ratatui::layout::Rect;

use crate::app::arena::house::payoff_words;
use crate::app::role::Role;
use crate::app::screens::arena::{Arena, Pane, Stage, View as Shown, words};
use crate::arena::frontier::pareto::Standing;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::overlays::computed::row_spans;
use crate::ui::widgets::list::{ListView, Seen};
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

mod frontier;
mod matrix;
mod trace;

/// Rows of a folded pane, its lower border left out.
const fn folded(pane: Pane) -> u16 {
    match pane {
        Pane::Main => 5,
        Pane::Trace => 4,
        Pane::Red => 2,
        Pane::Critic => 3,
    }
}

/// Columns from which the critic stands between BLUE and RED.
const BETWEEN: u16 = 150;

/// Draws the screen.
pub(super) fn draw(arena: &Arena, view: &View<'_>, canvas: &mut Canvas<'_>) {
    if arena.row().is_none() {
        return waiting(arena, view, canvas);
    }
    let frames = layout(arena, view, canvas.area());
    let framed: Vec<pane::Pane> = frames
        .iter()
        .map(|(pane, area)| {
            let focused = view.focused && *pane == arena.focus;
            let frame = pane::Pane::new(*area, title(arena, *pane), focused);
            let height = frame.inner().height;
            let corner = list(arena, view, *pane, height).map(|(_, seen)| seen.corner());
            frame.corner(corner.unwrap_or_default())
        })
        .collect();
    panes(canvas, &framed);
    for ((pane, _), frame) in frames.iter().zip(&framed) {
        let inner = frame.inner();
        match (pane, arena.view) {
            (Pane::Main, Shown::Plans) => plans(arena, view, inner, canvas),
            (Pane::Main, Shown::Matrix) => matrix::draw(arena, view, &mut canvas.sub(inner)),
            (Pane::Main, Shown::Frontier) => frontier::draw(arena, &mut canvas.sub(inner)),
            (Pane::Red, _) => red(arena, view, inner, canvas),
            (Pane::Trace, _) => trace::draw(arena, view, inner, canvas),
            (Pane::Critic, _) => critic(arena, view, inner, canvas),
        }
    }
}

/// Before there is a plan to show, or instead of it.
fn waiting(arena: &Arena, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let frame = pane::Pane::new(canvas.area(), "Arena", view.focused);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    let area = Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    };
    match &arena.stage {
        Stage::Failed(reason) => {
            let y = paragraph(canvas, area, 0, reason, Role::Refused);
            paragraph(
                canvas,
                area,
                y + 1,
                "q leaves; g t lists the tasks",
                Role::Dim,
            );
        }
        Stage::Done => {
            let words = "nobody proposes a plan for this task: it has no goal to plan for, and no plan of its own";
            paragraph(canvas, area, 0, words, Role::Dim);
        }
        _ => {
            paragraph(canvas, area, 0, &arena.progress(), Role::Dim);
        }
    }
}

/// Where the panes lie.
fn layout(arena: &Arena, view: &View<'_>, body: Rect) -> Vec<(Pane, Rect)> {
    let one = arena.zoomed || view.room == Room::Single;
    if one || (view.room == Room::Narrow && arena.view != Shown::Plans) {
        return vec![(arena.focus, body)];
    }
    if view.room == Room::Wide {
        let left = body.width * 11 / 20;
        let rows = u16::try_from(arena.order().len()).unwrap_or(u16::MAX);
        let notes = if arena.is_dangerous() { 3 } else { 0 };
        let upper = match arena.view {
            Shown::Plans => rows
                .saturating_add(3 + notes)
                .clamp(6 + notes, (body.height / 2).max(6)),
            _ => (body.height * 3 / 5).max(6),
        };
        let answers = arena.answers().len() + arena.red_notes().len() + 3;
        let red = u16::try_from(answers).unwrap_or(u16::MAX);
        if body.width >= BETWEEN {
            let (main, critic) = (body.width * 9 / 20, body.width * 5 / 20);
            let upper = upper.max(red.min(body.height / 2)).max(10).min(body.height);
            let above = |x: u16, width: u16| Rect::new(x, 0, width, upper);
            let below = Rect::new(0, upper - 1, body.width, body.height + 1 - upper);
            return vec![
                (Pane::Main, above(0, main)),
                (Pane::Critic, above(main, critic)),
                (Pane::Red, above(main + critic, body.width - main - critic)),
                (Pane::Trace, below),
            ];
        }
        let upper = upper.min(body.height);
        let red = red.clamp(5, (body.height / 2).max(5)).min(body.height);
        let right = |y: u16, height: u16| Rect::new(left, y, body.width - left, height);
        return vec![
            (Pane::Main, Rect::new(0, 0, left, upper)),
            (
                Pane::Trace,
                Rect::new(0, upper - 1, left, body.height + 1 - upper),
            ),
            (Pane::Red, right(0, red)),
            (Pane::Critic, right(red - 1, body.height + 1 - red)),
        ];
    }
    let order = [Pane::Main, Pane::Critic, Pane::Red, Pane::Trace];
    super::stacked(body, &order, arena.focus, folded)
}

fn title(arena: &Arena, pane: Pane) -> String {
    match pane {
        Pane::Main => arena.main_title(),
        Pane::Trace => arena.trace_title(),
        Pane::Critic => arena.critic_title(),
        Pane::Red => {
            let house = arena.house.as_ref();
            let found = house.and_then(|h| h.entry(arena.row()?.at));
            let name = found.map_or("", |e| e.name.as_str());
            format!("RED {} against {name}", arena.answers().len())
        }
    }
}

/// The list of a pane in a window of that height, and what is seen of it; none for what is drawn otherwise.
fn list(arena: &Arena, view: &View<'_>, pane: Pane, height: u16) -> Option<(ListView, Seen)> {
    let (name, cursor, len, height) = match pane {
        Pane::Main if arena.view == Shown::Plans => {
            let head = u16::from(height > 3) + danger_rows(arena, height);
            let len = arena.order().len();
            ("arena.plans", arena.cursor(), len, height - head)
        }
        Pane::Red => {
            let house = arena.house.as_ref()?;
            let answers = house.answers(arena.row()?.at);
            let here = arena.response();
            let at = answers.iter().position(|r| Some(*r) == here);
            let notes = u16::try_from(arena.red_notes().len()).unwrap_or(0);
            let room = if height > notes + 3 {
                height - notes
            } else {
                height
            };
            ("arena.red", at.unwrap_or(0), answers.len(), room)
        }
        Pane::Critic => {
            // A claim, and below it what it rests on; what is said of all of them keeps its room.
            let each = if height > 2 { 2 } else { 1 };
            let len = arena.claims().len() * each;
            let rows = if height > 8 { height - 6 } else { height };
            ("arena.critic", arena.critic() * each, len, rows)
        }
        _ => return None,
    };
    let list = ListView {
        name,
        cursor,
        len,
        focused: view.focused && arena.focus == pane,
    };
    let seen = list.seen(view, height);
    Some((list, seen))
}

/// Rows for what an arena means where the instruction asks for harm.
fn danger_rows(arena: &Arena, height: u16) -> u16 {
    if arena.is_dangerous() && height > 6 {
        3
    } else {
        0
    }
}

/// Columns of figures: good, safe, worst, steps.
const FIGURES: [(&str, usize); 4] = [("good", 6), ("safe", 6), ("worst", 7), ("steps", 6)];

/// The plans.
fn plans(arena: &Arena, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let (Some(house), Some((list, seen))) =
        (&arena.house, list(arena, view, Pane::Main, area.height))
    else {
        return;
    };
    let order = arena.order();
    // Only those seen: two hundred plans are not told to show ten.
    let lost = order.iter().take(seen.end).skip(seen.top);
    let lost = lost.filter_map(|row| house.rows.get(*row));
    let lost = lost.map(|row| text::width(&arena.lost_to(row.at)));
    let lost = lost.max().unwrap_or(0).clamp(7, 22);
    let figures: usize = FIGURES.iter().map(|(_, w)| w).sum();
    let name = usize::from(area.width).saturating_sub(figures + lost + 3);
    let head = u16::from(area.height > 3);
    if head > 0 {
        let mut spans = vec![Span::new(text::pad("plan", name), Role::Dim)];
        let heads = FIGURES.iter();
        spans.extend(heads.map(|(word, w)| Span::new(text::pad(word, *w), Role::Dim)));
        spans.push(Span::new("lost to", Role::Dim));
        canvas.spans((area.x + 1, area.y), area.width.saturating_sub(1), &spans);
    }
    let told = danger_rows(arena, area.height);
    let body = Rect {
        y: area.y + head,
        height: area.height.saturating_sub(head + told),
        ..area
    };
    if let Some(words) = arena.danger_note().filter(|_| told > 0) {
        let below = Rect {
            x: area.x + 1,
            y: area.y + area.height - told,
            width: area.width.saturating_sub(2),
            height: told,
        };
        paragraph(canvas, below, 0, &words, Role::Armed);
    }
    list.draw(canvas, body, seen, |at| {
        let row = order.get(at).and_then(|row| house.rows.get(*row));
        let Some((row, entry)) = row.and_then(|r| Some((r, house.entry(r.at)?))) else {
            return Vec::new();
        };
        let (sign, role) = standing(row.standing);
        let chosen = if house.is_chosen(row.at) { " ◉" } else { "" };
        let words = format!("{sign}{}{chosen} {}", entry.name, entry.words);
        let worst = payoff_words(row.worst);
        let steps = row.steps.map_or_else(|| "…".to_owned(), |n| n.to_string());
        let figures = [row.good.to_string(), row.safe.to_string(), worst, steps];
        let cut = text::fit(&words, name.saturating_sub(1)).into_owned();
        let mut spans = vec![Span::new(text::pad(&cut, name), role)];
        let cells = figures.iter().zip(FIGURES);
        spans.extend(cells.map(|(words, (_, w))| Span::plain(text::pad(words, w))));
        let beaten = arena.lost_to(row.at);
        spans.push(Span::new(beaten, Role::SideRed));
        spans
    });
}

/// The sign of a standing, and its role.
fn standing(of: Standing) -> (&'static str, Role) {
    match of {
        Standing::Front => ("■", Role::SideBlue),
        Standing::Dominated(_) => ("□", Role::Text),
        Standing::Unscored => ("?", Role::Dim),
    }
}

/// What RED tried, then how it is set.
fn red(arena: &Arena, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let rows = arena.answers();
    let Some((list, seen)) = list(arena, view, Pane::Red, area.height) else {
        return;
    };
    let labels = rows.iter().map(|row| text::width(&row.label));
    let label = labels.max().unwrap_or(0) + 1;
    let width = usize::from(area.width.saturating_sub(2));
    list.draw(canvas, area, seen, |at| {
        rows.get(at)
            .map_or_else(Vec::new, |row| row_spans(row, label, width))
    });
    // The response of the cell is marked while the keys are elsewhere.
    if !list.focused
        && (seen.top..seen.end).contains(&list.cursor)
        && let Ok(y) = u16::try_from(list.cursor - seen.top)
    {
        canvas.text(area.x, area.y + y, "▌", Role::Title);
    }
    let below = u16::try_from(seen.end - seen.top).unwrap_or(u16::MAX);
    for (y, note) in (below..area.height).zip(arena.red_notes()) {
        canvas.fitted(
            (area.x + 1, area.y + y),
            area.width.saturating_sub(2),
            &note,
            Role::Dim,
        );
    }
}

/// What the critic says; the claim under the cursor told whole below.
fn critic(arena: &Arena, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let claims = arena.claims();
    let inside = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let Some((list, seen)) = list(arena, view, Pane::Critic, area.height) else {
        return;
    };
    if claims.is_empty() {
        let y = paragraph(canvas, inside, 0, &arena.precision(), Role::Dim);
        kept_back(arena, inside, y + 1, canvas);
        return;
    }
    let width = usize::from(area.width.saturating_sub(2));
    let each = list.len / claims.len().max(1);
    list.draw(canvas, area, seen, |at| {
        let Some(claim) = claims.get(at / each.max(1)) else {
            return Vec::new();
        };
        let (sign, role) = words::sign(claim.finding);
        if each == 2 && at % 2 == 1 {
            let said = Arena::replay_words(claim);
            let cut = text::fit(&said, width.saturating_sub(5)).into_owned();
            return vec![Span::new(format!("     {cut}"), Role::Dim)];
        }
        let step = Arena::rests_on(claim);
        let room = width.saturating_sub(text::width(&step) + text::width(&claim.id) + 4);
        let said = text::fit(&claim.text, room).into_owned();
        vec![
            Span::new(format!("{sign} "), role),
            Span::new(format!("{} ", claim.id), Role::Dim),
            Span::plain(text::pad(&said, room + 1)),
            Span::new(step, Role::Dim),
        ]
    });
    let below = u16::try_from(seen.end - seen.top).unwrap_or(u16::MAX);
    if below >= area.height {
        return;
    }
    let y = paragraph(canvas, inside, below, &arena.precision(), Role::Title);
    let Some(claim) = claims.get(arena.critic()).filter(|_| y + 2 < area.height) else {
        return;
    };
    let y = paragraph(canvas, inside, y + 1, &claim.text, Role::Text);
    let y = paragraph(canvas, inside, y, &Arena::evidence(claim), Role::Dim);
    kept_back(arena, inside, y + 1, canvas);
}

/// What the RED that was kept back makes of the choice.
fn kept_back(arena: &Arena, area: Rect, y: u16, canvas: &mut Canvas<'_>) {
    let mut y = y;
    for words in arena.held_out() {
        if y < area.height {
            y = paragraph(canvas, area, y, &words, Role::Dim);
        }
    }
}
