//! Keeping single settings in the user's `config.toml`: everything else in it stays as it was written.

use toml_edit::{DocumentMut, value};

use crate::app::settings::FILE;
use crate::config::file::line_of;

/// The file with settings written into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its text.
    pub text: String,
    /// What was written, as it stands there, and at which line, from 1.
    pub lines: Vec<(String, u32)>,
}

/// Writes settings, key and text, into the text of the file. A setting that is there keeps its place and the comment behind
/// it; a new one comes after the others, before the first table.
///
/// # Errors
/// The file is no TOML: what is wrong, where, and what to do.
pub fn kept(text: &str, chosen: &[(&str, String)]) -> Result<Kept, String> {
    let mut file: DocumentMut = text.parse().map_err(|err: toml_edit::TomlError| {
        let line = err.span().map_or(1, |span| line_of(text, span.start));
        let why = err.message().lines().next().unwrap_or_default();
        format!("{FILE}:{line} {why}; nothing was written: mend it first")
    })?;
    for (key, text) in chosen {
        let mut new = value(text.as_str());
        match file.get_mut(key) {
            // In its place: the key keeps the comment above it, the value the one behind it.
            Some(old) => {
                if let (Some(new), Some(old)) = (new.as_value_mut(), old.as_value()) {
                    *new.decor_mut() = old.decor().clone();
                }
                *old = new;
            }
            None => {
                file.insert(key, new);
            }
        }
    }
    let text = file.to_string();
    let line = |key: &str| {
        let is_its = |line: &&str| {
            let rest = line.trim_start().trim_start_matches(['"', '\'']);
            let rest = rest
                .strip_prefix(key)
                .map(|rest| rest.trim_start_matches(['"', '\'']));
            rest.is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        (1..).zip(text.lines()).find(|(_, line)| is_its(line))
    };
    let lines = chosen
        .iter()
        .filter_map(|(key, text)| line(key).map(|(n, _)| (format!("{key} = \"{text}\""), n)))
        .collect();
    Ok(Kept { text, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &str, chosen: &[(&str, &str)]) -> Kept {
        let chosen: Vec<_> = chosen.iter().map(|(k, v)| (*k, (*v).to_owned())).collect();
        kept(text, &chosen).unwrap()
    }

    #[test]
    fn comments_order_and_other_keys_stay() {
        let text = "# mine\nhold = 'off'  # for now\n\nprofile=\"eai\"\n[models]\nhold = 1\n";
        let kept = write(text, &[("hold", "core !3"), ("colours", "none")]);
        assert_eq!(
            kept.text,
            "# mine\nhold = \"core !3\"  # for now\n\nprofile=\"eai\"\ncolours = \"none\"\n[models]\nhold = 1\n"
        );
        let lines = [("hold = \"core !3\"", 2), ("colours = \"none\"", 5)];
        assert_eq!(kept.lines, lines.map(|(text, n)| (text.to_owned(), n)));
    }

    #[test]
    fn an_empty_file_gets_its_first_line() {
        let kept = write("", &[("profile", "usual")]);
        assert_eq!(kept.text, "profile = \"usual\"\n");
        assert_eq!(kept.lines, [("profile = \"usual\"".to_owned(), 1)]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        let wrong = kept("profile = \"eai\"\nhold\n", &[("hold", "off".to_owned())]);
        let wrong = wrong.unwrap_err();
        assert!(wrong.starts_with("config.toml:2 "), "{wrong}");
        assert!(
            wrong.ends_with("nothing was written: mend it first"),
            "{wrong}"
        );
    }
}
