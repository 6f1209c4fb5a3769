//! "Did you mean": the known word nearest to a written one.

/// The known word with the smallest edit distance, if it is close enough to be meant. A very long word means none: it
/// comes from a broken file, and comparing takes time in proportion to its length.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    known
        .map(|k| (distance(word, k), k))
        .min()
        .filter(|(d, k)| {
            // Half of the letters have to be meant: `nosuch` is no `couch`.
            let length = k.chars().count().min(word.chars().count());
            *d <= (length / 3).max(1)
        })
        .map(|(_, k)| k)
}

/// The longest word that is compared with known ones, in bytes.
const LONGEST: usize = 100;

/// Edits between two words: characters put in, left out, changed, or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut older = Vec::new();
    let mut old: Vec<usize> = (0..=b.len()).collect();
    for (i, &ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &cb) in b.iter().enumerate() {
            let change = old[j] + usize::from(ca != cb);
            let mut best = change.min(old[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && ca == b[j - 1] && cb == a[i - 1] {
                best = best.min(older[j - 1] + 1);
            }
            row.push(best);
        }
        older = std::mem::replace(&mut old, row);
    }
    old.last().copied().unwrap_or(0)
}
