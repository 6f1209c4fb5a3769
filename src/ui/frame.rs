//! What stands around every screen: title bar, bottom row with rail and footer, notice, overlays, and
//! what is said when there is no room.

use ratatui::layout::Rect;

use crate::app::hints;
use crate::app::layer::{Fact, Rail};
use crate::app::notice::Level;
use crate::app::overlays::Extent;
use crate::app::role::Role;
use crate::app::state::State;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::{Room, View, ViewCache, overlays, screens};

/// The smallest terminal that shows a screen.
const SMALLEST: (u16, u16) = (40, 10);

/// Draws everything.
pub fn draw(state: &State, cache: &ViewCache, canvas: &mut Canvas<'_>) {
    let (w, h) = (canvas.width(), canvas.height());
    if w < SMALLEST.0 || h < SMALLEST.1 {
        let words = format!("vesta needs {}x{}, has {w}x{h}", SMALLEST.0, SMALLEST.1);
        canvas.fitted((0, 0), w, &words, Role::Text);
        canvas.finish();
        return;
    }
    let room = Room::of(state.shared.size);
    let rail = state.screen().place().rail(&state.shared);
    // Below 100 columns the rail takes a row of its own above the footer.
    let rail_row = u16::from(!rail.steps.is_empty() && w < 100);
    let head = Head::of(state, (w, h));
    let top = 1 + u16::try_from(head.below.len()).unwrap_or(0);
    let body = Rect::new(0, top, w, h - 1 - top - rail_row);
    let view = View {
        shared: &state.shared,
        cache,
        place: state.place_id(),
        room,
        focused: state.overlay().is_none(),
    };
    head.draw(state, &mut canvas.sub(Rect::new(0, 0, w, top)));
    screens::draw(state.screen(), &view, &mut canvas.sub(body));
    // Over the last row of the body, a border: nothing moves when a notice comes or goes.
    notice(state, &mut canvas.row(body.bottom() - 1));
    bottom(
        state,
        &rail,
        &mut canvas.sub(Rect::new(0, h - 1 - rail_row, w, 1 + rail_row)),
    );
    for overlay in state.overlays() {
        let area = match overlay.extent() {
            Extent::Popup => popup(body),
            Extent::Body => body,
            Extent::Row => Rect::new(0, h - 1, w, 1),
        };
        canvas.clear(area);
        overlays::draw(overlay, &view, &mut canvas.sub(area));
    }
    if state.shows_which_key() {
        which_key(state, body, canvas);
    }
    canvas.finish();
}

/// Where a popup lies: most of a small body, the upper middle of a large one.
fn popup(body: Rect) -> Rect {
    let width = body.width.min(80.max(body.width / 2));
    let height = body.height.min(20.max(body.height * 2 / 3));
    Rect::new(
        body.x + (body.width - width) / 2,
        body.y + (body.height - height) / 4,
        width,
        height,
    )
}

/// Rows of a screen that has room for a subject longer than the title bar.
const TALL: u16 = 30;

/// Rows below the title bar that a long subject may take.
const BELOW: usize = 2;

/// The title bar: product, screen, subject, facts at the right end. A subject that is cut there goes on below where
/// there is room.
struct Head {
    /// The facts with where each ends.
    facts: Vec<(u16, Fact)>,
    /// Where the subject begins.
    from: u16,
    /// What of it stands in the title bar.
    subject: String,
    /// The rest of it.
    below: Vec<String>,
}

impl Head {
    fn of(state: &State, (w, h): (u16, u16)) -> Self {
        let title = state.screen().place().title(&state.shared);
        let mut end = w.saturating_sub(1);
        let mut facts = Vec::new();
        // Facts are laid from the right, the last one first: it stays longest.
        for fact in title.facts.into_iter().rev() {
            let needed = u16::try_from(text::width(&fact.text)).unwrap_or(u16::MAX);
            if needed.saturating_add(24) > end {
                break;
            }
            facts.push((end, fact));
            end = end.saturating_sub(needed + 3);
        }
        let id = u16::try_from(text::width(state.screen().desc().id())).unwrap_or(0);
        let from = 1 + 5 + 2 + id + 2;
        let room = usize::from(end.saturating_sub(from));
        let mut head = Self {
            facts,
            from,
            subject: text::fit_middle(&title.subject, room),
            below: Vec::new(),
        };
        if h >= TALL && text::width(&title.subject) > room && room > 0 {
            let lines = text::wrap(&title.subject, room);
            let (first, rest) = lines.split_first().map_or(("", &[][..]), |(a, b)| (a, b));
            let wide = usize::from(w.saturating_sub(from + 1));
            let below = text::wrap(&rest.join(" "), wide);
            if below.len() <= BELOW {
                first.clone_into(&mut head.subject);
                head.below = below;
            }
        }
        head
    }

    fn draw(&self, state: &State, rows: &mut Canvas<'_>) {
        for (end, fact) in &self.facts {
            rows.right(*end, 0, &fact.text, fact.role);
        }
        let x = rows.text(1, 0, "vesta", Role::Title);
        rows.text(x + 2, 0, state.screen().desc().id(), Role::Title);
        rows.text(self.from, 0, &self.subject, Role::Text);
        for (y, line) in (1..).zip(&self.below) {
            rows.text(self.from, y, line, Role::Text);
        }
    }
}

fn notice(state: &State, row: &mut Canvas<'_>) {
    let Some((notice, waiting)) = state.shared.notices.front() else {
        return;
    };
    let (sign, role) = match notice.level {
        Level::Info => ("·", Role::Text),
        Level::Warn => ("!", Role::Armed),
        Level::Error => ("!", Role::Error),
    };
    let more = if waiting > 1 {
        format!("1 of {waiting}")
    } else {
        String::new()
    };
    let opener = state.shared.keymap.chord(&["global"], "open-reported");
    let hint = match (&notice.at, opener) {
        (Some(_), Some(chord)) if state.overlay().is_none() => format!("{chord} opens it"),
        _ if notice.level == Level::Error => "! log".to_owned(),
        _ => String::new(),
    };
    row.clear(row.area());
    let w = row.width();
    let mut end = w - 1;
    for words in [more.as_str(), hint.as_str()] {
        if !words.is_empty() {
            end = row.right(end, 0, words, Role::Dim).saturating_sub(2);
        }
    }
    let x = row.text(1, 0, sign, role) + 1;
    row.fitted((x, 0), end.saturating_sub(x), &notice.text, role);
}

/// The bottom row: the rail left, the commands that can be run now right.
fn bottom(state: &State, rail: &Rail, rows: &mut Canvas<'_>) {
    let (w, last) = (rows.width(), rows.height().saturating_sub(1));
    let hints = hints::footer(state);
    let width = |keys: &str, title: &str| text::width(keys) + 1 + text::width(title) + 2;
    // Help is last and always there; the others fill what is left in their order.
    let half = if last == 0 && !rail.steps.is_empty() {
        usize::from(w) / 2
    } else {
        usize::from(w)
    };
    let mut room = half.saturating_sub(2);
    let help = hints
        .last()
        .map_or(0, |hint| width(&hint.keys, &hint.title));
    room = room.saturating_sub(help);
    let mut shown = Vec::new();
    for hint in hints.iter().take(hints.len().saturating_sub(1)) {
        let needed = width(&hint.keys, &hint.title);
        if needed > room {
            break;
        }
        room -= needed;
        shown.push(hint);
    }
    shown.extend(hints.last());
    let total: usize = shown
        .iter()
        .map(|hint| width(&hint.keys, &hint.title))
        .sum();
    let left = if last > 0 {
        1
    } else {
        usize::from(w).saturating_sub(total.saturating_sub(1))
    };
    let mut x = u16::try_from(left).unwrap_or(0);
    let end = x;
    for hint in shown {
        x = rows.text(x, last, &hint.keys, Role::Key) + 1;
        x = rows.text(x, last, &hint.title, Role::Text) + 2;
    }
    if !rail.steps.is_empty() {
        let room = if last > 0 { w } else { end.saturating_sub(2) };
        draw_rail(rail, &mut rows.sub(Rect::new(0, 0, room, 1)));
    }
}

/// A long run: a sign for each of its parts, those that fit.
fn draw_parts(rail: &Rail, row: &mut Canvas<'_>) {
    let room = usize::from(row.width().saturating_sub(3));
    let mut x = 1;
    for (at, part) in rail.steps.iter().enumerate().take(room) {
        x = if at == rail.now {
            row.text(x, 0, "●", Role::Title)
        } else {
            row.text(x, 0, &part.text, part.role)
        };
    }
    row.text(x + 2, 0, &rail.tail, Role::Dim);
}

/// The rail: as many steps around the present one as fit, `…` where steps are left out.
fn draw_rail(rail: &Rail, row: &mut Canvas<'_>) {
    if rail.dense {
        return draw_parts(rail, row);
    }
    let tail = u16::try_from(text::width(&rail.tail)).unwrap_or(u16::MAX);
    let room = usize::from(row.width().saturating_sub(tail + 6));
    let width = |at: usize| {
        rail.steps
            .get(at)
            .map_or(0, |step| text::width(&step.text) + 2)
    };
    let (mut from, mut to) = (rail.now, (rail.now + 1).min(rail.steps.len()));
    let mut used = width(rail.now);
    loop {
        if from > 0 && used + width(from - 1) <= room {
            from -= 1;
            used += width(from);
        } else if to < rail.steps.len() && used + width(to) <= room {
            used += width(to);
            to += 1;
        } else {
            break;
        }
    }
    let mut x = 1;
    if from > 0 {
        x = row.text(x, 0, "…─", Role::Dim);
    }
    for (at, step) in rail.steps.iter().enumerate().take(to).skip(from) {
        if at > from {
            x = row.text(x, 0, "─", Role::Dim);
        }
        if at == rail.now {
            x = row.text(x, 0, "●", Role::Title);
        }
        x = row.text(x, 0, &step.text, step.role);
    }
    if to < rail.steps.len() {
        x = row.text(x, 0, "─…", Role::Dim);
    }
    row.text(x + 3, 0, &rail.tail, Role::Dim);
}

/// The popup of a chord's continuations, at the bottom of the body.
fn which_key(state: &State, body: Rect, canvas: &mut Canvas<'_>) {
    let rows = hints::which_key(state);
    let keys: Vec<String> = state.pending().iter().map(ToString::to_string).collect();
    let wanted = rows.iter().map(row_width).max().unwrap_or(0) + 6;
    let width = u16::try_from(wanted)
        .unwrap_or(body.width)
        .clamp(24.min(body.width), body.width);
    let height = u16::try_from(rows.len() + 2)
        .unwrap_or(body.height)
        .min(body.height);
    let area = Rect::new(body.right() - width, body.bottom() - height, width, height);
    canvas.clear(area);
    let mut canvas = canvas.sub(area);
    canvas.border(canvas.area(), Role::BorderFocus);
    let x = canvas.text(1, 0, "[", Role::BorderFocus);
    let x = canvas.fitted(
        (x, 0),
        width.saturating_sub(4),
        &format!("{}  next …", keys.join(" ")),
        Role::Title,
    );
    canvas.text(x, 0, "]", Role::BorderFocus);
    for (y, row) in (1..height.saturating_sub(1)).zip(&rows) {
        let (role, why) = match row.available.reason() {
            None => (Role::Text, String::new()),
            Some(why) => (Role::Dim, format!("  {why}")),
        };
        let spans = [
            Span::new(text::pad(&row.keys.join(" "), 3), Role::Key),
            Span::new(row.title.clone(), role),
            Span::new(why, Role::Dim),
        ];
        canvas.spans((2, y), width.saturating_sub(3), &spans);
    }
}

fn row_width(row: &hints::CommandRow) -> usize {
    3 + text::width(&row.title) + row.available.reason().map_or(0, |why| 2 + text::width(why))
}
