//! The rules themselves.

use super::Source;

/// Lines a file may have.
const LIMIT: usize = 800;

/// Lines from which a file is named as one to split.
pub(super) const WARN: usize = 500;

/// Every layer with those it may use. A layer may always use itself.
pub(super) const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("sim", &["base"]),
    ("safety", &["base", "sim"]),
    ("plan", &["base", "sim", "safety"]),
    ("search", &["base", "sim", "safety", "plan"]),
    ("task", &["base", "sim", "safety", "plan"]),
    (
        "check",
        &["base", "sim", "safety", "plan", "search", "task"],
    ),
    ("formats", &["base", "sim", "safety", "plan", "task"]),
    (
        "agent",
        &["base", "sim", "safety", "plan", "search", "task", "formats"],
    ),
    (
        "eval",
        &["base", "sim", "safety", "plan", "task", "formats", "agent"],
    ),
    (
        "query",
        &[
            "base", "sim", "safety", "plan", "task", "formats", "agent", "eval",
        ],
    ),
    (
        "arena",
        &[
            "base", "sim", "safety", "plan", "search", "task", "formats", "agent", "eval",
        ],
    ),
    (
        "compare",
        &["base", "sim", "safety", "plan", "search", "task", "arena"],
    ),
    (
        "app",
        &[
            "base", "sim", "safety", "plan", "search", "task", "check", "formats", "agent", "eval",
            "query", "arena", "compare",
        ],
    ),
    (
        "ui",
        &[
            "base", "sim", "safety", "plan", "task", "formats", "agent", "eval", "arena", "query",
            "compare", "app",
        ],
    ),
    ("llm", &["base", "formats", "agent"]),
    (
        "store",
        &[
            "base", "sim", "safety", "plan", "task", "formats", "agent", "eval", "query", "arena",
        ],
    ),
    ("config", &["base", "app"]),
    (
        "runtime",
        &[
            "base", "sim", "safety", "plan", "search", "task", "check", "formats", "agent", "eval",
            "query", "arena", "compare", "app", "ui", "store", "config", "llm",
        ],
    ),
    (
        "cli",
        &[
            "base", "sim", "safety", "plan", "search", "task", "check", "formats", "agent", "eval",
            "query", "arena", "compare", "app", "ui", "store", "config", "llm", "runtime",
        ],
    ),
];

/// Layers without I/O, clocks, chance or a terminal.
const PURE: &[&str] = &[
    "base", "sim", "safety", "plan", "search", "task", "check", "formats", "agent", "eval",
    "query", "arena", "compare", "app",
];

/// The layer of a source file; none for tests, `main.rs`, `lib.rs`.
fn layer(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/")?;
    rest.split_once('/').map(|(layer, _)| layer)
}

/// Whether the file holds only tests.
fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// The code lines with their numbers: without comments and without the tests at the end of the file.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line))
        .take_while(|(_, line)| *line != "mod tests {")
        .map(|(n, line)| (n, line.split_once("//").map_or(line, |(code, _)| code)))
}

/// The words after each `crate::` of a line. A list, `crate::{a, b}`, gives an empty word: lists of layers
/// are not followed and therefore not allowed.
fn uses(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).map(|rest| {
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    })
}

/// Layers depend downwards only; nothing is used through the crate's root by a nested list.
pub(super) fn arrows(source: &Source) -> Vec<String> {
    let Some(layer) = layer(&source.path) else {
        return Vec::new();
    };
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
        return vec![format!(
            "{}: \"{layer}\" is no layer: see LAYERS",
            source.path
        )];
    };
    let mut found = Vec::new();
    for (n, line) in code(&source.text) {
        for used in uses(line) {
            let fine = used == layer || allowed.contains(&used);
            if !fine {
                found.push(format!("{}:{n}: {layer} must not use {used}", source.path));
            }
        }
    }
    found
}

/// Words that have no place in the code of some layers.
fn banned(source: &Source, words: &[&str], why: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (n, line) in code(&source.text) {
        for word in words {
            if has_word(line, word) {
                found.push(format!("{}:{n}: {word}: {why}", source.path));
            }
        }
    }
    found
}

/// Whether the word stands in the line with no letter before it.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// No I/O, clock, thread, chance, terminal in the pure layers.
pub(super) fn purity(source: &Source) -> Vec<String> {
    if !layer(&source.path).is_some_and(|layer| PURE.contains(&layer)) || is_test(&source.path) {
        return Vec::new();
    }
    let words = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "std::time::Instant",
        "SystemTime",
        "Instant::now",
        "std::io::std",
        "fs_err",
        "tokio",
        "reqwest",
        "ratatui",
        "crossterm",
        "rustix",
        "etcetera",
        "jiff",
        "RandomState",
        "std::sync::mpsc",
        "futures",
    ];
    banned(source, &words, "pure layers take values and give values")
}

/// ratatui cells are written by the canvas alone, and no widget of ratatui is used.
pub(super) fn cells(source: &Source) -> Vec<String> {
    if !source.path.starts_with("src/") || source.path == "src/ui/canvas.rs" {
        return Vec::new();
    }
    let words = [
        "cell_mut",
        "set_symbol",
        "set_char",
        "set_string",
        "set_stringn",
        "set_line",
        "set_span",
        "content_mut",
        "ratatui::widgets",
        "ratatui::text",
        "ratatui::Terminal",
        "ratatui::Frame",
        "CrosstermBackend",
    ];
    banned(
        source,
        &words,
        "write through ui::canvas, which makes text safe",
    )
}

/// Files that wait or spawn although they are not runtime, each with its reason.
const WAITS: &[(&str, &str)] = &[
    (
        "src/cli/bench/pty.rs",
        "stands in for the terminal and measures the program from outside",
    ),
    (
        "src/cli/bench/kill/endpoint.rs",
        "stands in for an endpoint that the killed runners ask",
    ),
    (
        "src/cli/bench/watch/follow.rs",
        "stands in for many runners at once",
    ),
];

/// Only runtime awaits, spawns and owns channels; llm awaits what its caller spawned.
pub(super) fn waiting(source: &Source) -> Vec<String> {
    let excepted = WAITS.iter().any(|(path, _)| *path == source.path);
    let spawning = [
        "crossterm",
        "tokio::spawn",
        "thread::spawn",
        "spawn_blocking",
    ];
    let awaiting = ["tokio", "async fn", ".await", "mpsc"];
    let words = match layer(&source.path) {
        None | Some("runtime") => return Vec::new(),
        _ if excepted || is_test(&source.path) => return Vec::new(),
        Some("llm") => spawning.to_vec(),
        Some(_) => [&spawning[..], &awaiting].concat(),
    };
    banned(
        source,
        &words,
        "only runtime waits, spawns and owns channels",
    )
}

/// No file beyond the limit.
pub(super) fn length(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    if lines <= LIMIT {
        return Vec::new();
    }
    vec![format!(
        "{}: {lines} lines, {LIMIT} at most: split it",
        source.path
    )]
}

/// Every module begins with its own doc.
pub(super) fn module_docs(source: &Source) -> Vec<String> {
    if source.text.starts_with("//! ") {
        return Vec::new();
    }
    vec![format!(
        "{}: begins with no `//!` saying what it owns",
        source.path
    )]
}

/// Lints are silenced with `expect` and a reason, never with `allow`.
pub(super) fn suppressions(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (n, line) in source.text.lines().enumerate() {
        let line = line.trim_start();
        if line.starts_with("#[allow(") || line.starts_with("#![allow(") {
            found.push(format!(
                "{}:{}: write #[expect(…, reason = \"…\")]",
                source.path,
                n + 1
            ));
        }
    }
    found
}

/// Dependencies without a reason in the line above.
pub(super) fn unexplained(manifest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    let mut before = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        } else if inside
            && line.contains(" = ")
            && !line.starts_with('#')
            && !before.starts_with('#')
        {
            found.push(line.to_owned());
        }
        before = line;
    }
    found
}

mod tests {
    use super::*;

    /// Complaints of a rule about a planted fault.
    fn complaints(rule: impl Fn(&Source) -> Vec<String>, path: &str, text: &str) -> usize {
        rule(&Source {
            path: path.to_owned(),
            text: text.to_owned(),
        })
        .len()
    }

    #[test]
    fn arrows_see_faults() {
        assert_eq!(
            complaints(arrows, "src/sim/a.rs", "use crate::app::state::State;"),
            1
        );
        assert_eq!(
            complaints(
                arrows,
                "src/app/a.rs",
                "fn f(_: crate::store::Library, _: crate::ui::View) {}"
            ),
            2
        );
        assert_eq!(
            complaints(arrows, "src/app/a.rs", "use crate::{base, ui};"),
            1
        );
        assert_eq!(complaints(arrows, "src/new/a.rs", ""), 1);
        assert_eq!(
            complaints(
                arrows,
                "src/app/a.rs",
                "// crate::ui draws it\nuse crate::sim::world;"
            ),
            0
        );
        assert_eq!(complaints(arrows, "src/main.rs", "use crate::cli;"), 0);
    }

    #[test]
    fn purity_sees_faults() {
        assert_eq!(
            complaints(purity, "src/app/a.rs", "let t = std::fs::read(p);"),
            1
        );
        assert_eq!(
            complaints(purity, "src/formats/a.rs", "use ratatui::buffer::Buffer;"),
            1
        );
        assert_eq!(
            complaints(purity, "src/base/a.rs", "mod tests {\nuse std::fs;"),
            0
        );
        assert_eq!(
            complaints(purity, "src/base/x/tests.rs", "std::fs::read(p)"),
            0
        );
        assert_eq!(complaints(purity, "src/store/a.rs", "std::fs::read(p)"), 0);
        assert_eq!(
            complaints(purity, "src/app/a.rs", "let my_tokio = 1; // tokio"),
            0
        );
    }

    #[test]
    fn cells_see_faults() {
        assert_eq!(
            complaints(cells, "src/ui/screens/a.rs", "cell.set_symbol(name);"),
            1
        );
        assert_eq!(
            complaints(
                cells,
                "src/ui/screens/a.rs",
                "use ratatui::widgets::Paragraph;"
            ),
            1
        );
        assert_eq!(
            complaints(cells, "src/ui/canvas.rs", "cell.set_symbol(name);"),
            0
        );
    }

    #[test]
    fn waiting_sees_faults() {
        assert_eq!(
            complaints(waiting, "src/store/a.rs", "std::thread::spawn(f);"),
            1
        );
        assert_eq!(
            complaints(waiting, "src/cli/a.rs", "async fn f() { g().await }"),
            2
        );
        assert_eq!(
            complaints(waiting, "src/runtime/a.rs", "std::thread::spawn(f);"),
            0
        );
    }

    #[test]
    fn the_others_see_faults() {
        assert_eq!(complaints(length, "src/a.rs", &"x\n".repeat(801)), 1);
        assert_eq!(complaints(length, "src/a.rs", &"x\n".repeat(800)), 0);
        assert_eq!(complaints(module_docs, "src/a.rs", "use x;"), 1);
        assert_eq!(
            complaints(suppressions, "src/a.rs", "#[allow(dead_code)]"),
            1
        );
        assert_eq!(
            unexplained(
                "[dependencies]\n# why\na = \"1\"\nb = \"1\"\n[dev-dependencies]\nc = \"1\"\n"
            ),
            ["b = \"1\""]
        );
    }
}
