//! The tree's rows, folds, pins, filter and cursor on the test scene.

use super::*;
use crate::sim::testing::{act, acts, timeline};
use crate::sim::timeline::Timeline;
use crate::sim::vocab::NodeId;

fn text(tree: &SceneTree, t: &Timeline) -> String {
    let world = t.world();
    let mut out = String::new();
    for (i, row) in tree.rows().iter().enumerate() {
        let v = tree.view(world, row);
        let cursor = if i == tree.cursor() { '>' } else { ' ' };
        let mark = v.mark.map_or(' ', |m| m.glyph().sign);
        let indent = "  ".repeat(v.depth);
        let line = format!(
            "{cursor}{mark}{indent}{} {} {} {}",
            v.glyph.sign, v.name, v.states, v.note
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn step(tree: &mut SceneTree, t: &mut Timeline, name: &str, ids: &[i64]) {
    act(t, name, ids).unwrap();
    let changes = t.changes_here();
    tree.refresh(t.world(), &changes);
}

fn node(t: &Timeline, id: i64) -> Ix {
    t.world().scene().find(NodeId(id)).unwrap()
}

#[test]
fn rooms_hold_things_and_what_is_in_reach_comes_first() {
    let mut t = timeline();
    let mut tree = SceneTree::new(t.world());
    insta::assert_snapshot!(text(&tree, &t));
    step(&mut tree, &mut t, "WALK", &[21]);
    step(&mut tree, &mut t, "OPEN", &[21]);
    insta::assert_snapshot!(text(&tree, &t));
    step(&mut tree, &mut t, "GRAB", &[32]);
    insta::assert_snapshot!(text(&tree, &t));
}

#[test]
fn the_cursor_stays_on_its_item() {
    let mut t = timeline();
    let mut tree = SceneTree::new(t.world());
    let milk = node(&t, 32);
    tree.show(t.world(), milk);
    assert_eq!(tree.node(), Some(milk));
    for (name, id) in [("WALK", 21), ("OPEN", 21), ("GRAB", 32), ("WALK", 26)] {
        step(&mut tree, &mut t, name, &[id]);
        assert_eq!(tree.node(), Some(milk), "{name}");
    }
    // Folding what holds it leaves the cursor on what holds it.
    assert!(tree.run("fold", t.world(), 10));
    assert_eq!(tree.node(), Some(t.world().me()));
    tree.run("fold", t.world(), 10);
    assert_eq!(tree.node(), Some(t.world().me()));
    tree.run("unfold", t.world(), 10);
    tree.run("unfold", t.world(), 10);
    assert_eq!(tree.node(), Some(milk));
}

#[test]
fn pins_and_filters_say_where_a_thing_is() {
    let mut t = timeline();
    let mut tree = SceneTree::new(t.world());
    let apple = node(&t, 31);
    tree.show(t.world(), apple);
    tree.run("pin", t.world(), 10);
    assert_eq!(tree.node(), Some(apple));
    step(&mut tree, &mut t, "WALK", &[20]);
    insta::assert_snapshot!(text(&tree, &t));
    tree.narrow(t.world(), "property:CAN_OPEN !micro");
    insta::assert_snapshot!(text(&tree, &t));
    tree.narrow(t.world(), "state:open in:kitchen");
    assert_eq!(tree.rows().len(), 1);
    tree.run("unfold", t.world(), 10);
    assert_eq!((tree.filter(), tree.node()), ("", Some(node(&t, 22))));
    tree.narrow(t.world(), "nothing like it");
    assert_eq!((tree.rows().len(), tree.node()), (0, None));
    tree.run("unfold", t.world(), 10);
    tree.run("pin", t.world(), 10);
}

#[test]
fn everything_can_be_unfolded_and_nothing_is_lost_or_shown_twice() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[21]), ("OPEN", &[21])]);
    let mut tree = SceneTree::new(t.world());
    for ix in t.world().scene().indices() {
        tree.show(t.world(), ix);
        assert_eq!(tree.node(), Some(ix));
    }
    let mut at = 0;
    while at < tree.rows().len() {
        tree.list.cursor = at;
        tree.run("unfold-all", t.world(), 10);
        at += 1;
    }
    let mut shown: Vec<Ix> = tree
        .rows()
        .iter()
        .filter_map(|r| match r.item {
            Item::Node(ix) => Some(ix),
            _ => None,
        })
        .collect();
    shown.sort_unstable();
    let all: Vec<Ix> = t.world().scene().indices().collect();
    assert_eq!(shown, all);
}

#[test]
fn containers_that_contain_each_other_are_shown_all_the_same() {
    use crate::sim::scene::{Edge, Node, Scene};
    use crate::sim::virtualhome::DIALECT;
    use crate::sim::vocab::Profile;
    let mut room = Node::new(1, "room");
    room.category = Some("Rooms".into());
    let nodes = vec![
        room,
        Node::new(2, "character"),
        Node::new(3, "box"),
        Node::new(4, "bag"),
        Node::new(5, "self"),
    ];
    let edge = |from, rel: &str, to| Edge {
        from: NodeId(from),
        rel: DIALECT.relation(rel).unwrap(),
        to: NodeId(to),
    };
    let edges = vec![
        edge(2, "INSIDE", 1),
        edge(3, "INSIDE", 4),
        edge(4, "ON", 3),
        edge(5, "INSIDE", 5),
    ];
    let scene = std::sync::Arc::new(Scene::new(&DIALECT, "cycle", nodes, edges).unwrap());
    let world = World::new(&scene, Profile::Eai).unwrap();
    let mut tree = SceneTree::new(&world);
    for ix in scene.indices() {
        tree.show(&world, ix);
        assert_eq!(tree.node(), Some(ix));
    }
}
