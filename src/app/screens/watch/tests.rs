//! How runs are sorted and found; what keys do to them is tested with news from `tests/it`.

use super::Sort;

#[test]
fn every_sort_is_reached_and_named() {
    let mut sort = Sort::Danger;
    let mut seen = Vec::new();
    for _ in 0..5 {
        assert_eq!(Sort::parse(sort.word()), Some(sort));
        seen.push(sort.word());
        sort = sort.next();
    }
    assert_eq!(seen, ["danger", "task", "agent", "age", "cost"]);
    assert_eq!(sort, Sort::Danger);
    assert_eq!(Sort::parse("size"), None);
}
