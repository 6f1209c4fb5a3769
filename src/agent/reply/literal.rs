//! JSON and what resembles it: single and typographic quotes, bare words, tuples, trailing and missing commas, comments,
//! and values that break off.

use std::ops::Range;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) value: Value,
    pub(super) at: Range<usize>,
    /// Whether it ends before the text does.
    pub(super) whole: bool,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// `null`, `None`.
    Nothing,
    /// Quoted text.
    Text(String),
    /// A bare word, line or number.
    Bare(String),
    List(Vec<Item>),
    Map(Vec<(String, Item)>),
}

/// How deep values may be nested.
const DEEPEST: usize = 64;

/// Reads one value.
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// How many characters may still be looked at, in all attempts together.
    fuel: &'t mut usize,
    /// Whether anything had to be mended.
    pub(super) loose: bool,
}

impl<'t> Reader<'t> {
    pub(super) const fn new(text: &'t str, at: usize, fuel: &'t mut usize) -> Self {
        Self {
            text,
            at,
            fuel,
            loose: false,
        }
    }

    /// The value that begins here; `None` if none does, or if it is nested too deep.
    pub(super) fn read(&mut self) -> Option<Item> {
        self.item(0)
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        *self.fuel = self.fuel.checked_sub(1)?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn starts(&self, with: &str) -> bool {
        self.text
            .get(self.at..)
            .is_some_and(|t| t.starts_with(with))
    }

    /// Passes over blanks and comments. `None` once nothing more may be looked at.
    fn blanks(&mut self) -> Option<()> {
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() => {
                    self.bump()?;
                }
                Some('/') if self.starts("//") => self.line()?,
                Some('#') => self.line()?,
                Some('/') if self.starts("/*") => {
                    self.loose = true;
                    while self.peek().is_some() && !self.starts("*/") {
                        self.bump()?;
                    }
                    self.bump();
                    self.bump();
                }
                _ => return Some(()),
            }
        }
    }

    fn line(&mut self) -> Option<()> {
        self.loose = true;
        while self.peek().is_some_and(|c| c != '\n') {
            self.bump()?;
        }
        Some(())
    }

    fn item(&mut self, depth: usize) -> Option<Item> {
        self.blanks()?;
        let from = self.at;
        let done = |it: &Self, value, whole| Item {
            value,
            at: from..it.at,
            whole,
        };
        let Some(c) = self.peek() else {
            return Some(done(self, Value::Nothing, false));
        };
        if depth >= DEEPEST {
            return None;
        }
        match c {
            '{' => self.map(depth),
            '[' if depth > 0 && self.is_line() => self.bare(false),
            '[' | '(' => self.list(depth),
            '"' | '\'' | '`' | '“' | '”' | '„' | '«' | '‘' | '’' => {
                let (text, whole) = self.quoted()?;
                Some(done(self, Value::Text(text), whole))
            }
            _ => self.bare(false),
        }
    }

    /// Whether a bracket begins a line such as `[WALK] <fridge> (150)` and no list.
    fn is_line(&self) -> bool {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let after = end.and_then(|end| rest.get(end..)).unwrap_or_default();
        let after = after.strip_prefix(']').map(str::trim_start);
        after.is_some_and(|a| a.starts_with(|c: char| c == '<' || c.is_alphanumeric()))
    }

    fn list(&mut self, depth: usize) -> Option<Item> {
        let from = self.at;
        self.loose |= self.bump()? == '(';
        let mut items = Vec::new();
        let mut whole = true;
        loop {
            self.blanks()?;
            match self.peek() {
                None => {
                    whole = false;
                    break;
                }
                Some(']' | ')') => {
                    self.bump()?;
                    break;
                }
                Some(',' | ';') => {
                    self.bump()?;
                }
                Some('}') => return None,
                Some(_) => {
                    let item = self.item(depth + 1)?;
                    let cut = !item.whole;
                    items.push(item);
                    if cut {
                        whole = false;
                        break;
                    }
                }
            }
        }
        Some(Item {
            value: Value::List(items),
            at: from..self.at,
            whole,
        })
    }

    fn map(&mut self, depth: usize) -> Option<Item> {
        let from = self.at;
        self.bump()?;
        self.blanks()?;
        // Braces doubled as in a template.
        if self.peek() == Some('{') {
            self.loose = true;
            let inner = self.item(depth + 1)?;
            self.blanks()?;
            if self.peek() == Some('}') {
                self.bump()?;
            }
            return Some(inner);
        }
        let mut entries = Vec::new();
        let mut whole = true;
        loop {
            self.blanks()?;
            match self.peek() {
                None => {
                    whole = false;
                    break;
                }
                Some('}') => {
                    self.bump()?;
                    break;
                }
                Some(',' | ';') => {
                    self.bump()?;
                }
                Some(']' | ')') => return None,
                Some(_) => {
                    let entry = self.entry(depth)?;
                    let cut = entry.as_ref().is_none_or(|(_, item)| !item.whole);
                    entries.extend(entry);
                    if cut {
                        whole = false;
                        break;
                    }
                }
            }
        }
        Some(Item {
            value: Value::Map(entries),
            at: from..self.at,
            whole,
        })
    }

    /// One entry of a map; the inner `None` means that the text ended within its key.
    #[expect(
        clippy::option_option,
        reason = "no value, and no more text, are two things"
    )]
    fn entry(&mut self, depth: usize) -> Option<Option<(String, Item)>> {
        let key = match self.peek()? {
            '"' | '\'' | '`' | '“' | '”' | '„' | '«' | '‘' | '’' => {
                let (key, whole) = self.quoted()?;
                if !whole {
                    return Some(None);
                }
                key
            }
            _ => {
                self.loose = true;
                let item = self.bare(true)?;
                match item.value {
                    Value::Bare(key) => key,
                    _ => return None,
                }
            }
        };
        self.blanks()?;
        match self.peek() {
            None => Some(None),
            Some(':' | '=') => {
                self.bump()?;
                if self.peek() == Some('>') {
                    self.bump()?;
                }
                let item = self.item(depth + 1)?;
                Some(Some((key, item)))
            }
            Some(',' | '}') => {
                let at = self.at..self.at;
                let item = Item {
                    value: Value::Nothing,
                    at,
                    whole: true,
                };
                Some(Some((key, item)))
            }
            Some(_) => None,
        }
    }

    /// A bare word or line: up to a comma, a closing bracket or the end of the line; as a key up to a colon.
    fn bare(&mut self, key: bool) -> Option<Item> {
        self.loose = true;
        let from = self.at;
        let mut open = 0_usize;
        if self.peek() == Some('[') {
            while self.peek().is_some_and(|c| c != ']') {
                self.bump()?;
            }
            self.bump();
        }
        while let Some(c) = self.peek() {
            match c {
                '(' => open += 1,
                ')' if open > 0 => open -= 1,
                ',' if open > 0 => {}
                ',' | '}' | ']' | ')' | '\n' => break,
                ':' | '=' if key => break,
                _ => {}
            }
            self.bump()?;
        }
        let text = self.text.get(from..self.at).unwrap_or_default().trim();
        if text.is_empty() {
            return None;
        }
        let value = match text {
            "null" | "None" | "nil" | "undefined" => Value::Nothing,
            text => Value::Bare(text.to_owned()),
        };
        Some(Item {
            value,
            at: from..self.at,
            whole: self.peek().is_some(),
        })
    }

    /// Quoted text, and whether it is closed. A quote inside that was not escaped is known by what follows it.
    fn quoted(&mut self) -> Option<(String, bool)> {
        let open = self.bump()?;
        let shuts: &[char] = match open {
            '"' => &['"'],
            '\'' => &['\''],
            '`' => &['`'],
            '‘' | '’' => &['’', '‘', '\''],
            _ => &['”', '“', '»', '"'],
        };
        self.loose |= open != '"';
        if open == '"' && self.starts("\"\"") {
            self.loose = true;
            self.bump()?;
            self.bump()?;
            return self.tripled();
        }
        let mut text = String::new();
        loop {
            let Some(c) = self.bump() else {
                // Nothing left to read, or nothing that may still be looked at.
                return self.peek().is_none().then_some((text, false));
            };
            match c {
                '\\' => self.escaped(&mut text),
                c if shuts.contains(&c) => {
                    if self.ends_here() {
                        return Some((text, true));
                    }
                    self.loose = true;
                    text.push(c);
                }
                c => text.push(c),
            }
        }
    }

    fn tripled(&mut self) -> Option<(String, bool)> {
        let mut text = String::new();
        while !self.starts("\"\"\"") {
            match self.bump() {
                Some(c) => text.push(c),
                None => return self.peek().is_none().then_some((text, false)),
            }
        }
        for _ in 0..3 {
            self.bump()?;
        }
        Some((text, true))
    }

    fn escaped(&mut self, text: &mut String) {
        let Some(c) = self.bump() else {
            return;
        };
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => {}
            'u' => {
                let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
                if let Ok(code) = u32::from_str_radix(digits, 16) {
                    for _ in 0..4 {
                        self.bump();
                    }
                    text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                }
            }
            c => text.push(c),
        }
    }

    /// Whether a quote just read ends its text: a separator, a closing bracket or the end follows, or the next field
    /// where the comma was forgotten.
    fn ends_here(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut next = rest.char_indices().take(BLANKS);
        match next.find(|(_, c)| !matches!(c, ' ' | '\t')) {
            None | Some((_, ',' | ':' | ';' | '}' | ']' | ')' | '\n' | '=')) => true,
            Some((at, quote @ ('"' | '\''))) if at > 0 => {
                let field = rest.get(at + 1..).unwrap_or_default();
                let mut field = field.char_indices().take(FIELD);
                let end = field
                    .find(|(_, c)| *c == quote)
                    .map(|(i, _)| at + 1 + i + 1);
                let after = end.and_then(|end| rest.get(end..)).unwrap_or_default();
                after.trim_start_matches(' ').starts_with(':')
            }
            Some(_) => false,
        }
    }
}

/// The longest field name that is looked for after a forgotten comma, in characters.
const FIELD: usize = 24;

/// How many blanks are looked through for what follows a quote.
const BLANKS: usize = 200;
