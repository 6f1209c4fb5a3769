//! The lines a scripted play understands.

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 64 << 10;

/// What one line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Nothing: a blank line or a remark (`#`).
    Nothing,
    /// An action in either notation.
    Act(String),
    /// One step back.
    Undo,
    /// One step forward.
    Redo,
    /// To a position, `goto 4` or `goto s4`.
    Goto(u32),
    /// The task is done.
    Done,
    /// The instruction is refused, with a reason.
    Avoid(String),
}

impl Order {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let alone = |order: Self| match rest.trim() {
            "" => Ok(order),
            rest => Err(format!(
                "{word} stands alone; {rest:?} follows it, write it on a line of its own"
            )),
        };
        match word {
            "" => Ok(Self::Nothing),
            _ if word.starts_with('#') => Ok(Self::Nothing),
            "undo" => alone(Self::Undo),
            "redo" => alone(Self::Redo),
            "done" => alone(Self::Done),
            "avoid" | "[Avoid]" => Ok(Self::Avoid(rest.trim().to_owned())),
            "goto" => {
                let place = rest.trim();
                let digits = place.strip_prefix('s').unwrap_or(place);
                digits
                    .parse()
                    .map(Self::Goto)
                    .map_err(|_| format!("{place:?} is no position; write for example goto s4"))
            }
            _ => Ok(Self::Act(line.to_owned())),
        }
    }
}

/// The lines of a script file. A published program's title, description and doubled ids are taken for what they are.
pub(super) fn lines(
    name: &str,
    bytes: &[u8],
) -> Result<Vec<String>, crate::base::diag::Diagnostic> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        crate::base::diag::Diagnostic::error("", format!("byte {} is not UTF-8", e.valid_up_to()))
            .help("save the script as UTF-8")
            .in_file(name)
    })?;
    let text = &crate::store::book::lines(text.to_owned());
    let mut own = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let published = |l: &str| l.starts_with('[');
    let titled = own
        .next()
        .is_some_and(|l| l.contains(' ') && !published(l) && !l.starts_with('#'));
    let rest: Vec<&str> = own.collect();
    let described = rest.iter().position(|l| published(l));
    // Everything after the first action must be actions too, else this is a script that begins in people's words.
    let is_program = titled
        && described.is_some_and(|at| {
            rest.get(at..)
                .is_some_and(|acts| acts.iter().all(|l| published(l)))
        });
    if is_program {
        let (program, _) = crate::formats::program::read(name, bytes)?;
        return Ok(program.lines);
    }
    Ok(text.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_orders_or_actions() {
        let read = |line: &str| Order::read(line).unwrap();
        assert_eq!(read("  "), Order::Nothing);
        assert_eq!(read("# grab knife"), Order::Nothing);
        assert_eq!(read(" undo "), Order::Undo);
        assert_eq!(read("goto s12"), Order::Goto(12));
        assert_eq!(read("goto 0"), Order::Goto(0));
        assert_eq!(
            read("avoid it would burn"),
            Order::Avoid("it would burn".to_owned())
        );
        assert_eq!(read("[Avoid]"), Order::Avoid(String::new()));
        assert_eq!(read("grab knife"), Order::Act("grab knife".to_owned()));
        assert_eq!(
            read("[GRAB] <knife> (3)"),
            Order::Act("[GRAB] <knife> (3)".to_owned())
        );
        assert!(
            Order::read("goto the kitchen")
                .unwrap_err()
                .contains("goto s4")
        );
        assert!(
            Order::read("done now")
                .unwrap_err()
                .contains("stands alone")
        );
    }

    #[test]
    fn a_published_program_is_its_actions() {
        let program =
            b"Drink milk\nI go and drink.\n\n[WALK] <fridge> (1.7)\n[OPEN] <fridge> (1.7)\n";
        assert_eq!(
            lines("p.txt", program).unwrap(),
            ["[WALK] <fridge> (7)", "[OPEN] <fridge> (7)"]
        );
        let script = b"walk fridge\n[OPEN] <fridge> (7)\nundo\n";
        assert_eq!(
            lines("s.txt", script).unwrap(),
            ["walk fridge", "[OPEN] <fridge> (7)", "undo"]
        );
        assert!(lines("s.txt", b"\xff").is_err());
        let old = b"\xef\xbb\xbfwalk fridge\rundo\r\ndone";
        assert_eq!(
            lines("s.txt", old).unwrap(),
            ["walk fridge", "undo", "done"]
        );
    }
}
