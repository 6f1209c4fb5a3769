//! Program text.

use proptest::prelude::*;

use super::*;

const TEXT: &str = "Wash clothes\nWalk to the kitchen.\n\n\n[WALK] <dining_room> (1.201)\n[PUTIN] <soap> (1.1002) <washing_machine> (1.1001)\n";

#[test]
fn scene_numbers_are_left_out_of_ids() {
    let (program, notes) = read("p.txt", TEXT.as_bytes()).unwrap();
    assert_eq!(notes, []);
    assert_eq!(program.instruction(), "Wash clothes: Walk to the kitchen.");
    assert_eq!(
        program.lines,
        [
            "[WALK] <dining_room> (201)",
            "[PUTIN] <soap> (1002) <washing_machine> (1001)"
        ]
    );
    assert_eq!(write(&program), TEXT.replace("(1.", "("));
    for (line, plain) in [
        ("[WALK] <a> (1.2.3)", "[WALK] <a> (3)"),
        ("[WALK] <a (b.c)> (1.2", "[WALK] <a (b.c)> (1.2"),
        ("[WALK] <a> (x.2)", "[WALK] <a> (x.2)"),
        ("[WALK] <a> (1.)", "[WALK] <a> ()"),
    ] {
        assert_eq!(plain_ids(line), plain);
    }
}

#[test]
fn what_is_no_action_is_named() {
    let fault = |bytes: &[u8]| read("p.txt", bytes).unwrap_err().to_string();
    assert_eq!(
        fault(b""),
        "p.txt: no line is an action; write one action a line, such as [WALK] <kitchen> (11)"
    );
    assert_eq!(fault(b"a\nb\n"), fault(b""));
    assert_eq!(
        fault(b"a\n\xff[x]"),
        "p.txt line 2 column 1: not UTF-8 text; save the file as UTF-8"
    );
    let (_, notes) = read("p.txt", format!("{TEXT}\nand so on\n").as_bytes()).unwrap();
    assert_eq!(
        notes[0].to_string(),
        "p.txt line 8: \"and so on\" is skipped; an action starts with ["
    );
}

proptest! {
    #[test]
    fn written_programs_read_back_the_same(
        title in "[a-z][a-z ]{0,8}[a-z]",
        description in prop::collection::vec("[a-z\u{e9}][a-z .]{0,8}[a-z]", 0..3),
        lines in prop::collection::vec("\\[[A-Z]{1,5}\\]( <[a-z_]{1,5}> \\([0-9]{1,4}\\)){0,2}", 1..5),
    ) {
        let program = Program { title, description, lines };
        let (again, notes) = read("p", write(&program).as_bytes()).unwrap();
        prop_assert_eq!(notes, vec![]);
        prop_assert_eq!(again, program);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read("x", &bytes).map_err(|d| d.to_string());
    }
}
