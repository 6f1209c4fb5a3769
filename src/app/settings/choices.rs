//! Choosing values while the program runs: what there is to choose, what was chosen, and what has been kept of it.

use crate::app::settings::{Set, Settings, Source};

/// How many rules the book in force has, by how sure they are, and what is wrong with the files it was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Rules that hold wherever their facts do.
    pub core: usize,
    /// Rules that advise.
    pub advisory: usize,
    /// Rules that are off unless asked for.
    pub pedantic: usize,
    /// How many of all these come from the user's own files.
    pub own: usize,
    /// What is wrong with the user's files, one sentence each.
    pub faults: Vec<String>,
}

impl Rules {
    /// `88 core 32 adv 8 ped`.
    pub fn words(&self) -> String {
        format!(
            "{} core {} adv {} ped",
            self.core, self.advisory, self.pedantic
        )
    }

    /// `shipped, 2 yours`; with faults, how many.
    pub fn source(&self) -> String {
        let mut words = "shipped".to_owned();
        if self.own > 0 {
            words = format!("{words}, {} yours", self.own);
        }
        match self.faults.len() {
            0 => words,
            1 => format!("{words}, 1 fault"),
            n => format!("{words}, {n} faults"),
        }
    }
}

/// What a setting can be, in the order the screen goes round; empty for what is not chosen while the program runs.
pub fn choices(key: &str) -> &'static [&'static str] {
    match key {
        "profile" => &["usual", "strict", "eai"],
        "hold" => &[
            "off",
            "core !4",
            "core !3",
            "core !2",
            "core !1",
            "advisory !4",
            "advisory !3",
            "advisory !2",
            "advisory !1",
        ],
        "symbols" => &["unicode", "ascii"],
        "colours" => &["16", "none"],
        _ => &[],
    }
}

/// Puts what was chosen on the screen over what was read; a choice the file holds by now only where `keep_equal` says so.
fn carry<T: Clone + PartialEq>(read: &mut Set<T>, mine: &Set<T>, keep_equal: bool) {
    let is_in_file = read.value == mine.value && matches!(read.source, Source::File(_));
    if mine.source == Source::Session && (keep_equal || !is_in_file) {
        *read = mine.clone();
    }
}

impl Settings {
    /// Chooses a value on the screen; it acts at once.
    ///
    /// # Errors
    /// What to write instead; the value stays what it was.
    pub fn choose(&mut self, key: &str, text: &str) -> Result<(), String> {
        let before = self.unchosen();
        self.take(key, Some(text), Source::Session)?;
        self.before = Some(Box::new(before));
        Ok(())
    }

    /// What would be set if nothing had been chosen on the screen.
    #[must_use]
    pub fn unchosen(&self) -> Self {
        self.before
            .as_ref()
            .map_or_else(|| self.clone(), |before| Self::clone(before))
    }

    /// What was chosen on the screen and is kept nowhere: key and text, in the order of the rows.
    pub fn chosen(&self) -> Vec<(&'static str, String)> {
        let set = [
            ("profile", &self.profile.source),
            ("hold", &self.hold.source),
            ("symbols", &self.symbols.source),
            ("colours", &self.colours.source),
            ("reviewer", &self.reviewer.source),
        ];
        set.into_iter()
            .filter(|(_, source)| **source == Source::Session)
            .map(|(key, _)| (key, self.text(key)))
            .collect()
    }

    /// Takes over what was read anew from files; what was chosen on the screen still counts.
    pub fn follow(&mut self, read: Self) {
        self.merge(read, true);
    }

    /// Takes over what was read anew after what was chosen had been written: what the file says now counts as of the file.
    /// What something stronger than the file goes before stays chosen.
    pub fn kept(&mut self, read: Self) {
        self.merge(read, false);
    }

    fn merge(&mut self, read: Self, keep_equal: bool) {
        let mut now = read.clone();
        carry(&mut now.profile, &self.profile, keep_equal);
        carry(&mut now.hold, &self.hold, keep_equal);
        carry(&mut now.symbols, &self.symbols, keep_equal);
        carry(&mut now.colours, &self.colours, keep_equal);
        carry(&mut now.reviewer, &self.reviewer, keep_equal);
        *self = now;
        self.before = (!self.chosen().is_empty()).then(|| Box::new(read));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::settings::Hold;
    use crate::app::state::{Colours, Symbols};

    #[test]
    fn every_choice_can_be_taken_and_is_written_as_it_is_read() {
        for key in ["profile", "hold", "symbols", "colours"] {
            for text in choices(key) {
                let mut settings = Settings::default();
                settings.choose(key, text).unwrap();
                assert_eq!(settings.chosen(), [(key, (*text).to_owned())]);
                assert_eq!(settings.unchosen(), Settings::default());
            }
        }
        assert!(choices("runs").is_empty());
    }

    #[test]
    fn what_is_chosen_stays_over_the_file_until_it_is_kept() {
        let mut settings = Settings::default();
        settings.choose("hold", "core !3").unwrap();
        settings.choose("colours", "none").unwrap();
        let read = Settings {
            hold: Set::new(Hold::parse("off").unwrap(), Source::File(2)),
            symbols: Set::new(Symbols::Ascii, Source::File(3)),
            ..Settings::default()
        };
        settings.follow(read.clone());
        let chosen = [("hold", "core !3"), ("colours", "none")];
        let chosen = chosen.map(|(key, text)| (key, text.to_owned()));
        assert_eq!(settings.chosen(), chosen);
        assert_eq!(settings.symbols, read.symbols);
        assert_eq!(settings.unchosen(), read);
        // The environment goes before the file: the colours are written, and stay chosen.
        let written = Settings {
            hold: Set::new(Hold::parse("core !3").unwrap(), Source::File(2)),
            colours: Set::new(Colours::Ansi16, Source::Env("NO_COLOR")),
            ..read
        };
        settings.kept(written.clone());
        assert_eq!(settings.hold, written.hold);
        assert_eq!(settings.chosen(), [("colours", "none".to_owned())]);
    }
}
