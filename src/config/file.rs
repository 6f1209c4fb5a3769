//! The user's `config.toml`: each field checked by itself, so that one mistake costs one setting.

use std::collections::BTreeMap;

use toml::{Spanned, Value};

use crate::app::settings::{FILE, Settings, Source};

/// Takes in the text of the file: what is right replaces what the settings say, what is wrong is told and leaves them.
pub(super) fn read(text: &str, settings: &mut Settings) {
    settings.faults.clear();
    let before = settings.clone();
    let fields: BTreeMap<Spanned<String>, Spanned<Value>> = match toml::from_str(text) {
        Ok(fields) => fields,
        Err(err) => {
            let line = err.span().map_or(1, |span| line_of(text, span.start));
            let why = err.message().lines().next().unwrap_or_default();
            settings.faults.push(format!(
                "{FILE}:{line} {why}; the settings stay as they were"
            ));
            return;
        }
    };
    settings.forget_file();
    for (key, value) in fields {
        let line = line_of(text, key.span().start);
        let written = written_line(text, line);
        let taken = settings.take(key.get_ref(), value.get_ref().as_str(), Source::File(line));
        if let Err(cure) = taken {
            settings.restore(&before, key.get_ref());
            settings
                .faults
                .push(format!("{FILE}:{line} {written}: {cure}"));
        }
    }
}

/// The line of a byte, from 1.
pub(super) fn line_of(text: &str, at: usize) -> u32 {
    let before = text.as_bytes().iter().take(at);
    before.filter(|b| **b == b'\n').count() as u32 + 1
}

/// A line as it is written, without what is around it.
fn written_line(text: &str, line: u32) -> &str {
    let at = line as usize - 1;
    text.lines().nth(at).map_or("", str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::settings::{Hold, Set};
    use crate::app::state::Symbols;
    use crate::sim::vocab::Profile;

    fn told(text: &str) -> (Settings, Vec<String>) {
        let mut settings = Settings::default();
        read(text, &mut settings);
        let faults = settings.faults.clone();
        (settings, faults)
    }

    #[test]
    fn a_wrong_field_is_named_with_its_cure_and_the_others_count() {
        let (settings, faults) = told("# mine\nprofile = \"eai\"\nhold = \"core 3\"\n");
        assert_eq!(
            faults,
            ["config.toml:3 hold = \"core 3\": write \"core !3\""]
        );
        assert_eq!(
            settings.profile,
            Set::new(Some(Profile::Eai), Source::File(2))
        );
        assert_eq!(settings.hold, Set::default());
        let (_, faults) = told("colors = \"none\"\n");
        assert_eq!(
            faults,
            ["config.toml:1 colors = \"none\": there is no such setting; did you mean colours?"]
        );
        let (_, faults) = told("profile = 3\nprofil\n");
        assert!(faults[0].starts_with("config.toml:2 "), "{faults:?}");
    }

    #[test]
    fn the_last_good_value_stays() {
        let (mut settings, _) = told("hold = \"core !3\"\n");
        read("hold = \"core\"\n", &mut settings);
        assert_eq!(settings.faults.len(), 1);
        assert_eq!(settings.hold.value, Hold::parse("core !3").unwrap());
        read("", &mut settings);
        assert!(settings.faults.is_empty());
    }

    #[test]
    fn what_is_stronger_than_a_file_stays() {
        let mut settings = Settings {
            profile: Set::new(Some(Profile::Strict), Source::Flag("--profile")),
            ..Settings::default()
        };
        read("profile = \"eai\"\nsymbols = \"ascii\"\n", &mut settings);
        assert_eq!(settings.profile.value, Some(Profile::Strict));
        assert_eq!(settings.symbols.value, Symbols::Ascii);
    }
}
