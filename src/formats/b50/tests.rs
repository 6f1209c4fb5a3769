//! A graph of a small house is built from texts of the packages' shape, and texts that do not fit get a sentence.

use serde_json::{Value, json};

use super::abilities::Abilities;
use super::build::{self, Known};
use super::definition::Definition;
use super::graph::Graph;
use super::prompts::Prompts;
use super::volumes;
use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::sim::behavior::DIALECT;
use crate::sim::scene::Node;
use crate::sim::vocab::{NodeId, State};

const DEFINITION: &str = "(define (problem lunch_0) (:domain igibson)
 (:objects apple.n.01_1 - apple.n.01 carton.n.02_1 - carton.n.02
  table.n.02_1 table.n.02_2 - table.n.02 ; two of them
  knife.n.01_1 - knife.n.01 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
 (:init (ontop apple.n.01_1 table.n.02_1) (not (sliced apple.n.01_1)) (Dusty table.n.02_2)
  (ontop knife.n.01_1 table.n.02_1) (inroom table.n.02_1 kitchen) (inroom floor.n.01_1 kitchen)
  (inroom table.n.02_2 cellar) (onfloor carton.n.02_1 floor.n.01_1)
  (onfloor agent.n.01_1 floor.n.01_1))
 (:goal (and (inside ?apple.n.01_1 ?carton.n.02_1) (not (dusty table.n.02_2)))))";

fn prompts() -> Value {
    let names = [
        ("apple_0", "apple.n.01"),
        ("carton_3", "carton.n.02"),
        ("breakfast_table_7", "table.n.02"),
        ("coffee_table_1", "table.n.02"),
        ("table_knife_0", "knife.n.01"),
        ("room_floor_kitchen_0", "floor.n.01"),
    ];
    let list: Vec<String> = names
        .iter()
        .map(|(n, c)| format!("{{'name': '{n}', 'category': '{c}'}}"))
        .collect();
    let prompt = format!(
        "interactable objects:\n{{'name': 'rag_0', 'category': 'rag.n.01'}}\n\nYour task:\nInput:\n\
         interactable objects:\n{}\n\nOutput:\n",
        list.join("\n")
    );
    json!([{"identifier": "lunch_0_Here", "llm_prompt": prompt}])
}

fn hierarchy() -> Value {
    let class = |name: &str, categories: &[&str], abilities: &[&str]| {
        let abilities: Vec<_> = abilities
            .iter()
            .map(|a| ((*a).to_owned(), json!({})))
            .collect();
        json!({"name": name, "igibson_categories": categories,
               "abilities": abilities.into_iter().collect::<serde_json::Map<_, _>>()})
    };
    json!({"name": "entity.n.01", "igibson_categories": [], "abilities": {}, "children": [
        class("apple.n.01", &["apple", "half_apple"], &["cookable", "sliceable", "perishable"]),
        class("carton.n.02", &["carton"], &["openable", "dustyable"]),
        class("table.n.02", &["breakfast_table", "coffee_table"], &["dustyable"]),
        class("knife.n.01", &["table_knife"], &["slicer"]),
        class("floor.n.01", &["floors"], &["stainable"])]})
}

fn build(
    prompts: &str,
    definition: &str,
    hierarchy: &str,
    task: &str,
) -> Result<Read<Graph>, Diagnostic> {
    let objects = Prompts::read("p.json", prompts.as_bytes())?.objects(task)?;
    build::graph(Known {
        task,
        activity: "lunch",
        objects: &objects,
        definition: &Definition::read("d.bddl", definition.as_bytes())?,
        abilities: &Abilities::read("h.json", hierarchy.as_bytes())?,
    })
}

fn built(definition: &str) -> Result<Read<Graph>, Diagnostic> {
    let (prompts, hierarchy) = (prompts().to_string(), hierarchy().to_string());
    build(&prompts, definition, &hierarchy, "lunch_0_Here")
}

/// The states of the object at a place, then its marks.
fn states(graph: &Graph, at: usize) -> String {
    let node = &graph.scene.nodes()[at];
    let told = node.props.iter().map(|p| {
        if p.0 < DIALECT.published_states {
            let state = State(p.0);
            let name = DIALECT.state_name(state).to_lowercase();
            format!("{name}={}", node.states.has(state))
        } else {
            DIALECT.prop_name(p).to_lowercase()
        }
    });
    told.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_graph_is_built_of_names_definition_and_hierarchy() {
    let (graph, notes) = built(DEFINITION).unwrap();
    assert_eq!(notes, []);
    let name = |id: NodeId| graph.scene.get(id).unwrap().name();
    let names: Vec<String> = graph.scene.nodes().iter().map(Node::name).collect();
    assert_eq!(
        names[1..],
        [
            "apple_0",
            "carton_3",
            "breakfast_table_7",
            "coffee_table_1",
            "table_knife_0",
            "room_floor_kitchen_0",
            "apple_0_part_0",
            "apple_0_part_1",
            "kitchen.9",
            "cellar.10",
        ]
    );
    let told: Vec<String> = (graph.scene.edges().iter())
        .map(|e| {
            format!(
                "{} {} {}",
                name(e.from),
                DIALECT.rel_name(e.rel),
                name(e.to)
            )
        })
        .collect();
    let agent = name(NodeId(0));
    assert_eq!(
        told,
        [
            "apple_0_part_0 PART_OF apple_0",
            "apple_0_part_1 PART_OF apple_0",
            "apple_0 ONTOP breakfast_table_7",
            "table_knife_0 ONTOP breakfast_table_7",
            "carton_3 ONFLOOR room_floor_kitchen_0",
            "breakfast_table_7 ONFLOOR room_floor_kitchen_0",
            "breakfast_table_7 INSIDE kitchen.9",
            "coffee_table_1 INSIDE cellar.10",
            "room_floor_kitchen_0 INSIDE kitchen.9",
            &format!("{agent} INSIDE kitchen.9"),
        ]
    );
    assert_eq!(states(&graph, 1), "cooked=false sliced=false");
    assert_eq!(states(&graph, 2), "dusty=false open=true");
    assert_eq!(states(&graph, 4), "dusty=true");
    assert_eq!(states(&graph, 5), "slicer");
    assert_eq!(states(&graph, 6), "stained=false floor");
    assert_eq!(states(&graph, 7), "cooked=false sliced=false part");
    assert_eq!(
        graph.assumed,
        [
            "(open carton_3)",
            "(onfloor breakfast_table_7 room_floor_kitchen_0)"
        ]
    );
    assert_eq!(
        graph.goal,
        json!([
            ["inside", "?apple.n.01_1", "?carton.n.02_1"],
            ["not", ["dusty", "table.n.02_2"]]
        ])
    );
    let part = &graph.scene.nodes()[7];
    assert_eq!(
        (&*part.class, part.volume, part.category.as_deref()),
        (
            "half_apple",
            volumes::of("apple").map(|v| v / 2.0),
            Some("apple.n.01")
        )
    );
}

#[test]
fn texts_that_do_not_fit_get_a_sentence() {
    let said = |definition: &str| built(definition).unwrap_err().to_string();
    for (from, to, wanted) in [
        (
            " apple.n.01_1 - apple.n.01",
            "",
            "the definition has 5 objects and the prompt 6",
        ),
        (
            "- carton.n.02",
            "- jar.n.01",
            "carton_3 is carton.n.02 in the prompt, and carton.n.02_1 is jar.n.01",
        ),
        (" - agent.n.01)", ")", "agent.n.01_1 has no type"),
        (
            "(ontop knife.n.01_1",
            "(ontop fork.n.01_1",
            "\"fork.n.01_1\" is not among the objects",
        ),
        ("(Dusty table.n.02_2)", "(())", "this is no fact"),
        (
            "(Dusty table.n.02_2)",
            "(dusty (table))",
            "a word is wanted",
        ),
        (":init", ":start", "the part (:init ...) is missing"),
        (":goal", ":aim", "the part (:goal ...) is missing"),
        (
            "(:goal",
            "(:goal (",
            "d.bddl line 1 column 1: this ( is never closed",
        ),
    ] {
        let changed = DEFINITION.replacen(from, to, 1);
        assert_ne!(changed, DEFINITION);
        let said = said(&changed);
        assert!(said.contains(wanted), "{said}");
        assert!(said.contains("; ") && !said.contains('\n'), "{said}");
    }
    let (prompts, hierarchy) = (prompts().to_string(), hierarchy().to_string());
    let said =
        |p: &str, h: &str, task: &str| build(p, DEFINITION, h, task).unwrap_err().to_string();
    for (said, wanted) in [
        (
            said(&prompts, &hierarchy, "supper_0_Here"),
            "there is no prompt of this task",
        ),
        (
            said(&prompts.replace("name", "nam"), &hierarchy, "lunch_0_Here"),
            "no list of interactable objects",
        ),
        (said("[{}]", &hierarchy, "lunch_0_Here"), "p.json"),
        (
            said(
                &prompts,
                &hierarchy.replace("\"carton\"", "\"box\""),
                "lunch_0_Here",
            ),
            "no category \"carton\"",
        ),
        (said(&prompts, "[]", "lunch_0_Here"), "h.json"),
        (
            said(&prompts, &"{\"children\":[".repeat(100_000), "lunch_0_Here"),
            "h.json",
        ),
    ] {
        assert!(said.contains(wanted), "{said}");
        assert!(!said.contains('\n'), "{said}");
    }
}

#[test]
fn what_cannot_be_used_is_told_and_the_rest_is() {
    let fact = DEFINITION.replace("(Dusty table.n.02_2)", "(soaked table.n.02_2)");
    let (graph, notes) = built(&fact).unwrap();
    assert_eq!(states(&graph, 4), "dusty=false");
    let told: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["init: coffee_table_1 cannot be soaked; this fact is left out"]
    );

    let swap = |text: String| text.replace("apple", "quince");
    let (prompts, hierarchy) = (swap(prompts().to_string()), swap(hierarchy().to_string()));
    let definition = swap(DEFINITION.to_owned());
    let (graph, notes) = build(&prompts, &definition, &hierarchy, "lunch_0_Here").unwrap();
    assert_eq!(graph.scene.nodes()[1].volume, Some(volumes::DEFAULT));
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(
        notes[0]
            .message
            .contains("how large things of \"quince\" are"),
        "{notes:?}"
    );
}

proptest::proptest! {
    #[test]
    fn damaged_definitions_never_panic(at in 0..DEFINITION.len(), byte in b' '..b'~') {
        let mut bytes = DEFINITION.as_bytes().to_vec();
        bytes[at] = byte;
        let _ = built(std::str::from_utf8(&bytes).unwrap());
    }
}
