//! A look at the beginning and the end of a file, to tell what it is. Endings of names are never asked.

/// How much of the beginning is looked at, in bytes.
const HEAD: usize = 64 << 10;

/// How much of the end.
const TAIL: usize = 4 << 10;

/// What kind of JSON value the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Object,
    List,
    Other,
}

/// What was seen.
#[derive(Debug)]
pub(super) struct Peek<'b> {
    pub(super) shape: Shape,
    /// The fields of the object, as far as the beginning shows them.
    pub(super) keys: Vec<String>,
    /// The fields of the list's first object.
    pub(super) inner: Vec<String>,
    head: &'b [u8],
    tail: &'b [u8],
}

impl<'b> Peek<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        let bytes = crate::formats::without_mark(bytes).trim_ascii_start();
        let head = bytes.get(..HEAD).unwrap_or(bytes);
        let tail = bytes
            .get(bytes.len().saturating_sub(TAIL)..)
            .unwrap_or_default();
        let shape = match head.first() {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::List,
            _ => Shape::Other,
        };
        let (mut keys, mut inner) = (Vec::new(), Vec::new());
        if shape != Shape::Other {
            walk(head, |depth, key| match (shape, depth) {
                (Shape::Object, 1) => keys.push(key),
                (Shape::List, 2) => inner.push(key),
                _ => {}
            });
        }
        Self {
            shape,
            keys,
            inner,
            head,
            tail,
        }
    }

    /// Whether a field of that name stands anywhere in the beginning or at the end.
    pub(super) fn has(&self, name: &str) -> bool {
        let word = format!("\"{name}\"");
        self.says(&word)
    }

    /// Whether the object has that field on its first level, as far as was looked.
    pub(super) fn top(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key == name)
    }

    /// Whether a text stands anywhere in the beginning or at the end.
    pub(super) fn says(&self, text: &str) -> bool {
        let word = text.as_bytes();
        let within = |part: &[u8]| part.windows(word.len().max(1)).any(|w| w == word);
        within(self.head) || within(self.tail)
    }

    /// The beginning as text; what is cut in the middle of a character ends before it.
    pub(super) fn text(&self) -> &'b str {
        match std::str::from_utf8(self.head) {
            Ok(text) => text,
            Err(e) => std::str::from_utf8(self.head.get(..e.valid_up_to()).unwrap_or_default())
                .unwrap_or_default(),
        }
    }
}

/// Calls for every key with its depth, the outermost brackets being 1.
fn walk(bytes: &[u8], mut key: impl FnMut(usize, String)) {
    let (mut depth, mut i) = (0_usize, 0_usize);
    let mut last: Option<(usize, usize)> = None;
    while let Some(&b) = bytes.get(i) {
        match b {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = i + 1;
                i = start;
                while let Some(&b) = bytes.get(i) {
                    match b {
                        b'"' => break,
                        b'\\' => i += 2,
                        _ => i += 1,
                    }
                }
                last = Some((start, i));
            }
            b':' => {
                if let Some((from, to)) = last.take() {
                    let name = bytes.get(from..to).unwrap_or_default();
                    key(depth, String::from_utf8_lossy(name).into_owned());
                }
            }
            b',' => last = None,
            _ => {}
        }
        i += 1;
    }
}
