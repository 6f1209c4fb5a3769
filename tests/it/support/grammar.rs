//! What may be on the wire: the sequences the program itself emits, and safe text.

/// Checks bytes against the grammar the painter may use: text without controls, `CSI n ; m H`, `CSI n C`, `CSI … m`,
/// `CSI 2 J`, `CSI ? 2026 h`, `CSI ? 2026 l`, and the private modes named beside.
pub(crate) fn foreign(bytes: &[u8], modes: &[&str]) -> Option<String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(err) => return Some(format!("no UTF-8: {err}")),
    };
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let here: String = chars.as_str().chars().take(20).collect();
        if c != '\u{1b}' {
            if vesta::base::text::clean(&format!("a{c}")) != format!("a{c}") {
                return Some(format!("{c:?} before {here:?}"));
            }
            continue;
        }
        let sequence: String = chars
            .by_ref()
            .take_while(|c| !c.is_ascii_alphabetic())
            .collect();
        // `take_while` has eaten the final letter: it stands behind the sequence in the text.
        let end = here.chars().nth(sequence.chars().count()).unwrap_or(' ');
        let body = sequence.strip_prefix('[').unwrap_or("!");
        let ours = match end {
            'H' | 'm' | 'C' => body.chars().all(|c| c.is_ascii_digit() || c == ';'),
            'J' => body == "2",
            'h' | 'l' => body == "?2026" || modes.contains(&body),
            _ => false,
        };
        if !ours {
            return Some(format!("ESC {here:?}"));
        }
    }
    None
}
