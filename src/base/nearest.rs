//! "Did you mean": the known word nearest to a written one.

/// The known word with the smallest edit distance, if it is close enough to be meant. A very long word means none: it
/// comes from a broken file, and comparing takes time in proportion to its length.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let written: Vec<char> = word.chars().collect();
    let mut rows = Rows::default();
    known
        // Words of so different lengths are never close: comparing them would only cost time.
        .filter(|k| k.len().abs_diff(word.len()) <= most(k.len()))
        .map(|k| (rows.distance(&written, k), k))
        .min()
        .filter(|(d, k)| {
            // Half of the letters have to be meant: `nosuch` is no `couch`.
            let length = k.chars().count().min(word.chars().count());
            *d <= (length / 3).max(1)
        })
        .map(|(_, k)| k)
}

/// How many edits away a word of that length may be.
fn most(length: usize) -> usize {
    2.max(length / 3)
}

/// The longest word that is compared with known ones, in bytes.
const LONGEST: usize = 100;

/// Room for comparing words, reused.
#[derive(Default)]
struct Rows {
    known: Vec<char>,
    older: Vec<usize>,
    old: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// Edits between two words: characters put in, left out, changed, or swapped with their neighbour.
    fn distance(&mut self, a: &[char], b: &str) -> usize {
        let Self {
            known,
            older,
            old,
            row,
        } = self;
        known.clear();
        known.extend(b.chars());
        let b = &*known;
        old.clear();
        old.extend(0..=b.len());
        for (i, &ca) in a.iter().enumerate() {
            row.clear();
            row.push(i + 1);
            for (j, &cb) in b.iter().enumerate() {
                let change = old[j] + usize::from(ca != cb);
                let mut best = change.min(old[j + 1] + 1).min(row[j] + 1);
                if i > 0 && j > 0 && ca == b[j - 1] && cb == a[i - 1] {
                    best = best.min(older[j - 1] + 1);
                }
                row.push(best);
            }
            // The row before the last becomes room for the next one.
            std::mem::swap(older, old);
            std::mem::swap(old, row);
        }
        old.last().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_word_is_one_that_may_be_meant() {
        let near = |word| nearest(word, ["microwave", "table", "oven"].into_iter());
        assert_eq!(near("micrwave"), Some("microwave"));
        assert_eq!(near("talbe"), Some("table"));
        assert_eq!(near("ovens"), Some("oven"));
        assert_eq!(near("refrigerator"), None);
        assert_eq!(near(""), None);
    }
}
