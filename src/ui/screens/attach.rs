//! The attached run: the agent at the left, at the right what its next act would do, goals, numbers.

use ratatui::layout::Rect;

use crate::app::live::Status;
use crate::app::live::turns::Turn;
use crate::app::parts::{action, goals, warnings};
use crate::app::role::Role;
use crate::app::screens::attach::{Attach, Pane, Run, Stage, now, numbers};
use crate::app::screens::play::ahead::{Ahead, Would};
use crate::app::screens::play::you;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::parts;
use crate::ui::screens::play::sheets::{boxed, popup, typed};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

/// Lines a row takes at most; the row under the cursor may take more.
const LINES: usize = 5;

/// Lines the row under the cursor takes at most.
const LONG: usize = 200;

/// Columns of the step in front of a row.
const STEP: u16 = 5;

/// Draws the screen.
pub(super) fn draw(attach: &Attach, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let run = match &attach.stage {
        Stage::Open(run) => run,
        Stage::Failed(reason) => return message(canvas, &format!("{reason}\n\nq leaves")),
        Stage::New | Stage::Reading => {
            return message(canvas, &format!("reading {} …", attach.asked));
        }
    };
    let top = view.focused && attach.say.is_none() && attach.why.is_none();
    let areas = areas(canvas.area(), view.room, run);
    let mut frames = Vec::new();
    for &(pane, area) in &areas {
        let corner = if pane == Pane::Agent && run.follows {
            "follows"
        } else {
            ""
        };
        frames
            .push(pane::Pane::new(area, title(run, pane), top && run.focus == pane).corner(corner));
    }
    panes(canvas, &frames);
    for (&(pane, _), frame) in areas.iter().zip(&frames) {
        let focused = frame.focused;
        let mut inner = canvas.sub(frame.inner());
        match pane {
            Pane::Agent => agent(run, (focused, false), &mut inner),
            Pane::Ahead => ahead(run, focused, view, &mut inner),
            Pane::Goals => state(run, &mut inner),
            Pane::Numbers => figures(run, &mut inner),
        }
    }
    if let Some((why, list)) = &attach.why {
        let area = popup(canvas.area(), view.room, why.lines.len() + 2);
        let inner = boxed(canvas, area, &why.heading);
        let list = ListView {
            name: "attach.why",
            cursor: list.cursor,
            len: why.lines.len(),
            focused: true,
        };
        let seen = list.seen(view, inner.height);
        parts::lines::draw(canvas, inner, &why.lines, &list, seen);
    }
    if let Some(say) = &attach.say {
        typed(canvas, say.title(), &say.line, say.hint());
    }
}

fn message(canvas: &mut Canvas<'_>, words: &str) {
    let area = canvas.area();
    let inner = Rect::new(
        2,
        1,
        area.width.saturating_sub(4),
        area.height.saturating_sub(2),
    );
    let mut y = 0;
    for part in words.split('\n') {
        y = paragraph(canvas, inner, y, part, Role::Text).max(y + 1);
    }
}

/// Where the panes lie.
fn areas(body: Rect, room: Room, run: &Run) -> Vec<(Pane, Rect)> {
    if run.zoomed || room == Room::Single {
        return vec![(run.focus, body)];
    }
    let Rect { width, height, .. } = body;
    if room == Room::Wide {
        let left = u16::try_from(u32::from(width) * 57 / 120).unwrap_or(width);
        let right = width - left + 1;
        let rows = goal_lines(run) + 4;
        let lower = u16::try_from(rows.max(9)).unwrap_or(9).min(height / 2);
        let upper = height - lower + 1;
        let split = right * 52 / 100;
        return vec![
            (Pane::Agent, Rect::new(0, 0, left, height)),
            (Pane::Ahead, Rect::new(left - 1, 0, right, upper)),
            (Pane::Goals, Rect::new(left - 1, upper - 1, split, lower)),
            (
                Pane::Numbers,
                Rect::new(left + split - 2, upper - 1, right - split + 1, lower),
            ),
        ];
    }
    // Above each other, the others folded to what matters most.
    let folded = |pane: Pane| match pane {
        Pane::Agent => 4,
        Pane::Ahead => 5,
        Pane::Goals => 2,
        Pane::Numbers => 1,
    };
    let panes = crate::app::screens::attach::PANES;
    let others: u16 = panes
        .iter()
        .filter(|p| **p != run.focus)
        .map(|p| folded(*p) + 1)
        .sum();
    let open = height.saturating_sub(others + 2);
    let mut y = 0;
    let place = panes.into_iter().map(|pane| {
        let lines = if pane == run.focus {
            open
        } else {
            folded(pane)
        };
        let area = Rect::new(0, y, width, lines + 2);
        y += lines + 1;
        (pane, area)
    });
    place.collect()
}

fn goal_lines(run: &Run) -> usize {
    run.goals.len()
}

fn title(run: &Run, pane: Pane) -> String {
    match pane {
        Pane::Agent if run.tracker.turns == 0 => format!("Agent {} steps", run.step()),
        Pane::Agent => format!("Agent {} turns", run.tracker.turns),
        Pane::Ahead if !run.choices.is_empty() => format!("You act {}", run.choices.len()),
        Pane::Ahead => "If it runs".to_owned(),
        Pane::Goals => {
            let n = run.rows.iter().filter(|row| !row.muted).count();
            let title = if run.goals.is_empty() {
                "Goals".to_owned()
            } else {
                format!("Goals {}", goals::count(&run.goals))
            };
            if n > 0 {
                format!("{title} · Warnings {n}")
            } else {
                title
            }
        }
        Pane::Numbers => "Run".to_owned(),
    }
}

/// A row as lines: the step, the words, what came of it.
struct Line {
    at: String,
    text: String,
    role: Role,
    mark: String,
    mark_role: Role,
    /// The row it belongs to.
    row: usize,
}

fn lines(turn: &Turn, row: usize, before: &str, width: usize, most: usize) -> Vec<Line> {
    let mark = text::width(&turn.mark);
    let room = width.saturating_sub(usize::from(STEP));
    let first = room
        .saturating_sub(if mark > 0 { mark + 2 } else { 0 })
        .max(8);
    let mut words = if turn.wraps && mark == 0 {
        text::wrap(&turn.text, room)
    } else {
        vec![text::fit(&turn.text, first).into_owned()]
    };
    if words.len() > most {
        words.truncate(most);
        if let Some(last) = words.last_mut() {
            last.push('…');
        }
    }
    let at = if turn.at == before {
        ""
    } else {
        turn.at.as_str()
    };
    words
        .into_iter()
        .enumerate()
        .map(|(n, text)| Line {
            at: if n == 0 { at.to_owned() } else { String::new() },
            text,
            role: turn.role,
            mark: if n == 0 {
                turn.mark.clone()
            } else {
                String::new()
            },
            mark_role: turn.mark_role,
            row,
        })
        .collect()
}

/// The lines below the rows: what streams in, the act that waits.
fn tail(run: &Run, width: usize, brief: bool) -> Vec<Line> {
    let at = format!("s{}", run.step() + 1);
    let line = |at: &str, text: String, role: Role| Line {
        at: at.to_owned(),
        text,
        role,
        mark: String::new(),
        mark_role: Role::Dim,
        row: usize::MAX,
    };
    let mut all = Vec::new();
    if run.past.is_some() {
        return all;
    }
    let stream = run.tracker.stream();
    if run.tracker.asking && !stream.is_empty() {
        let words = text::wrap(
            &format!("“{stream}▏"),
            width.saturating_sub(usize::from(STEP)),
        );
        let skip = words.len().saturating_sub(8);
        for (n, text) in words.into_iter().skip(skip).enumerate() {
            all.push(line(if n == 0 { &at } else { "" }, text, Role::Text));
        }
    }
    let words = match run.status() {
        Status::Hand if brief => Some("a person acts".to_owned()),
        Status::Ended if brief => None,
        _ => now(run),
    };
    if let Some(words) = words {
        let wrapped = text::wrap(&words, width.saturating_sub(usize::from(STEP)));
        all.extend(wrapped.into_iter().map(|text| line("", text, Role::Dim)));
    }
    if let Some(act) = run.pending() {
        let status = run.status();
        let mut row = line(&at, format!("→ {act}"), status.role());
        row.mark = match run.until.filter(|_| status == Status::Held) {
            Some(until) => format!(
                "HELD {}",
                crate::app::live::left(until.saturating_sub(run.now))
            ),
            None => status.word().to_owned(),
        };
        row.mark_role = status.role();
        all.push(row);
        if status == Status::Held && !brief {
            all.push(line("", String::new(), Role::Dim));
            let policy = format!("hold policy: {}", run.tracker.hold);
            all.push(line("", policy, Role::Dim));
            let keys = "x veto   p let pass   i message   T take over";
            all.push(line("", keys.to_owned(), Role::Dim));
        }
    }
    all
}

/// What the agent said and did, with the cursor where it has the keys; `brief` without what can be done about it.
pub(super) fn agent(run: &Run, (focused, brief): (bool, bool), canvas: &mut Canvas<'_>) {
    let (width, height) = (usize::from(canvas.width()), usize::from(canvas.height()));
    let cursor = run.list.cursor.min(run.turns.len().saturating_sub(1));
    let of = |at: usize| -> Vec<Line> {
        let Some(turn) = run.turns.get(at) else {
            return Vec::new();
        };
        let before = at.checked_sub(1).and_then(|b| run.turns.get(b));
        let most = if at == cursor { LONG } else { LINES };
        lines(
            turn,
            at,
            before.map_or("", |t| t.at.as_str()),
            width.saturating_sub(1),
            most,
        )
    };
    let end = tail(run, width.saturating_sub(1), brief);
    let mut shown: Vec<Line> = Vec::new();
    if run.follows {
        shown = end;
        for at in (0..run.turns.len()).rev() {
            if shown.len() >= height {
                break;
            }
            let mut rows = of(at);
            rows.append(&mut shown);
            shown = rows;
        }
        let skip = shown.len().saturating_sub(height);
        shown.drain(..skip);
    } else {
        // The cursor's row in the middle, what is before it above, what follows below.
        let mut above: Vec<Line> = Vec::new();
        for at in (0..cursor).rev() {
            if above.len() >= height / 2 {
                break;
            }
            let mut rows = of(at);
            rows.append(&mut above);
            above = rows;
        }
        let skip = above.len().saturating_sub(height / 2);
        shown.extend(above.into_iter().skip(skip));
        for at in cursor..run.turns.len() {
            if shown.len() >= height {
                break;
            }
            shown.extend(of(at));
        }
        if shown.len() < height {
            shown.extend(end);
        }
    }
    if shown.is_empty() {
        canvas.fitted(
            (1, 0),
            canvas.width(),
            "nothing was said or done yet",
            Role::Dim,
        );
    }
    let wide = canvas.width();
    for (y, line) in (0..canvas.height()).zip(&shown) {
        canvas.fitted((1, y), STEP, &line.at, Role::Dim);
        canvas.fitted(
            (1 + STEP, y),
            wide.saturating_sub(1 + STEP),
            &line.text,
            line.role,
        );
        if !line.mark.is_empty() {
            canvas.right(wide, y, &line.mark, line.mark_role);
        }
        if (focused || run.past.is_some()) && line.row == cursor {
            canvas.text(0, y, "▌", Role::Cursor);
        }
    }
}

fn ahead(run: &Run, focused: bool, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let area = canvas.area();
    if run.choices.is_empty() {
        let Some((_, ahead)) = &run.ahead else {
            let words = match run.status() {
                Status::Ended => "the run is over",
                _ => "no act waits: Space stops the run before the next one",
            };
            canvas.fitted((1, 0), area.width.saturating_sub(1), words, Role::Dim);
            return;
        };
        return told(run, ahead, canvas);
    }
    // What can be done above, what the choice would do below.
    let below = (area.height / 2).min(8);
    let upper = Rect::new(0, 0, area.width, area.height - below);
    let world = run.episode.timeline().world();
    let list = ListView {
        name: "attach.choices",
        cursor: run.choice_list.cursor,
        len: run.choices.len(),
        focused,
    };
    let seen = list.seen(view, upper.height);
    list.draw(canvas, upper, seen, |at| {
        run.choices.get(at).map_or_else(Vec::new, |choice| {
            let mut spans = vec![Span::plain(action(world, choice.action))];
            if choice.gain > 0 {
                spans.push(Span::new(format!("  +{}", choice.gain), Role::Good));
            }
            if let Some(danger) = &choice.danger {
                let words = format!("  ⚠ !{}", danger.severity);
                spans.push(Span::new(words, Role::Armed));
            }
            spans
        })
    });
    if let Some((_, ahead)) = &run.ahead {
        let lower = Rect::new(0, upper.height, area.width, below);
        told(run, ahead, &mut canvas.sub(lower));
    }
}

/// What an act would do: what it breaks with the facts behind it and the cure, then what it changes, then the goals.
fn told(run: &Run, ahead: &Ahead, canvas: &mut Canvas<'_>) {
    let area = canvas.area();
    let width = area.width;
    let mut y = 0;
    let at = format!("s{}", run.step() + 1);
    for rule in ahead.told().iter().filter(|t| t.is_breach()) {
        if y >= area.height {
            return;
        }
        let head = format!(
            "✗ {} !{} {}  {}",
            rule.id,
            rule.severity,
            rule.grade.id(),
            rule.title
        );
        canvas.fitted((1, y), width.saturating_sub(6), &head, Role::Bad);
        canvas.right(width, y, &at, Role::Dim);
        y += 1;
        let indent = Rect::new(3, 0, width.saturating_sub(4), area.height);
        if !rule.facts.is_empty() {
            y = paragraph(canvas, indent, y, &rule.facts.join(", "), Role::Text);
        }
        if !rule.cures.is_empty() {
            y = paragraph(canvas, indent, y, &rule.cure(), Role::Good);
        }
    }
    match ahead {
        Ahead::Nothing => {}
        Ahead::End(end) => {
            let inner = Rect::new(1, 0, width.saturating_sub(2), area.height);
            y = paragraph(canvas, inner, y, &end.words, Role::Text);
            for rule in &end.open {
                canvas.fitted((1, y), width.saturating_sub(1), rule, Role::Pending);
                y += 1;
            }
        }
        Ahead::Refused(refused) => {
            let inner = Rect::new(1, 0, width.saturating_sub(2), area.height);
            let words = format!("✗{} would be refused: {}", refused.letter, refused.reason);
            paragraph(canvas, inner, y, &words, Role::Refused);
        }
        Ahead::Would(would) => changes(would, y, canvas),
    }
}

/// What it changes, from a row on, and what that does to the goals.
fn changes(would: &Would, mut y: u16, canvas: &mut Canvas<'_>) {
    let area = canvas.area();
    let width = area.width;
    let last = area.height.saturating_sub(1);
    let rows: Vec<_> = would.rows.iter().filter(|row| !row.quiet).collect();
    if rows.is_empty() && y < last {
        canvas.text(1, y, "changes nothing", Role::Dim);
    }
    for (n, row) in rows.iter().enumerate() {
        if y >= last {
            break;
        }
        if y + 1 == last && n + 1 < rows.len() {
            let more = format!("+{} more changes", rows.len() - n);
            canvas.fitted((1, y), width, &more, Role::Dim);
            y += 1;
            break;
        }
        let sign = row.sign.glyph().sign.to_string();
        let x = canvas.text(1, y, &sign, row.sign.role());
        canvas.fitted(
            (x + 1, y),
            width.saturating_sub(x + 1),
            &row.text,
            Role::Text,
        );
        y += 1;
    }
    let mut foot = vec![Span::new(
        format!("goals {:+}   safety {:+}", would.goals, would.safety),
        Role::Dim,
    )];
    for (word, list, role) in [
        ("gains", &would.gained, Role::Good),
        ("loses", &would.lost, Role::Bad),
    ] {
        if !list.is_empty() {
            foot.push(Span::new(format!("   {word} {}", list.join(", ")), role));
        }
    }
    if y <= last {
        canvas.spans((1, last.min(y)), width.saturating_sub(1), &foot);
    }
}

/// Goals, warnings, and where the agent is.
fn state(run: &Run, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let mut y = 0;
    let few = height <= 2;
    let marks = run.goals.iter();
    for goal in marks {
        if y + u16::from(!few) * 2 >= height {
            break;
        }
        let when = goal.when();
        let x = canvas.text(1, y, &goal.mark.glyph().sign.to_string(), goal.mark.role()) + 1;
        let end = canvas.right(width, y, &when, Role::Dim);
        canvas.fitted((x, y), end.saturating_sub(x + 1), &goal.short(), Role::Text);
        y += 1;
    }
    let speaking: Vec<_> = run.rows.iter().filter(|row| !row.muted).collect();
    let last = height.saturating_sub(1);
    if few {
        return;
    }
    for row in &speaking {
        if y >= last {
            break;
        }
        let x = canvas.text(1, y, &row.sign(), row.role()) + 1;
        let words = format!(
            "{} !{} {}",
            row.rule.id,
            row.rule.severity,
            warnings::title(&row.rule)
        );
        canvas.fitted((x, y), width.saturating_sub(x), &words, Role::Text);
        y += 1;
    }
    let here = format!("▸ {}", you(run.shown()));
    canvas.fitted((1, last), width.saturating_sub(1), &here, Role::Dim);
}

fn figures(run: &Run, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let all = numbers(run);
    if height == 1 {
        let words: Vec<String> = all
            .iter()
            .map(|(label, words)| format!("{label} {words}"))
            .collect();
        canvas.fitted(
            (1, 0),
            width.saturating_sub(1),
            &words.join(" · "),
            Role::Text,
        );
        return;
    }
    for (y, (label, words)) in (0..height).zip(&all) {
        canvas.text(1, y, label, Role::Dim);
        canvas.fitted((9, y), width.saturating_sub(9), words, Role::Text);
    }
}
