//! The pinned runs below the wall, beside each other where there is room.

use ratatui::layout::Rect;

use crate::app::live::Status;
use crate::app::parts::{goals, warnings};
use crate::app::role::Role;
use crate::app::screens::attach::{Run, Stage};
use crate::app::screens::watch::{Pin, Watch};
use crate::ui::canvas::Canvas;
use crate::ui::screens::attach::agent;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

/// Rows the wall keeps at least, its border included.
const WALL: u16 = 6;

/// Columns a pane takes at least.
const NARROWEST: u16 = 30;

/// Where the wall lies, and where each pinned run does, by its place among them.
pub(super) fn layout(watch: &Watch, room: Room, body: Rect) -> (Option<Rect>, Vec<(usize, Rect)>) {
    let pins = watch.pins();
    let here = watch
        .pinned()
        .and_then(|here| pins.iter().position(|pin| pin.id == here.id));
    if pins.is_empty() {
        return (Some(body), Vec::new());
    }
    if watch.zoomed || room == Room::Single {
        return match here {
            Some(at) => (None, vec![(at, body)]),
            None => (Some(body), Vec::new()),
        };
    }
    let rows = u16::try_from(watch.lines().len()).unwrap_or(u16::MAX);
    let count = u16::try_from(pins.len()).unwrap_or(1);
    let across = (body.width / NARROWEST).clamp(1, count);
    // Three beside one are worse than two beside two.
    let across = across.min(count.div_ceil(count.div_ceil(across)));
    let down = count.div_ceil(across);
    let most = if down > 1 { WALL } else { body.height * 2 / 5 };
    let upper = rows
        .saturating_add(3)
        .clamp(4, most.max(4))
        .min(body.height);
    // They share border lines.
    let (top, lower) = (upper - 1, body.height + 1 - upper);
    let place = |at: u16| {
        let (column, row) = (at % across, at / across);
        // The last row may have fewer, which then are wider.
        let across = across.min(count - row * across);
        let edge = |n: u16, of: u16, all: u16| {
            let edge = u32::from(all.saturating_sub(1)) * u32::from(n) / u32::from(of.max(1));
            u16::try_from(edge).unwrap_or(u16::MAX)
        };
        let x = edge(column, across, body.width);
        let right = edge(column + 1, across, body.width);
        let (y, bottom) = (edge(row, down, lower), edge(row + 1, down, lower));
        Rect::new(body.x + x, body.y + top + y, right - x + 1, bottom - y + 1)
    };
    let below = (0..count).map(|at| (usize::from(at), place(at))).collect();
    let wall = Rect {
        height: upper,
        ..body
    };
    (Some(wall), below)
}

/// Draws them.
pub(super) fn draw(
    watch: &Watch,
    places: &[(usize, Rect)],
    view: &View<'_>,
    canvas: &mut Canvas<'_>,
) {
    let keys = view.focused && watch.say.is_none();
    let pins = watch.pins();
    let each = || {
        let places = places.iter();
        places.filter_map(|(at, area)| Some((pins.get(*at)?, *area)))
    };
    let has_keys = |pin: &Pin| keys && watch.pinned().is_some_and(|here| here.id == pin.id);
    let frames = each().map(|(pin, area)| pane::Pane::new(area, title(pin), has_keys(pin)));
    panes(canvas, &frames.collect::<Vec<_>>());
    for (pin, area) in each() {
        let mut inner = canvas.sub(pane::inner(area));
        match &pin.attach.stage {
            Stage::Open(run) => one(run, has_keys(pin), &mut inner),
            Stage::Failed(reason) => {
                let area = inner.area();
                let area = Rect::new(1, 0, area.width.saturating_sub(2), area.height);
                paragraph(&mut inner, area, 0, reason, Role::Refused);
            }
            Stage::New | Stage::Reading => {
                inner.text(1, 0, "reading …", Role::Dim);
            }
        }
    }
}

/// `V022 7f3a  ‖HELD  gpt-4.1-mini react`.
fn title(pin: &Pin) -> String {
    let skip = pin.id.chars().count().saturating_sub(4);
    let tail: String = pin.id.chars().skip(skip).collect();
    match pin.attach.watched() {
        Some(run) => {
            let task = &run.episode.setup().task.id;
            format!("{task} {tail}  {}  {}", run.badge(), run.agent)
        }
        None => tail,
    }
}

/// What it thinks and does above; below it the danger, and the goals.
fn one(run: &Run, focused: bool, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let dangers = dangers(run);
    let count = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    let goal_rows = count(run.goals.len()).min((height / 4).max(1));
    let danger_rows = count(dangers.len()).clamp(1, (height / 4).max(1));
    let below = (goal_rows + danger_rows + 1).min(height.saturating_sub(2));
    let upper = height - below;
    let area = Rect::new(0, 0, width, upper);
    agent(run, (focused, true), &mut canvas.sub(area));
    let mut y = upper;
    let room = width.saturating_sub(1);
    if dangers.is_empty() && y < height {
        canvas.fitted((1, y), room, "no rule has anything to say", Role::Dim);
        y += 1;
    }
    for (words, role) in dangers.iter().take(usize::from(danger_rows)) {
        if y < height {
            canvas.fitted((1, y), room, words, *role);
            y += 1;
        }
    }
    if y < height {
        let words = if run.goals.is_empty() {
            format!("to be refused  s{}", run.step())
        } else {
            format!("goals {}  s{}", goals::count(&run.goals), run.step())
        };
        canvas.fitted((1, y), room, &words, Role::Title);
        y += 1;
    }
    let left = usize::from(height.saturating_sub(y));
    for goal in run.goals.iter().take(left) {
        let sign = goal.mark.glyph().sign.to_string();
        let x = canvas.text(1, y, &sign, goal.mark.role()) + 1;
        let room = width.saturating_sub(x);
        canvas.fitted((x, y), room, &goal.short(), Role::Text);
        y += 1;
    }
}

/// What the act that waits would break, then the rules that have something to say, the worst first.
fn dangers(run: &Run) -> Vec<(String, Role)> {
    let mut all = Vec::new();
    if matches!(run.status(), Status::Held | Status::Paused)
        && let Some((_, ahead)) = &run.ahead
    {
        let breaches = ahead.told().iter().filter(|told| told.is_breach());
        all.extend(breaches.map(|told| {
            let words = format!("✗ {} !{} {}", told.id, told.severity, told.title);
            (words, Role::Bad)
        }));
    }
    let speaking = run.rows.iter().filter(|row| !row.muted);
    all.extend(speaking.map(|row| {
        let (sign, title) = (row.sign(), warnings::title(&row.rule));
        let words = format!("{sign} {} !{} {title}", row.rule.id, row.rule.severity);
        (words, row.role())
    }));
    all
}
