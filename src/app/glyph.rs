//! The signs of the screens: one meaning each, an ASCII stand-in, and the word `--plain` uses.
//!
//! Views write the Unicode sign; the canvas turns it into its stand-in where the terminal takes ASCII
//! only ([`ascii`]). A screen lists the signs it uses in its descriptor, and Help prints them from here.

/// One sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyph {
    /// The sign itself.
    pub sign: char,
    /// Its stand-in, one column as well.
    pub ascii: char,
    /// What it means, in the words of the screens.
    pub word: &'static str,
}

const fn g(sign: char, ascii: char, word: &'static str) -> Glyph {
    Glyph { sign, ascii, word }
}

/// A goal that is not yet true.
pub const GOAL_OPEN: Glyph = g('○', 'o', "not yet");
/// A goal that holds, a step or check that went well.
pub const HOLDS: Glyph = g('✓', 'y', "holds");
/// A goal that was true and is not any more.
pub const LOST: Glyph = g('↺', 'l', "lost");
/// A safety goal that is false now, a violated rule, a refused step.
pub const FALSE: Glyph = g('✗', 'X', "false");
/// A goal proven unreachable.
pub const UNREACHABLE: Glyph = g('∅', '0', "unreachable");
/// Something that was not evaluated or not perceived.
pub const UNKNOWN: Glyph = g('?', '?', "unknown");
/// The cursor row.
pub const CURSOR: Glyph = g('▌', '>', "cursor");
/// A picked row.
pub const PICKED: Glyph = g('◉', '*', "picked");
/// A pinned row.
pub const PINNED: Glyph = g('⊙', '^', "pinned");
/// An unfolded tree row.
pub const UNFOLDED: Glyph = g('▾', 'v', "unfolded");
/// A folded tree row.
pub const FOLDED: Glyph = g('▸', '+', "folded");
/// A tree row without children, an idle rule.
pub const LEAF: Glyph = g('·', '.', "leaf");
/// The step the world stands at.
pub const NOW: Glyph = g('●', '@', "now");
/// A step from which another branch leaves.
pub const BRANCH: Glyph = g('┬', 'Y', "branch point");
/// A rule that one more fact breaks, a warning.
pub const ARMED: Glyph = g('◇', 'a', "armed");
/// A rule that must be discharged within some steps.
pub const PENDING: Glyph = g('◆', 'p', "pending");
/// A hazard that stood from the first step.
pub const STANDING: Glyph = g('▣', 's', "standing hazard");
/// Something that would arm or break, in previews.
pub const WOULD: Glyph = g('⚠', '!', "would break");
/// A rule silenced by a goal, a grade or a duplicate, or muted for a run.
pub const SILENCED: Glyph = g('–', '-', "silenced");
/// Something that came to pass by itself.
pub const HAPPENED: Glyph = g('▲', '^', "came to pass");
/// A patch, note or label that waits.
pub const NOTE: Glyph = g('✎', 'e', "note pending");
/// The caret of a text line.
pub const CARET: Glyph = g('▏', '_', "caret");
/// Equal on both sides.
pub const EQUAL: Glyph = g('=', '=', "equal");
/// Different on both sides.
pub const DIFFERS: Glyph = g('≠', '#', "differs");
/// On one side only.
pub const ONE_SIDE: Glyph = g('↓', '|', "one side only");
/// A fact that was added.
pub const ADDED: Glyph = g('+', '+', "added");
/// A fact that was removed.
pub const REMOVED: Glyph = g('-', '-', "removed");
/// A fact that changed.
pub const CHANGED: Glyph = g('~', '~', "changed");
/// An ended run.
pub const ENDED: Glyph = g('■', '#', "ended");
/// A candidate that no other beats in every respect. In lists of runs the same sign is [`ENDED`].
pub const FRONT: Glyph = g('■', '#', "on the front: no other is better in everything");
/// A candidate that another beats.
pub const BEHIND: Glyph = g('□', 'o', "dominated: another is better in everything");
/// The candidate that was chosen. Elsewhere the same sign is [`PICKED`].
pub const CHOSEN: Glyph = g('◉', '*', "chosen by the committee");
/// What RED does and what it costs a plan. On a rail the same sign is [`HAPPENED`].
pub const COSTS: Glyph = g(
    '▲',
    '^',
    "RED strikes; among its answers, one that costs the plan something",
);
/// A cell that cannot be played.
pub const UNPLAYED: Glyph = g('#', '#', "cannot be played: Enter says why");
/// The strongest of RED's replies. On a rail the same sign is [`HAPPENED`].
pub const RED_BEST: Glyph = g('▲', '^', "RED, the strongest");
/// Another of RED's replies.
pub const RED_OTHER: Glyph = g('△', '\'', "RED, weaker");

/// Every sign with a meaning; Help and the ASCII form are read from it.
pub const GLYPHS: &[Glyph] = &[
    GOAL_OPEN,
    HOLDS,
    LOST,
    FALSE,
    UNREACHABLE,
    UNKNOWN,
    CURSOR,
    PICKED,
    PINNED,
    UNFOLDED,
    FOLDED,
    LEAF,
    NOW,
    BRANCH,
    ARMED,
    PENDING,
    STANDING,
    WOULD,
    SILENCED,
    HAPPENED,
    NOTE,
    CARET,
    EQUAL,
    DIFFERS,
    ONE_SIDE,
    ADDED,
    REMOVED,
    CHANGED,
    ENDED,
];

/// Punctuation and line pieces the screens write, and what stands in for them.
const PUNCTUATION: &[(char, char)] = &[
    ('…', '~'),
    ('→', '>'),
    ('←', '<'),
    ('“', '"'),
    ('”', '"'),
    ('’', '\''),
    ('‘', '\''),
    ('—', '-'),
    ('−', '-'),
    ('±', '~'),
    ('×', 'x'),
    ('─', '-'),
    ('│', '|'),
    ('┌', '+'),
    ('┐', '+'),
    ('└', '+'),
    ('┘', '+'),
    ('├', '+'),
    ('┤', '+'),
    ('┴', '+'),
    ('┼', '+'),
    ('‹', '<'),
    ('›', '>'),
    ('»', '>'),
    ('‖', '='),
    ('↑', '^'),
    ('□', 'o'),
    ('△', '\''),
    ('ρ', 'r'),
    ('═', '='),
    ('½', '%'),
    ('α', 'a'),
    ('β', 'b'),
    ('γ', 'g'),
    ('█', '#'),
    ('◌', 'o'),
];

/// What stands in for a character where only ASCII can be shown; `?` for what has no stand-in.
pub fn ascii(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    if let Some(glyph) = GLYPHS.iter().find(|glyph| glyph.sign == c) {
        return glyph.ascii;
    }
    match u32::from(c) {
        // Control pictures: the letter of the control, as in ^[ .
        code @ 0x2400..=0x241F => char::from_u32(code - 0x2400 + 0x40).unwrap_or('?'),
        // Dots of a plot; the sign without any is blank.
        0x2800 => ' ',
        0x2801..=0x28FF => '.',
        _ => PUNCTUATION
            .iter()
            .find(|(sign, _)| *sign == c)
            .map_or('?', |(_, stand_in)| *stand_in),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_unique_and_narrow() {
        for (i, a) in GLYPHS.iter().enumerate() {
            assert!(a.ascii.is_ascii() && !a.word.is_empty());
            assert_eq!(
                crate::base::text::width(&a.sign.to_string()),
                1,
                "{}",
                a.sign
            );
            for b in GLYPHS.iter().skip(i + 1) {
                assert_ne!(a.sign, b.sign);
                assert_ne!(a.word, b.word);
            }
        }
    }

    #[test]
    fn everything_has_a_stand_in() {
        assert_eq!(ascii('✓'), 'y');
        assert_eq!(ascii('…'), '~');
        assert_eq!(ascii('␛'), '[');
        assert_eq!(ascii('日'), '?');
    }
}
