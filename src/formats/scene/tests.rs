//! Reading and writing scenes, and what is said about broken ones.

use proptest::prelude::*;

use super::*;
use crate::sim::scene::Node;
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::{NodeId, Props, Rel, States};

const FLAT: &[u8] = include_bytes!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/assets/scenes/flat.json"
));

fn parts(file: &SceneFile) -> (Vec<Node>, Vec<Edge>, Extra, BTreeMap<Edge, Extra>) {
    let (_, nodes, edges) = file.scene.clone().into_parts();
    (nodes, edges, file.extra.clone(), file.edge_extra.clone())
}

fn must(text: &str) -> SceneFile {
    read(&DIALECT, "a.json", text.as_bytes(), Which::Initial)
        .unwrap()
        .0
}

/// The sentence about a broken scene.
fn fault(text: impl AsRef<[u8]>) -> String {
    read(&DIALECT, "a.json", text.as_ref(), Which::Initial)
        .unwrap_err()
        .to_string()
}

#[test]
fn the_flat_is_read_and_written_whole() {
    let (flat, notes) = read(&DIALECT, "flat.json", FLAT, Which::Initial).unwrap();
    assert_eq!(notes, []);
    assert!(flat.scene.len() >= 220);
    assert_eq!(
        flat.text("title").as_deref(),
        Some("A one-storey family flat with six rooms")
    );
    let text = write(&flat);
    let again = must(&text);
    assert_eq!(parts(&again), parts(&flat));
    assert_eq!(write(&again), text);
    assert_eq!(
        text.lines().count(),
        FLAT.split(|b| *b == b'\n').count() - 1
    );
}

#[test]
fn a_title_is_read_from_the_head_alone() {
    assert_eq!(
        title(FLAT.get(..200).unwrap()).as_deref(),
        Some("A one-storey family flat with six rooms")
    );
    let read = |text: &str| title(text.as_bytes());
    assert_eq!(
        read(r#"{"title": "A \"hut\"", "nodes": [{"id"#).as_deref(),
        Some("A \"hut\"")
    );
    assert_eq!(read(r#"{"nodes": [], "title": "late"}"#), None);
    assert_eq!(read(r#"{"title": 7, "nodes": []}"#), None);
    assert_eq!(read(r#"{"title": "cut"#), None);
    let far = format!("{{\"title\": \"{}\", \"nodes\": []}}", "x".repeat(HEAD));
    assert_eq!(read(&far), None);
}

const TINY: &str = r#"{"vesta_scene": 1, "nodes": [
 {"id": 1, "class_name": "kitchen", "category": "Rooms", "properties": [], "states": []},
 {"id": 2, "class_name": "fridge", "properties": ["can_open"], "states": ["closed", "CLOSED"], "x": {"a" : [1,2]},
  "position": [1, 2.5, -3], "tags": ["cold"], "prefab_name": "F_1"}
], "edges": [ {"from_id": 2, "relation_type": "inside", "to_id": 1, "w": 0.10} ], "note": "kept" }"#;

#[test]
fn names_are_upper_cased_and_unknown_fields_survive() {
    let file = must(TINY);
    let fridge = file.scene.get(NodeId(2)).unwrap();
    assert_eq!(
        fridge.props,
        Props::of(&[DIALECT.property("CAN_OPEN").unwrap()])
    );
    assert_eq!(
        fridge.states,
        States::of(&[DIALECT.state("CLOSED").unwrap()])
    );
    assert_eq!(fridge.bounds, Some(([1.0, 2.5, -3.0], NO_SIZE)));
    assert_eq!(fridge.extra["x"], r#"{"a": [1, 2]}"#);
    let expected = r#"{"vesta_scene": 1,
 "note": "kept",
 "nodes": [
  {"id": 1, "class_name": "kitchen", "category": "Rooms", "properties": [], "states": [], "prefab_name": null, "bounding_box": null},
  {"id": 2, "class_name": "fridge", "category": null, "properties": ["CAN_OPEN"], "states": ["CLOSED"], "prefab_name": "F_1", "bounding_box": null, "tags": ["cold"], "position": [1, 2.5, -3], "x": {"a": [1, 2]}}
 ],
 "edges": [
  {"from_id": 2, "relation_type": "INSIDE", "to_id": 1, "w": 0.10}
 ]
}
"#;
    assert_eq!(write(&file), expected);
}

#[test]
fn one_graph_of_two_is_chosen() {
    let two = r#"{"init_graph": {"nodes": [{"id": 1, "class_name": "a", "properties": [], "states": []}], "edges": []},
      "final_graph": {"nodes": [{"id": 2, "class_name": "b", "properties": [], "states": []}], "edges": []}}"#;
    let class = |which| {
        let (file, _) = read(&DIALECT, "two.json", two.as_bytes(), which).unwrap();
        file.scene.nodes()[0].class.to_string()
    };
    assert_eq!(class(Which::Initial), "a");
    assert_eq!(class(Which::Final), "b");
    assert_eq!(
        fault(two.replace(r#""id": 1"#, r#""id": "1""#)),
        "a.json line 1 column 34: init_graph.nodes[0].id: found string \"1\", expected a whole number"
    );
    let dangling = two.replace(
        r#""edges": []}}"#,
        r#""edges": [{"from_id": 2, "relation_type": "ON", "to_id": 7}]}}"#,
    );
    let d = read(&DIALECT, "a.json", dangling.as_bytes(), Which::Final).unwrap_err();
    assert_eq!(d.field, "final_graph.edges[0].to_id");
    assert_eq!(d.line, Some(2));
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a table of inputs and the sentences about them"
)]
fn every_fault_is_one_sentence() {
    let node = |fields: &str| format!("{{\"nodes\": [\n {{{fields}}}],\n \"edges\": []}}");
    let edge = |fields: &str| {
        format!(
            "{{\"nodes\": [{{\"id\": 1, \"class_name\": \"a\", \"properties\": [], \"states\": []}}],\n \"edges\": [{{{fields}}}]}}"
        )
    };
    let good = "\"id\": 1, \"class_name\": \"a\", \"properties\": [], \"states\": []";
    for (text, sentence) in [
        (
            String::new(),
            "a.json: the file is empty; give a file that was written completely",
        ),
        (
            " \n".into(),
            "a.json: the file is empty; give a file that was written completely",
        ),
        (
            "{\"nodes\": [".into(),
            "a.json line 1 column 11: nodes: the file ends too early; it seems cut off: write or download it again",
        ),
        (
            "[1]".into(),
            "a.json line 1 column 1: found list, expected an object with the fields nodes and edges",
        ),
        (
            "{}".into(),
            "a.json line 1 column 2: the field nodes is missing; add it",
        ),
        (
            "{\"nodes\": []}".into(),
            "a.json line 1 column 13: the field edges is missing; add it",
        ),
        (
            "{\"nodes\": [], \"edges\": []}".into(),
            "a.json line 1 column 11: nodes: the scene has no nodes; add at least a room and a character",
        ),
        (
            "{\"nodes\": 3, \"edges\": []}".into(),
            "a.json line 1 column 11: nodes: found integer `3`, expected a list of nodes",
        ),
        (
            node("\"id\": 1.5"),
            "a.json line 2 column 9: nodes[0].id: found floating point `1.5`, expected a whole number",
        ),
        (
            node("\"id\": 99999999999999999999"),
            "a.json line 2 column 9: nodes[0].id: found floating point `1e+20`, expected a whole number",
        ),
        (
            node("\"id\": 1"),
            "a.json line 2 column 10: nodes[0]: the field class_name is missing; add it",
        ),
        (
            node("\"id\": 1, \"id\": 1"),
            "a.json line 2 column 12: nodes[0].id: the field id stands here twice; remove one of them",
        ),
        (
            node("\"id\": 1, \"class_name\": null"),
            "a.json line 2 column 26: nodes[0].class_name: found null, expected a text in quotes",
        ),
        (
            node(&good.replace("\"states\": []", "\"states\": [\"OPEN\", \"OPNE\"]")),
            "a.json line 2 column 68: nodes[0].states[1]: unknown state \"OPNE\"; did you mean OPEN?",
        ),
        (
            node(&good.replace("\"states\": []", "\"states\": [\"burning\"]")),
            "a.json line 2 column 60: nodes[0].states[0]: unknown state \"burning\"; known are CLOSED, OPEN, ON, OFF, SITTING, DIRTY, CLEAN, LYING, PLUGGED_IN, PLUGGED_OUT",
        ),
        (
            node(&good.replace("\"properties\": []", "\"properties\": [\"GRABABLE\"]")),
            "a.json line 2 column 46: nodes[0].properties[0]: unknown property \"GRABABLE\"; did you mean GRABBABLE?",
        ),
        (
            node(&good.replace("\"states\": []", "\"states\": \"OPEN\"")),
            "a.json line 2 column 59: nodes[0].states: found string \"OPEN\", expected a list of states",
        ),
        (
            node(&format!(
                "{good}, \"bounding_box\": {{\"center\": [1, 2], \"size\": [1, 2, 3]}}"
            )),
            "a.json line 2 column 95: nodes[0].bounding_box.center: found a list of 2, expected a list of 3 numbers",
        ),
        (
            node(&format!("{good}, \"position\": \"here\"")),
            "a.json line 2 column 81: nodes[0]: position is no list of three numbers; write [x, y, z] in metres",
        ),
        (
            node(&format!("{good}}}, {{{good}")),
            "a.json line 2 column 71: nodes[1].id: id 1 is already used by nodes[0]; give every node an id of its own",
        ),
        (
            edge("\"from_id\": 1, \"relation_type\": \"INSIDE\", \"to_id\": 2"),
            "a.json line 2 column 63: edges[0].to_id: no node has id 2; remove the edge or add the node",
        ),
        (
            edge("\"from_id\": 1, \"relation_type\": \"INSIED\", \"to_id\": 1"),
            "a.json line 2 column 44: edges[0].relation_type: unknown relation \"INSIED\"; did you mean INSIDE?",
        ),
        (
            format!("{} x", node(good)),
            "a.json line 3 column 15: something follows the end of the JSON value; keep one value a file",
        ),
        (
            node(good).replace("\"edges\"", "edges"),
            "a.json line 3 column 2: not valid JSON: key must be a string; correct the text there; commas, quotes and brackets are the usual suspects",
        ),
        (
            format!(
                "{{\"vesta_scene\": 2, {}",
                node(good).trim_start_matches('{')
            ),
            "a.json line 1 column 17: vesta_scene: version \"2\" is not known; this program reads version 1; a newer one may read this file",
        ),
    ] {
        assert_eq!(fault(&text), sentence, "{text}");
    }
}

#[test]
fn depth_and_size_do_no_harm() {
    let deep = format!("{{\"x\": {}", "[".repeat(200_000));
    assert!(fault(deep).contains("the file ends too early"));
    let closed = format!(
        "{{\"x\": {}{}, \"nodes\": 1}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(fault(closed).contains("nodes: found integer"));
    let long = format!("{{\"nodes\": [{{\"id\": \"{}\"}}]}}", "x".repeat(100_000));
    assert!(fault(long).len() < 300);
    let name = "x".repeat(3_000_000);
    let named = TINY.replace("\"x\":", &format!("\"{name}\":"));
    assert_eq!(
        read(&DIALECT, "a", named.as_bytes(), Which::Initial)
            .unwrap()
            .1,
        []
    );
    let evil = "{\"nodes\": [{\"id\": 1, \"class_name\": \"a\", \"properties\": [], \"states\": [\"\\u001b[2J\u{202e}\"]}]}";
    assert!(
        !fault(evil).contains(['\u{1b}', '\u{202e}']),
        "{}",
        fault(evil)
    );
}

#[test]
fn what_is_lost_or_odd_is_named() {
    let text = TINY.replace("\"x\":", "\"propertys\":").replace(
        "0.10}",
        "0.10}, {\"from_id\": 2, \"relation_type\": \"INSIDE\", \"to_id\": 1}",
    );
    let (_, notes) = read(&DIALECT, "a.json", text.as_bytes(), Which::Initial).unwrap();
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "a.json line 3 column 109: nodes[1].propertys: this field is not known and only kept; did you mean properties?",
            "a.json: edges: 1 edge stands there twice and counts once; remove the repetition",
        ]
    );
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}",
        any::<String>().prop_filter("a class has a name", |s| !s.is_empty())
    ]
}

fn any_node(id: i64) -> impl Strategy<Value = Node> {
    let number = || prop::num::f64::NORMAL | prop::num::f64::ZERO;
    let vector = move || [number(), number(), number()];
    (
        any_text(),
        prop::option::of(any_text()),
        0_u32..1 << 23,
        0_u16..1 << 10,
        prop::option::of(any_text()),
        prop::option::of((vector(), vector())),
        (prop::option::of(any_text()), prop::option::of(0.0..1e9)),
        prop::collection::vec(any_text(), 0..3),
        prop::collection::btree_map("[A-Z ]{1,4}", "-?[1-9][0-9]{0,30}", 0..3),
    )
        .prop_map(
            move |(
                class,
                category,
                props,
                states,
                prefab,
                bounds,
                (title, volume),
                tags,
                extra,
            )| Node {
                title: title.map(Into::into),
                volume,
                category: category.map(Into::into),
                props: Props(props),
                states: States(states),
                prefab: prefab.map(Into::into),
                bounds,
                tags: tags.into_iter().map(Into::into).collect(),
                extra,
                ..Node::new(id, &class)
            },
        )
}

fn any_scene() -> impl Strategy<Value = SceneFile> {
    prop::collection::btree_set(any::<i64>(), 1..6).prop_flat_map(|ids| {
        let ids: Vec<i64> = ids.into_iter().collect();
        let nodes: Vec<_> = ids.iter().map(|&id| any_node(id)).collect();
        let id = prop::sample::select(ids);
        let edge = (id.clone(), 0_u8..8, id).prop_map(|(from, rel, to)| Edge {
            from: NodeId(from),
            rel: Rel(rel),
            to: NodeId(to),
        });
        let extra = prop::collection::vec(
            ("[A-Z]{1,4}", "(true|\"[a-z\u{e9}]*\"|\\[1, null\\])"),
            0..2,
        );
        (
            nodes,
            prop::collection::vec((edge, extra.clone()), 0..12),
            extra,
        )
            .prop_map(|(nodes, edges, extra)| {
                let edge_extra = edges
                    .iter()
                    .filter(|(_, x)| !x.is_empty())
                    .cloned()
                    .collect();
                let edges = edges.into_iter().map(|(e, _)| e).collect();
                SceneFile {
                    scene: Scene::new(&DIALECT, "x", nodes, edges).unwrap(),
                    extra,
                    edge_extra,
                }
            })
    })
}

proptest! {
    #[test]
    fn written_scenes_read_back_the_same(file in any_scene()) {
        let text = write(&file);
        prop_assert_eq!(parts(&must(&text)), parts(&file));
        prop_assert_eq!(text.lines().count(), file.extra.len() + file.scene.len() + file.scene.edges().len() + 5);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&DIALECT, "x", &bytes, Which::Initial).map_err(|d| d.to_string());
    }

    #[test]
    fn cut_and_damaged_scenes_never_panic(cut in 0_usize..700, at in 0_usize..700, byte in any::<u8>()) {
        let mut bytes = TINY.as_bytes().to_vec();
        if let Some(b) = bytes.get_mut(at) {
            *b = byte;
        }
        bytes.truncate(cut);
        if let Err(d) = read(&DIALECT, "x", &bytes, Which::Initial) {
            prop_assert!(!d.to_string().contains('\n'), "{}", d);
        }
    }
}
