//! Prompt: the files, or the text of one, left; what a model is told by it, or in what it differs, right.

use ratatui::layout::Rect;

use crate::agent::prompt::version;
use crate::agent::strategy::tokens;
use crate::app::role::Role;
use crate::app::screens::prompt::{Draft, Editor, Stage, Trying, fault_words};
use crate::base::text;
use crate::formats::task::patch::DiffLine;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View, Window};

mod wrapped;

/// Columns of a line's number.
const NUMBER: u16 = 4;

/// Faults shown below the text at once.
const FAULTS: usize = 4;

/// Draws the screen.
pub(super) fn draw(editor: &Editor, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let body = canvas.area();
    let (left, right) = layout(editor, view.room, body);
    let draft = editor.draft.as_ref().filter(|_| editor.editing);
    let title = match (draft, &editor.stage) {
        (Some(draft), _) => format!("Prompt {}", draft.name),
        (None, Stage::Done(files)) => format!("Prompts {}", files.len()),
        (None, _) => "Prompts".to_owned(),
    };
    let mut frames = vec![Pane::new(left, title, view.focused)];
    if let Some(right) = right {
        frames.push(Pane::new(right, right_title(editor, draft), false));
    }
    let inner: Vec<Rect> = frames.iter().map(Pane::inner).collect();
    panes(canvas, &frames);
    if let Some(area) = inner.first() {
        let mut canvas = canvas.sub(*area);
        match draft {
            // Where there is one pane the reply takes it.
            Some(_) if right.is_none() && editor.tried.is_some() => {
                tried(editor, view, &mut canvas);
            }
            Some(draft) => edited(draft, view, &mut canvas),
            None => files(editor, view, &mut canvas),
        }
    }
    if let Some(area) = inner.get(1) {
        let mut canvas = canvas.sub(*area);
        match draft {
            Some(_) if editor.tried.is_some() => tried(editor, view, &mut canvas),
            _ if editor.diff => differences(editor, &mut canvas),
            Some(draft) => told(editor, draft, &mut canvas),
            None => whole(editor, &mut canvas),
        }
    }
}

fn layout(editor: &Editor, room: Room, body: Rect) -> (Rect, Option<Rect>) {
    match room {
        Room::Single => (body, None),
        Room::Wide => {
            let width = if editor.editing {
                body.width * 3 / 5
            } else {
                body.width * 2 / 5
            };
            let left = Rect { width, ..body };
            let right = Rect::new(width, 0, body.width - width, body.height);
            (left, Some(right))
        }
        Room::Narrow => {
            let files = u16::try_from(editor.files().len()).unwrap_or(u16::MAX);
            let height = if editor.editing {
                body.height * 3 / 5
            } else {
                files.saturating_add(2).clamp(4, body.height / 2)
            };
            let upper = Rect { height, ..body };
            // The two share a border line.
            let lower = Rect::new(0, height - 1, body.width, body.height + 1 - height);
            (upper, Some(lower))
        }
    }
}

fn right_title(editor: &Editor, draft: Option<&Draft>) -> String {
    if let Some(trial) = editor.tried.as_ref().filter(|_| draft.is_some()) {
        return match &trial.stage {
            Trying::Done(tried) => format!("Tried  {}  {}", trial.who, tried.took()),
            _ => format!("Trying  {}", trial.who),
        };
    }
    if editor.diff {
        return "Against the shipped file".to_owned();
    }
    let Some(draft) = draft else {
        return editor.file().map(|f| f.name.clone()).unwrap_or_default();
    };
    let old = if draft.faults.is_empty() {
        ""
    } else {
        "(old) "
    };
    let from = editor.filled_from().unwrap_or("no task");
    let part = if draft.part.is_empty() {
        "a note, not sent".to_owned()
    } else {
        format!("[{}]", draft.part)
    };
    let tokens = tokens(&draft.told);
    format!("{old}{part} as told in {from}  about {tokens} tokens")
}

/// The list of files.
fn files(editor: &Editor, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let area = Rect::new(1, 0, width.saturating_sub(2), height);
    match &editor.stage {
        Stage::Reading => {
            canvas.text(1, 0, "reading the files …", Role::Dim);
        }
        Stage::Failed(reason) => {
            paragraph(canvas, area, 0, reason, Role::Refused);
        }
        Stage::Done(files) => {
            let list = ListView {
                name: "prompt.files",
                cursor: editor.list.cursor,
                len: files.len(),
                focused: view.focused,
            };
            let names = files.iter().map(|f| text::width(&f.name));
            let name = names.max().unwrap_or(0) + 2;
            list.draw(canvas, canvas.area(), list.seen(view, height), |at| {
                files.get(at).map_or_else(Vec::new, |file| {
                    let kept = view.shared.drafts.contains_key(&file.name);
                    let mark = if kept { "✎ " } else { "  " };
                    vec![
                        Span::new(mark, Role::Armed),
                        Span::plain(text::pad(&file.name, name)),
                        Span::new(version(file.text.as_bytes()), Role::Dim),
                        Span::plain("  "),
                        Span::new(file.source().to_owned(), Role::Dim),
                    ]
                })
            });
        }
    }
}

/// The text of the file under the cursor.
fn whole(editor: &Editor, canvas: &mut Canvas<'_>) {
    let Some(file) = editor.file() else {
        return;
    };
    let width = canvas.width().saturating_sub(2);
    for (y, line) in (0..canvas.height()).zip(file.text.lines()) {
        canvas.spans((1, y), width, &pieces(line));
    }
}

/// In what the text differs from the shipped one.
fn differences(editor: &Editor, canvas: &mut Canvas<'_>) {
    let lines = editor.differences();
    if lines.is_empty() {
        canvas.text(1, 0, "it is the shipped file", Role::Dim);
        return;
    }
    let width = canvas.width().saturating_sub(2);
    for (y, line) in (0..canvas.height()).zip(lines.iter().skip(editor.below)) {
        let role = match line {
            DiffLine::Place(_) => Role::Dim,
            DiffLine::Same(_) => Role::Text,
            DiffLine::Old(_) => Role::Del,
            DiffLine::New(_) => Role::Add,
        };
        canvas.fitted((1, y), width, &line.text(), role);
    }
}

/// What came of a turn that was tried: what was understood, what was thought, the reply.
fn tried(editor: &Editor, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let Some(trial) = &editor.tried else {
        return;
    };
    let (width, height) = (canvas.width(), canvas.height());
    let area = Rect::new(1, 0, width.saturating_sub(2), height);
    let tried = match &trial.stage {
        Trying::Asking(since, came) => {
            let seconds = view.shared.now.saturating_sub(*since) / 1_000;
            let words =
                format!("asking for {seconds} s, {came} characters so far   Esc asks no more");
            paragraph(canvas, area, 0, &words, Role::Dim);
            return;
        }
        Trying::Failed(why) => {
            let y = paragraph(canvas, area, 0, why, Role::Refused);
            let again = "Ctrl-R tries again, Esc goes back to what is told";
            paragraph(canvas, area, y + 1, again, Role::Dim);
            return;
        }
        Trying::Done(tried) => tried,
    };
    let mut parts: Vec<(String, Role)> = Vec::new();
    for line in tried.lines() {
        let role = match line.chars().next() {
            Some('→') => Role::Good,
            Some('✗') => Role::Refused,
            _ => Role::Armed,
        };
        parts.push((line, role));
    }
    if let Some(thought) = tried.thought() {
        parts.push((String::new(), Role::Dim));
        parts.push((format!("“{thought}”"), Role::Dim));
    }
    parts.push((String::new(), Role::Dim));
    let reply = tried.reply.text.lines();
    parts.extend(reply.map(|line| (line.to_owned(), Role::Text)));
    let cols = usize::from(area.width);
    let wrapped: Vec<(String, Role)> = parts
        .into_iter()
        .flat_map(|(text, role)| {
            let lines = text::wrap(&text, cols);
            lines.into_iter().map(move |line| (line, role))
        })
        .collect();
    // The last page stays full.
    let most = wrapped.len().saturating_sub(usize::from(height));
    let shown = wrapped.iter().skip(editor.below.min(most));
    for (y, (line, role)) in (0..height).zip(shown) {
        canvas.text(1, y, line, *role);
    }
}

/// What a model is told.
fn told(editor: &Editor, draft: &Draft, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let area = Rect::new(1, 0, width.saturating_sub(2), height);
    if let Err(reason) = editor.filled_from() {
        paragraph(canvas, area, 0, reason, Role::Dim);
        return;
    }
    let role = if draft.faults.is_empty() {
        Role::Text
    } else {
        Role::Stale
    };
    let wrapped: Vec<String> = draft
        .told
        .lines()
        .flat_map(|line| {
            let lines = text::wrap(line, usize::from(area.width));
            if lines.is_empty() {
                vec![String::new()]
            } else {
                lines
            }
        })
        .collect();
    // The last page stays full.
    let most = wrapped.len().saturating_sub(usize::from(height));
    let lines = wrapped.iter().skip(editor.below.min(most));
    for (y, line) in (0..height).zip(lines) {
        canvas.text(1, y, line, role);
    }
}

/// A line of a prompt file by what its words are.
fn pieces(line: &str) -> Vec<Span> {
    if line.starts_with('[') && line.trim_end().ends_with(']') {
        return vec![Span::new(line, Role::Title)];
    }
    let mut spans = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else {
            break;
        };
        spans.push(Span::plain(before));
        spans.push(Span::new(format!("{{{{{name}}}}}"), Role::CodeName));
        rest = tail;
    }
    spans.push(Span::plain(rest));
    spans
}

/// The text with its caret, and below it what is wrong.
fn edited(draft: &Draft, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let faults = u16::try_from(draft.faults.len().min(FAULTS)).unwrap_or(0);
    let rows = height.saturating_sub(faults);
    let (line, character) = draft.edit.caret();
    let lines = draft.edit.lines();
    let window = Window {
        cursor: line,
        len: lines.len(),
        height: usize::from(rows),
    };
    let top = view.cache.top(view.place, "prompt.text", window);
    let wide = width.saturating_sub(NUMBER + 2);
    let shown = wrapped::around(lines, top, (line, character), (wide, rows));
    for (y, row) in (0..rows).zip(&shown) {
        let wrong = draft
            .faults
            .iter()
            .any(|f| f.line == u32::try_from(row.line + 1).ok());
        let role = if wrong { Role::Refused } else { Role::Dim };
        if row.first {
            canvas.text(0, y, &format!("{:>3} ", row.line + 1), role);
        }
        if let Some(at) = row.caret {
            let area = Rect::new(NUMBER, y, wide + 1, 1);
            caret(&row.text, at, &mut canvas.sub(area));
        } else {
            canvas.spans((NUMBER, y), wide, &pieces(&row.text));
        }
    }
    for (y, fault) in (rows..height).zip(&draft.faults) {
        let words = format!("! {}", fault_words(fault));
        canvas.fitted((1, y), width.saturating_sub(2), &words, Role::Error);
    }
}

/// A row with the caret before a character, or behind the last.
fn caret(words: &str, character: usize, canvas: &mut Canvas<'_>) {
    let before: String = words.chars().take(character).collect();
    let after: String = words.chars().skip(character).collect();
    let x = canvas.text(0, 0, &before, Role::Text);
    // Behind a full row there may be no room.
    let x = x.min(canvas.width().saturating_sub(1));
    canvas.fitted((x, 0), canvas.width() - x, &after, Role::Text);
    canvas.restyle(Rect::new(x, 0, 1, 1), Role::Cursor);
}
