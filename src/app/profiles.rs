//! In what the profiles differ, each difference with its example played under both: what the Settings screen shows.

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// Its name.
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What `eai` does.
    pub eai: &'static str,
    /// What `strict` does.
    pub strict: &'static str,
    /// Why.
    pub why: &'static str,
    /// Facts made true before the example.
    pub given: &'static [&'static str],
    /// The example under each profile, in the order of [`crate::sim::vocab::Profile::ALL`].
    pub played: Vec<Played>,
}

/// An example under one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The profile.
    pub profile: &'static str,
    /// The steps: what was tried, whether it was done, what was said.
    pub steps: Vec<Line>,
    /// The facts read at the end, and whether they hold.
    pub facts: Vec<Line>,
}

/// A step or a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Whether it was done, or holds.
    pub good: bool,
    /// Its words.
    pub text: String,
    /// What was said about it; empty if nothing.
    pub note: String,
}

impl Contrast {
    /// It as text, one fact a line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("{}: {}", self.id, self.title),
            format!("{} eai: {}", self.id, self.eai),
            format!("{} strict: {}", self.id, self.strict),
            format!("{} why: {}", self.id, self.why),
        ];
        lines.extend(
            self.given
                .iter()
                .map(|fact| format!("{} given: {fact}", self.id)),
        );
        for played in &self.played {
            let all = played
                .steps
                .iter()
                .map(|s| ("step", s, ["refused", "done"]));
            let facts = played
                .facts
                .iter()
                .map(|f| ("fact", f, ["does not hold", "holds"]));
            lines.extend(all.chain(facts).map(|(kind, line, words)| {
                let [no, yes] = words;
                let word = if line.good { yes } else { no };
                let note = if line.note.is_empty() {
                    String::new()
                } else {
                    format!(": {}", line.note)
                };
                format!(
                    "{} {} {kind} {} {word}{note}",
                    self.id, played.profile, line.text
                )
            }));
        }
        lines
    }
}
