//! Files of typed plans: what is read, what is refused and in which words.

use super::again::{Again, again, played};
use super::weigh::{Differs, Weighed, differences, fronts};
use super::{MOST_ACTIONS, MOST_PLANS, Reader, TypedArena, read, sniff};
use crate::arena::advplan::traces::{plan_lines, plans, replay};
use crate::arena::frontier::pareto::Standing;

const HEAD: &str = r#"{"vesta_arena":1,"kind":"advplan","scenario":"a bridge"}"#;

const ASSET: &str = r#"{"asset":{"asset_id":"a","asset_type":"infantry","force":"blue","location":[1,2],"capability_score":0.5}}"#;

const PLAN: &str = r#"{"id":"B1","quality":0.25,"alignment":0.9,"plan":{"coa_id":"9f","force":"blue","actions":[{"action_type":"recon","category":"intelligence","asset_id":"a","priority":1}],"chain":[{"step_index":0,"action":{"action_type":"recon","asset_id":"a"},"depends_on":[]},{"step_index":1,"branch":{"condition":"clear","true_actions":[{"action_type":"strike","asset_id":"a","expected_duration_s":60}],"false_actions":[]},"depends_on":[0]},{"step_index":2,"action":{"action_type":"hold","asset_id":"a"},"depends_on":[1]}],"objective":"hold the bridge","quality_score":0.25}}"#;

fn whole() -> String {
    format!("{HEAD}\n{ASSET}\n{PLAN}\n")
}

fn good(text: &str) -> TypedArena {
    read("a.jsonl", text.as_bytes()).unwrap()
}

fn fault(text: &str) -> String {
    read("a.jsonl", text.as_bytes()).unwrap_err().to_string()
}

/// The whole file with one place changed; the place must be there.
fn swap(from: &str, to: &str) -> String {
    let whole = whole();
    assert!(whole.contains(from), "{from}");
    whole.replacen(from, to, 1)
}

#[test]
fn what_the_benchmark_writes_comes_back_whole_and_agrees() {
    let played = replay("urban-100").unwrap();
    let arena = good(&plan_lines(&played));
    let ours = plans(&played);
    assert!(!arena.headed);
    assert_eq!(arena.plans.len(), ours.len());
    for (entry, (id, plan)) in arena.plans.iter().zip(ours) {
        assert_eq!((&entry.id, &entry.plan), (&id, plan));
        assert_eq!(differences(entry, &Weighed::of(&entry.plan)), []);
    }
    assert!(again(&arena).iter().all(|a| *a == Again::Same));
}

#[test]
fn an_altered_plan_is_told_from_the_one_its_id_makes() {
    let lines = plan_lines(&replay("urban-100").unwrap());
    let arena = good(&lines.replacen("\"priority\":1", "\"priority\":9", 1));
    assert_eq!(again(&arena)[0], Again::Other(vec!["actions"]));
    assert_eq!(again(&arena)[1], Again::Same);
    let arena = good(&lines.replacen("urban-100/blue/0", "urban-100/blue/99", 1));
    assert_eq!(again(&arena)[0], Again::Unknown);
}

#[test]
fn the_scenarios_of_a_file_are_played_again_in_its_order() {
    let lines = |id: &str| plan_lines(&replay(id).unwrap());
    let text = lines("urban-100") + &lines("maritime-101");
    let text = text.replacen("\"alignment\":1.0", "\"alignment\":\"NaN\"", 1);
    let all = played(&good(&text)).unwrap();
    let ids = all.study.played.iter();
    let ids: Vec<&str> = ids.map(|p| &*p.scenario.profile.scenario_id).collect();
    assert_eq!(ids, ["urban-100", "maritime-101"]);
    assert_eq!(all.equal[0], ("urban-100".to_owned(), 54, 55));
    assert_eq!(all.equal[1].1, all.equal[1].2);
    assert_eq!(
        all.differences,
        [(
            "urban-100/blue/0".to_owned(),
            "alignment: the file says NaN, computed 1".to_owned()
        )]
    );
    assert!(played(&good(&whole())).unwrap_err().contains("its own"));
    assert!(
        played(&good(PLAN))
            .unwrap_err()
            .contains("no id in this file")
    );
}

#[test]
fn a_file_of_its_own_has_head_assets_and_defaults() {
    let arena = good(&whole());
    assert_eq!((arena.headed, &*arena.scenario), (true, "a bridge"));
    assert!((arena.assets[0].capability_score - 0.5).abs() < 1e-12);
    let plan = &arena.plans[0].plan;
    assert_eq!(plan.domain, "military");
    assert_eq!(plan.chain[2].depends_on, [1]);
    let action = &plan.chain[0].action.as_ref().unwrap();
    assert_eq!(
        (
            action.category.name(),
            action.priority,
            action.expected_duration_s
        ),
        ("kinetic", 1, 60.0)
    );
}

#[test]
fn what_a_file_says_wrongly_is_kept_and_told() {
    let arena = good(&whole());
    let said = &arena.plans[0];
    let ours = Weighed::of(&said.plan);
    let wanted = Differs {
        name: "alignment",
        said: 0.9,
        ours: ours.get("alignment"),
    };
    assert_eq!(differences(said, &ours), [wanted]);
}

#[test]
fn scores_that_are_not_finite_are_kept() {
    for (word, check) in [
        ("NaN", f64::is_nan as fn(f64) -> bool),
        ("Infinity", |x| x == f64::INFINITY),
        ("-Infinity", |x| x == f64::NEG_INFINITY),
    ] {
        let text = whole().replace("0.25", &format!("\"{word}\""));
        let arena = good(&text);
        let entry = &arena.plans[0];
        assert!(check(entry.plan.quality_score), "{word}");
        assert!(check(entry.said[0].1), "{word}");
        let ours = Weighed::of(&entry.plan);
        assert!(check(ours.get("payoff")), "{word}");
        assert!(ours.get("alignment").is_finite());
        // Said and computed agree, however little of a number they are.
        assert!(
            differences(entry, &ours)
                .iter()
                .all(|d| d.name == "alignment")
        );
        assert_eq!(fronts(&arena, &[ours]), [Standing::Unscored]);
    }
}

#[test]
fn fronts_are_of_a_side_and_a_scenario() {
    let plan = |id: &str, force: &str, q: &str| {
        PLAN.replace("\"B1\"", &format!("\"{id}\""))
            .replace("\"force\":\"blue\"", &format!("\"force\":\"{force}\""))
            .replace("0.25", q)
    };
    let lines = [
        plan("s/1", "blue", "0.2"),
        plan("s/2", "blue", "0.3"),
        plan("s/3", "red", "0.1"),
        plan("t/1", "blue", "0.1"),
    ];
    let standing = |text: &str| {
        let arena = good(text);
        let ours: Vec<Weighed> = arena.plans.iter().map(|e| Weighed::of(&e.plan)).collect();
        fronts(&arena, &ours)
    };
    let text = lines.join("\n");
    assert_eq!(
        standing(&text),
        [
            Standing::Dominated(1),
            Standing::Front,
            Standing::Front,
            Standing::Front
        ]
    );
    let text = format!("{HEAD}\n{text}");
    assert_eq!(
        standing(&text),
        [
            Standing::Dominated(1),
            Standing::Front,
            Standing::Front,
            Standing::Dominated(1)
        ]
    );
}

/// Wrong texts, and what is said of each.
#[expect(clippy::too_many_lines, reason = "a table, a row a text")]
fn wrongs() -> Vec<(String, &'static str)> {
    let twice = format!("{}{PLAN}\n", whole());
    vec![
        (String::new(), "a.jsonl: the file is empty"),
        (" \n\n".to_owned(), "a.jsonl: the file is empty"),
        (HEAD.to_owned(), "a.jsonl: the arena has no plan"),
        ("[]".to_owned(), "a.jsonl line 1"),
        (
            swap("\"vesta_arena\":1", "\"vesta_arena\":9"),
            "a.jsonl line 1: vesta_arena: version 9 is not known",
        ),
        (swap("\"vesta_arena\":1,", ""), "a.jsonl line 1 column"),
        (
            swap("advplan", "chess"),
            "a.jsonl line 1: kind: \"chess\" is no kind of arena",
        ),
        (
            swap(
                "\"category\":\"intelligence\"",
                "\"category\":\"\\u001b[2J\"",
            ),
            "a.jsonl line 3: plan.actions[0].category: \"\\u{1b}[2J\" is no category; use one of kinetic, cyber,",
        ),
        (
            swap("\"depends_on\":[1]", "\"depends_on\":[1,7]"),
            "line 3: plan.chain[2].depends_on[1]: no step has the number 7",
        ),
        (
            swap("\"depends_on\":[]", "\"depends_on\":[2]"),
            "line 3: plan.chain[0].depends_on: the steps wait for each other: 0 → 2 → 1 → 0",
        ),
        (
            swap("\"depends_on\":[1]", "\"depends_on\":[2]"),
            "plan.chain[2].depends_on: the steps wait for each other: 2 → 2",
        ),
        (
            swap("\"depends_on\":[1]", "\"depends_on\":[-1]"),
            "a.jsonl line 3 column",
        ),
        (
            swap("\"step_index\":2", "\"step_index\":1"),
            "plan.chain[2].step_index: chain[1] has the number 1 as well",
        ),
        (
            swap(",\"false_actions\":[]", ""),
            "the field false_actions is missing",
        ),
        (
            swap(
                r#"[{"action_type":"strike","asset_id":"a","expected_duration_s":60}]"#,
                "[]",
            ),
            "plan.chain[1].branch.true_actions: the branch does nothing",
        ),
        (
            swap(r#""action":{"action_type":"hold","asset_id":"a"},"#, ""),
            "plan.chain[2].action: the step has neither an action nor a branch",
        ),
        (twice, "a.jsonl line 4: id: \"B1\" stands on line 3 already"),
        (
            format!("{}{ASSET}", whole()),
            "a.jsonl line 4: asset.asset_id: \"a\" stands on line 2 already",
        ),
        (
            swap("0.5", "1.0000000000000002"),
            "a.jsonl line 2: asset.capability_score: 1.0000000000000002 is not between 0 and 1",
        ),
        (swap("0.5", "-0.1"), "asset.capability_score: -0.1 is not"),
        (
            swap("\"quality_score\":0.25", "\"quality_score\":1.5"),
            "plan.quality_score: 1.5 is not between -1 and 1",
        ),
        (
            swap("\"quality_score\":0.25", "\"quality_score\":1e999"),
            "a.jsonl line 3 column",
        ),
        (
            swap("\"quality_score\":0.25", "\"quality_score\":NaN"),
            "NaN without quotes is no JSON; write \"NaN\" in quotes",
        ),
        (
            swap("\"alignment\":0.9", "\"alignment\":-Infinity"),
            "-Infinity without quotes is no JSON",
        ),
        (
            swap("\"quality_score\":0.25", "\"quality_score\":null"),
            "a score is a number",
        ),
        (
            swap("\"priority\":1", "\"priority\":0"),
            "plan.actions[0].priority: 0 is no whole number from 1 to 10",
        ),
        (
            swap("\"priority\":1", "\"priority\":2.5"),
            "priority: 2.5 is",
        ),
        (
            swap("\"expected_duration_s\":60", "\"expected_duration_s\":-60"),
            "plan.chain[1].branch.true_actions[0].expected_duration_s: -60 is below 0",
        ),
        (
            swap(
                "\"force\":\"blue\",\"actions\"",
                "\"force\":\"green\",\"actions\"",
            ),
            "plan.force: \"green\" is no side",
        ),
        (
            swap("\"id\":\"B1\",", ""),
            "a.jsonl line 3: id: the plan has no id",
        ),
        (swap("\"id\":\"B1\"", "\"id\":\" \""), "id: the id is empty"),
        (
            swap(
                "\"id\":\"B1\"",
                &format!("\"id\":\"{}\"", "x".repeat(1_000_000)),
            ),
            "id: the id is longer than 200 characters",
        ),
        (
            swap("\"alignment\":0.9", "\"rubric\":{\"luck\":1}"),
            "rubric: \"luck\" is no term of the rubric",
        ),
        (swap("\"alignment\"", "\"allignment\""), "unknown field"),
        (
            swap("\"id\":\"B1\"", "\"id\":\"B1\",\"id\":\"B2\""),
            "the field id stands here twice",
        ),
        (whole().replace('}', ""), "a.jsonl line 1"),
        (
            format!("{HEAD}\n{{\"id\":{}", "[".repeat(100_000)),
            "a.jsonl line 2",
        ),
    ]
}

#[test]
fn what_is_wrong_is_told_with_line_and_field() {
    for (text, wanted) in wrongs() {
        let said = fault(&text);
        assert!(said.contains(wanted), "{said}\nlacks {wanted}");
        assert!(!said.contains('\u{1b}') && !said.contains('\n'), "{said:?}");
        assert!(said.len() < 600, "{}", said.len());
    }
}

#[test]
fn a_long_circle_is_found_and_told_in_few_words() {
    let n = MOST_ACTIONS;
    let steps: Vec<String> = (0..n)
        .map(|i| {
            let to = (i + 1) % n;
            format!(
                r#"{{"step_index":{i},"action":{{"action_type":"x","asset_id":"a"}},"depends_on":[{to}]}}"#
            )
        })
        .collect();
    let long = |steps: &[String]| {
        format!(
            r#"{{"id":"B1","plan":{{"force":"blue","actions":[],"objective":"","quality_score":0,"chain":[{}]}}}}"#,
            steps.join(",")
        )
    };
    let said = fault(&long(&steps));
    assert!(said.contains("0 → 1 → 2 → 3 →"), "{said}");
    assert!(said.contains("… (10000 steps) → 0"), "{said}");
    // The last step waits for none: a long chain is no circle.
    let open = long(&steps).replace("\"depends_on\":[0]", "\"depends_on\":[]");
    assert_eq!(good(&open).plans[0].plan.chain.len(), n);
    let mut more = steps;
    more.push(more[0].clone());
    assert!(fault(&long(&more)).contains("at most 10000 actions"));
}

#[test]
fn a_million_plans_are_too_many_and_that_is_said_at_the_first_too_many() {
    let mut reader = Reader::default();
    let refused = (0..1_000_000).find_map(|i| {
        let line = format!(
            r#"{{"id":"{i}","plan":{{"force":"red","actions":[],"chain":[],"objective":"","quality_score":0}}}}"#
        );
        reader.line(line.as_bytes()).err()
    });
    let refused = refused.unwrap();
    assert_eq!(refused.line, Some(MOST_PLANS as u32 + 1));
    assert!(
        refused
            .to_string()
            .contains("an arena holds at most 100000 plans")
    );
}

#[test]
fn any_bytes_are_read_or_refused() {
    let text = whole().into_bytes();
    for i in 0..text.len() {
        for byte in [0, b'"', b'}', b'9', 0xff] {
            let mut bytes = text.clone();
            bytes[i] = byte;
            let _ = read("a.jsonl", &bytes);
        }
        let _ = read("a.jsonl", &text[..i]);
    }
    let ends = whole().replace('\n', "\r\n");
    assert_eq!(good(&format!("\u{feff}{ends}")).plans.len(), 1);
}

#[test]
fn typed_arenas_are_told_from_others_by_their_first_line() {
    assert!(sniff(HEAD.as_bytes()));
    assert!(sniff(PLAN.as_bytes()));
    assert!(sniff(br#"{"vesta_arena":9,"kind":"chess"}"#));
    let house = br#"{"vesta_arena":1,"suite":"vh","task":"V022","profile":"strict","settings":{}}"#;
    for other in [&house[..], b"", b"[1]", b"{", b"\xff"] {
        assert!(!sniff(other));
    }
}
