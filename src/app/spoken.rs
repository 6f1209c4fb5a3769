//! The text form of a screen for whoever hears it: every sign as its word, no lines of boxes.
//!
//! Screens write their facts as they show them; here signs become the words that Help gives them, by the table of the
//! screen in front where one sign means different things on different screens. What somebody said stands between “ and ”
//! and stays as it is.

use crate::app::glyph::{GLYPHS, Glyph};
use crate::app::state::State;
use crate::sim::refusal::Kind;

/// Words after which a sign before them says nothing more.
const SAYS_IT: [&str; 8] = [
    "violated",
    "refuted",
    "differs",
    "cannot",
    "confirmed",
    "verified",
    "never",
    "would",
];

impl State {
    /// The facts of what is in front, one a line, worst first, in words.
    pub fn spoken(&self) -> Vec<String> {
        let own = self.screen().desc().glyphs;
        let lines = self.top().plain(&self.shared);
        if lines.is_empty() {
            return vec!["nothing is listed".to_owned()];
        }
        lines.iter().map(|text| line(text, own)).collect()
    }
}

/// Whether a character is a piece of a box, a bar or a plot.
pub fn is_drawn(c: char) -> bool {
    let code = u32::from(c);
    (0x2500..0x25A0).contains(&code) || (0x2800..0x2900).contains(&code)
}

/// Whether a character is a sign that says nothing without its word. Signs of ASCII are read as they are.
pub fn is_sign(c: char) -> bool {
    !c.is_ascii() && (GLYPHS.iter().any(|g| g.sign == c) || ['□', '△'].contains(&c))
}

/// What a sign means on a screen with these signs, without what follows a colon.
fn word(c: char, own: &[Glyph]) -> &'static str {
    let found = own.iter().chain(GLYPHS).find(|g| g.sign == c);
    let word = found.map_or(if c == '△' { "RED" } else { "dominated" }, |g| g.word);
    word.split([':', ';']).next().unwrap_or(word)
}

/// A line in words.
pub fn line(text: &str, own: &[Glyph]) -> String {
    if let Some(told) = legend(text, own) {
        return told;
    }
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    let mut skip = 0;
    for (at, c) in text.char_indices() {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        match c {
            '“' => quoted = true,
            '”' => quoted = false,
            _ => {}
        }
        if quoted || !(is_sign(c) || is_drawn(c)) {
            let first = out.chars().next_back().is_some_and(char::is_alphanumeric);
            // A sign that stood before a name without a blank became a word.
            if c.is_alphanumeric() && first && needs_blank(text, at) {
                out.push(' ');
            }
            out.push(c);
            continue;
        }
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let (said, passed) = sign(c, rest, &out, own);
        skip = passed;
        // Where nothing is said for a sign, nothing is left of the blank after it either.
        if said.is_empty() && passed == 0 && rest.starts_with(' ') {
            skip = 1;
        }
        put(&mut out, &said);
    }
    out.trim_end().to_owned()
}

/// Whether the character before this place is a sign or a piece of a line.
fn needs_blank(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    before.is_some_and(|c| is_sign(c) || is_drawn(c))
}

/// A line of Help that explains a sign, which it begins with: there the sign is what it is about.
fn legend(text: &str, own: &[Glyph]) -> Option<String> {
    let mut rest = text.trim_start().chars();
    let c = rest.next().filter(|c| is_sign(*c))?;
    let explains = rest.as_str().strip_prefix(' ')?;
    let all = own.iter().chain(GLYPHS);
    let mut same = all.filter(|g| g.sign == c);
    same.any(|g| g.word == explains).then(|| text.to_owned())
}

/// Adds a word, with blanks around it; a comma follows what is before it.
fn put(out: &mut String, said: &str) {
    if said.is_empty() {
        return;
    }
    if said == "," {
        let end = out.trim_end().len();
        if end > 0 && !out.ends_with([',', ':']) {
            out.truncate(end);
            out.push(',');
        }
        return;
    }
    let open = out.is_empty() || out.ends_with([' ', '(', '|']);
    if !open {
        out.push(' ');
    }
    out.push_str(said);
}

/// What is said for a sign, and how many characters after it are said with it.
fn sign(c: char, rest: &str, before: &str, own: &[Glyph]) -> (String, usize) {
    let next = rest.chars().next();
    let following = rest.trim_start();
    let starts = |words: &[&str]| words.iter().any(|w| following.starts_with(w));
    let blank = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    if is_drawn(c) && !is_sign(c) {
        let ends = before.trim_end().is_empty() || following.trim_end_matches('─').is_empty();
        return (if ends { "" } else { "," }.to_owned(), 0);
    }
    let said = match c {
        '·' => ",".to_owned(),
        '–' => {
            let number = before.ends_with(|c: char| c.is_ascii_digit());
            match next {
                Some(c) if number && !c.is_whitespace() && !",;".contains(c) => "to".to_owned(),
                _ if number => "on".to_owned(),
                _ => "none".to_owned(),
            }
        }
        '✗' => {
            let mut chars = rest.chars();
            let letter = chars.next().filter(|l| !l.is_whitespace());
            let kind = letter.and_then(|l| Kind::ALL.into_iter().find(|k| k.letter() == l));
            let after = chars.next();
            match (kind, letter) {
                (Some(kind), _) if blank(after) => {
                    let more = rest.chars().nth(2).is_some_and(|c| c.is_lowercase());
                    let at = rest.get(2..).is_some_and(is_step);
                    let end = if after == Some(' ') && more && !at {
                        ":"
                    } else {
                        ""
                    };
                    return (format!("refused, {}{end}", kind.words()), 1);
                }
                (_, Some(l)) if l.is_uppercase() && after.is_some_and(|c| c.is_ascii_digit()) => {
                    "breaks".to_owned()
                }
                _ if starts(&["verified"]) => "does not agree:".to_owned(),
                _ if starts(&SAYS_IT) => String::new(),
                _ => "false".to_owned(),
            }
        }
        '✓' if starts(&SAYS_IT) => String::new(),
        '✓' if following.is_empty() && before.ends_with(", ") => "possible now".to_owned(),
        '✓' if following.is_empty() => "done".to_owned(),
        '✓' if following.starts_with(|c: char| c.is_ascii_digit() || "+−".contains(c)) => {
            "good,".to_owned()
        }
        '▲' | '△' if following.starts_with('R') => "RED".to_owned(),
        '◆' if starts(&["end"]) => "pending until the".to_owned(),
        _ if starts(&SAYS_IT) || starts(&[word(c, own)]) => String::new(),
        _ => word(c, own).to_owned(),
    };
    (said, 0)
}

/// Whether a text begins with the name of a step: `s4`.
fn is_step(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('s') && chars.next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::glyph;

    #[test]
    fn signs_become_words() {
        for (text, told) in [
            ("first bad ✗F05 s8", "first bad breaks F05 s8"),
            (
                "first bad ✗M s3, 4 steps",
                "first bad refused, missing step s3, 4 steps",
            ),
            ("first bad ↺ s5", "first bad lost s5"),
            ("goals 1/3 · safety 1/2", "goals 1/3, safety 1/2"),
            ("kitchen · R bowl · L –", "kitchen, R bowl, L none"),
            ("── trial 2 ──", "trial 2"),
            (
                "✗ verified 3/5 hashes",
                "does not agree: verified 3/5 hashes",
            ),
            ("✓ verified 5/5 hashes", "verified 5/5 hashes"),
            (
                "s6 ✗A switchon fork: no",
                "s6 refused, affordance: switchon fork: no",
            ),
            ("can: close fridge, ✓", "can: close fridge, possible now"),
            ("a ─ b, s1–s2, s3–", "a, b, s1 to s2, s3 on"),
            ("lost to ▲R1 not done", "lost to RED R1 not done"),
            ("level: blind ●plan", "level: blind now plan"),
            ("verdict: ◇ armed: one", "verdict: armed: one"),
            ("done: ◆ end P06", "done: pending until the end P06"),
            ("s1 walk   ✓", "s1 walk   done"),
            ("✗ “a ✓ said”", "false “a ✓ said”"),
            ("▌ cursor", "▌ cursor"),
            ("x = y, a-b", "x = y, a-b"),
        ] {
            assert_eq!(line(text, &[]), told, "{text}");
        }
        assert_eq!(line("■ B4", &[glyph::FRONT]), "on the front B4");
    }

    #[test]
    fn no_sign_is_left() {
        for g in GLYPHS.iter().filter(|g| !g.sign.is_ascii()) {
            let told = line(&format!("a {}b", g.sign), &[]);
            assert!(!told.contains(g.sign), "{told}");
        }
    }
}
