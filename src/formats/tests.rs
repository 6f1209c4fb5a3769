//! The registry of formats, and places inside JSON.

use super::*;

#[test]
fn formats_are_told_apart() {
    let kind = |bytes: &[u8]| sniff(bytes).map(|f| f.id);
    assert_eq!(kind(b"Title\n\n[WALK] <a> (1)\n"), Some("program"));
    assert_eq!(
        kind(b"{\"init_graph\": {}, \"final_graph\": {}}"),
        Some("scene")
    );
    assert_eq!(
        kind(b"{\"a\": {\"nodes\": []}, \"b\": \"vesta_task\"}"),
        None
    );
    for bytes in [&b""[..], b"[", b"{", b"\xff\xfe", b"{\"", b"\"nodes\""] {
        assert_eq!(kind(bytes), None);
    }
    let mut ids: Vec<_> = FORMATS.iter().map(|f| f.id).collect();
    ids.dedup();
    assert_eq!(ids.len(), FORMATS.len());
}

#[test]
fn fields_are_found_by_name() {
    let text = "{\"a\": [1,\n  {\"b\": \"x\\\"],{\", \"c\": []}],\n \"é\": 3, \"d\": 4}";
    for (field, place) in [
        ("a", Some((1, 7))),
        ("a[1]", Some((2, 3))),
        ("a[1].b", Some((2, 9))),
        ("a[1].c", Some((2, 24))),
        ("a[1].c[4]", Some((2, 24))),
        ("a[1].zz", Some((2, 3))),
        ("d", Some((3, 15))),
        ("zz", Some((1, 1))),
    ] {
        assert_eq!(locate(text.as_bytes(), field), place, "{field}");
    }
    assert_eq!(locate(b"", "a"), None);
}

#[test]
fn what_is_no_recording_is_named() {
    let named = |text: &str| told(text.as_bytes()).map(|(what, _)| what);
    let bddl =
        "(define (problem wash-0)\n (:domain omnigibson)\n (:objects plate.n.04_1 - plate.n.04))";
    assert_eq!(named(bddl), Some(BDDL));
    assert_eq!(
        named("; made by hand\n(define (problem p) (:domain d))"),
        Some("PDDL problem")
    );
    assert_eq!(named("(define (domain d))"), Some("PDDL domain"));
    assert_eq!(
        named("[WALK] <milk> (231)\n[GRAB] <milk> (231)\n"),
        Some("VirtualHome program")
    );
    assert_eq!(named("nothing of the kind"), None);
}
