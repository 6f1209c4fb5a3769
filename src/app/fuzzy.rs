//! Fuzzy matching of rows by a few letters: `wrm soup`, `!dish`, `risk:fire`.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// A row's answer to a field of a filter: `field("risk")` gives its words.
pub type Field<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A field that a filter asks for.
struct Asked {
    name: String,
    value: String,
    /// Whether a word of the field must be the value, not only hold it.
    whole: bool,
}

/// A filter that was typed, ready to be asked about rows.
pub struct Filter {
    words: Pattern,
    without: Vec<String>,
    fields: Vec<Asked>,
    matcher: Matcher,
    buf: Vec<char>,
}

impl Filter {
    /// Reads what was typed: words that must be found in their order of letters, `!word` that must not
    /// occur, `field:value` for the fields of the screen.
    pub fn new(text: &str) -> Self {
        Self::of(text, AtomKind::Fuzzy)
    }

    /// The same, but words must be found as they stand: for long texts, where scattered letters match
    /// everything.
    pub fn exact(text: &str) -> Self {
        Self::of(text, AtomKind::Substring)
    }

    fn of(text: &str, kind: AtomKind) -> Self {
        let (mut words, mut without, mut fields) = (String::new(), Vec::new(), Vec::new());
        for word in text.split_whitespace() {
            if let Some(word) = word.strip_prefix('!').filter(|word| !word.is_empty()) {
                without.push(word.to_lowercase());
            } else if let Some((field, value)) = word.split_once(':').filter(|(f, _)| !f.is_empty())
            {
                fields.push(Asked {
                    name: field.to_lowercase(),
                    value: value.to_lowercase(),
                    whole: false,
                });
            } else {
                words.push_str(word);
                words.push(' ');
            }
        }
        let words = Pattern::new(
            words.trim(),
            CaseMatching::Ignore,
            Normalization::Smart,
            kind,
        );
        Self {
            words,
            without,
            fields,
            matcher: Matcher::new(Config::DEFAULT),
            buf: Vec::new(),
        }
    }

    /// The same filter, but what it asks of a field must be a whole word of it where it is one of those that are known:
    /// `suite:vh` does not mean `vh-twins` where there is a suite `vh`; `suite:v` means both.
    #[must_use]
    pub fn whole(mut self, field: &str, known: &[&str]) -> Self {
        for asked in self.fields.iter_mut().filter(|asked| asked.name == field) {
            asked.whole |= known.iter().any(|word| word.to_lowercase() == asked.value);
        }
        self
    }

    /// How well the row matches, higher is better; `None` if it does not. A field the row does not have
    /// is looked for as a plain word, so that `a:b` never hides everything by accident.
    pub fn score(&mut self, text: &str, field: Field<'_>) -> Option<u32> {
        let lower = text.to_lowercase();
        if self
            .without
            .iter()
            .any(|word| lower.contains(word.as_str()))
        {
            return None;
        }
        for Asked { name, value, whole } in &self.fields {
            let found = match field(name).map(|words| words.to_lowercase()) {
                Some(words) if *whole => words.split_whitespace().any(|word| word == value),
                Some(words) => words.contains(value.as_str()),
                None => lower.contains(&format!("{name}:{value}")),
            };
            if !found {
                return None;
            }
        }
        self.words
            .score(Utf32Str::new(text, &mut self.buf), &mut self.matcher)
    }

    /// The rows that match, best first, equal ones in their own order.
    pub fn rank<T>(&mut self, rows: &[T], text: impl Fn(&T) -> String) -> Vec<usize> {
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            if let Some(score) = self.score(&text(row), &|_| None) {
                found.push((score, i));
            }
        }
        found.sort_by_key(|(score, i)| (std::cmp::Reverse(*score), *i));
        found.into_iter().map(|(_, i)| i).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrows() {
        let rows = ["grab bowl", "grab fork", "putin bowl → microwave"];
        let rank = |text: &str| Filter::new(text).rank(&rows, |row| (*row).to_owned());
        assert_eq!(rank("bowl"), [0, 2]);
        assert_eq!(rank("grab !fork"), [0]);
        assert_eq!(rank("pb mw"), [2]);
        assert_eq!(rank(""), [0, 1, 2]);
        assert!(Filter::exact("pb").score("putin bowl", &|_| None).is_none());
        assert!(
            Filter::exact("bow put")
                .score("putin bowl", &|_| None)
                .is_some()
        );
        assert_eq!(rank("risk:fire"), Vec::<usize>::new());
        let field = |name: &str| (name == "risk").then(|| "fire physical".to_owned());
        assert!(
            Filter::new("risk:fir bowl")
                .score("grab bowl", &field)
                .is_some()
        );
        let known = |text: &str| {
            let mut filter = Filter::new(text).whole("suite", &["vh", "vh-twins"]);
            let of = |suite: &str| filter.score("bowl", &|_| Some(suite.to_owned())).is_some();
            ["vh", "vh-twins"].map(of)
        };
        assert_eq!(known("suite:vh"), [true, false]);
        assert_eq!(known("suite:VH-twins"), [false, true]);
        assert_eq!(known("suite:v"), [true, true], "a word that is begun");
        assert!(
            Filter::new("risk:elec")
                .score("grab bowl", &field)
                .is_none()
        );
    }
}
