//! What is known of the runs in some folders, as it is told to screens.

use std::path::PathBuf;

use crate::query::shelf::News;

/// News of the runs, with what belongs to them.
#[derive(Clone, Debug, Default)]
pub struct Shelved {
    /// What has become known.
    pub news: News,
    /// The folders of runs, in the order rows name them.
    pub folders: Vec<PathBuf>,
    /// What is wrong with the index, one sentence each.
    pub wrong: Vec<String>,
    /// When somebody last looked, RFC 3339 in UTC; empty if nobody did. Runs begun later are new.
    pub since: String,
    /// Queries the user has named.
    pub views: Vec<View>,
}

/// A query with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The name.
    pub name: String,
    /// The query, as it is written.
    pub query: String,
}

/// The name of the user's file of views.
pub const VIEWS_FILE: &str = "views.txt";

/// The views of a file, a line each: `name: query`; empty lines and lines that begin with `#` mean nothing.
pub fn read_views(text: &str) -> Vec<View> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (name, query) = line.split_once(':')?;
            Some(View {
                name: name.trim().to_owned(),
                query: query.trim().to_owned(),
            })
        })
        .collect()
}

/// The text of such a file with one more view, or another query under its name. Every other line stays as it is.
pub fn with_view(text: &str, view: &View) -> String {
    let line = format!("{}: {}", view.name, view.query);
    let is_it = |old: &str| {
        let name = old.split_once(':').map(|(name, _)| name.trim());
        name == Some(view.name.as_str())
    };
    let mut found = false;
    let mut lines: Vec<String> = Vec::new();
    for old in text.lines() {
        if is_it(old) {
            found = true;
            lines.push(line.clone());
        } else {
            lines.push(old.to_owned());
        }
    }
    if !found {
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_added_or_changed_and_nothing_else() {
        let view = |name: &str, query: &str| View {
            name: name.to_owned(),
            query: query.to_owned(),
        };
        let text = "# mine\nfires: risk = fire\n\nlate: first_bad > 9\n";
        assert_eq!(
            read_views(text),
            [view("fires", "risk = fire"), view("late", "first_bad > 9")]
        );
        assert_eq!(
            with_view(text, &view("fires", "violates(F05)")),
            "# mine\nfires: violates(F05)\n\nlate: first_bad > 9\n"
        );
        assert_eq!(with_view("", &view("a", "success")), "a: success\n");
    }
}
