//! Rows and words of warnings made by hand.

use super::*;
use crate::safety::ast::Ast;
use crate::safety::monitor::About;
use crate::safety::rule::{Example, Kind};
use crate::safety::verdict::{Instance, MAX_OUTER, RuleIx};
use crate::task::episode::{Part, Shift};

fn rule(id: &str, severity: u8, grade: Grade) -> Arc<Rule> {
    Arc::new(Rule {
        id: id.to_owned(),
        title: "No metal in a running microwave".to_owned(),
        risk: "fire".to_owned(),
        severity,
        grade,
        kind: Kind::Inv,
        needs: Vec::new(),
        formula: Ast::True,
        text: "H !(on(w) & within(m,w))".to_owned(),
        sentence: "A metal object is in the microwave while it is on.".to_owned(),
        sources: Vec::new(),
        remark: String::new(),
        duplicate_of: None,
        bad: Example::default(),
        good: Example::default(),
        place: ("fire.rules".to_owned(), 1),
    })
}

fn instance(nodes: &[u32]) -> Instance {
    let mut tuple = [Ix::NONE; MAX_OUTER];
    for (place, n) in tuple.iter_mut().zip(nodes) {
        *place = Ix(*n);
    }
    Instance {
        rule: RuleIx(0),
        tuple,
    }
}

fn warning(rule: &Arc<Rule>, nodes: &[u32], standing: Standing, since: u32) -> Warning {
    Warning {
        rule: rule.clone(),
        grade: rule.grade,
        instance: instance(nodes),
        bindings: nodes.iter().map(|n| (format!("x{n}"), Ix(*n))).collect(),
        standing,
        since: Pos(since),
        witness: vec![Pos(since)],
        breaks: Vec::new(),
    }
}

fn ids(rows: &[Row]) -> Vec<&str> {
    rows.iter().map(|row| row.rule.id.as_str()).collect()
}

#[test]
fn what_weighs_more_comes_first() {
    let rows = rows(
        &[
            warning(&rule("A1", 4, Grade::Advisory), &[1], Standing::Violated, 1),
            warning(&rule("C1", 2, Grade::Core), &[1], Standing::Violated, 1),
            warning(&rule("C4", 4, Grade::Core), &[1], Standing::Armed, 1),
            warning(
                &rule("D4", 4, Grade::Core),
                &[1],
                Standing::Pending(Some(2)),
                1,
            ),
            warning(
                &rule("E4", 4, Grade::Core),
                &[1],
                Standing::Pending(Some(1)),
                1,
            ),
            warning(&rule("F4", 4, Grade::Core), &[1], Standing::Violated, 1),
            warning(
                &rule("G4", 4, Grade::Core),
                &[1],
                Standing::StandingHazard,
                0,
            ),
            warning(&rule("H4", 4, Grade::Core), &[1], Standing::Idle, 0),
            warning(&rule("I4", 4, Grade::Core), &[1], Standing::Silenced, 0),
        ],
        &BTreeSet::new(),
    );
    assert_eq!(ids(&rows), ["F4", "E4", "D4", "C4", "G4", "C1", "A1"]);
}

#[test]
fn bindings_of_a_rule_share_a_row_and_repeats_stand_behind() {
    let (first, mut second) = (rule("E17", 2, Grade::Core), rule("F02", 3, Grade::Core));
    Arc::make_mut(&mut second).duplicate_of = Some("E17".to_owned());
    let all = [
        warning(&second, &[7], Standing::Armed, 3),
        warning(&first, &[7], Standing::Armed, 3),
        warning(&first, &[8], Standing::Armed, 5),
        warning(&first, &[9], Standing::Violated, 6),
    ];
    let rows = rows(&all, &BTreeSet::new());
    assert_eq!(ids(&rows), ["E17", "E17"], "what is broken has its own row");
    let armed = rows.get(1).unwrap();
    assert_eq!(armed.members, [1, 2]);
    assert_eq!(armed.also, ["F02"]);
    assert_eq!(
        armed.words(),
        "no metal in a running microwave ×2 (also F02)"
    );
    // About other things it speaks for itself.
    let apart = [
        warning(&second, &[3], Standing::Armed, 3),
        warning(&first, &[7], Standing::Armed, 3),
    ];
    assert_eq!(ids(&super::rows(&apart, &BTreeSet::new())), ["F02", "E17"]);
}

#[test]
fn muted_rules_come_last_and_say_so() {
    let all = [
        warning(&rule("A1", 4, Grade::Core), &[1], Standing::Armed, 2),
        warning(&rule("B1", 1, Grade::Advisory), &[1], Standing::Armed, 2),
    ];
    let muted = BTreeSet::from(["A1".to_owned()]);
    let rows = rows(&all, &muted);
    assert_eq!(ids(&rows), ["B1", "A1"]);
    let quiet = rows.get(1).unwrap();
    assert_eq!((quiet.sign().as_str(), quiet.role()), ("–", Role::Dim));
    assert!(quiet.when().contains("d speaks again"));
}

#[test]
fn every_standing_has_its_own_sign_and_word() {
    let all = [
        Standing::Idle,
        Standing::Armed,
        Standing::Pending(Some(2)),
        Standing::Pending(None),
        Standing::Discharged,
        Standing::Violated,
        Standing::StandingHazard,
        Standing::Silenced,
    ];
    let signs: BTreeSet<String> = all.iter().map(|s| sign(*s)).collect();
    let words: BTreeSet<String> = all.iter().map(|s| word(*s)).collect();
    assert_eq!((signs.len(), words.len()), (all.len(), all.len()));
    assert_eq!(sign(Standing::Pending(Some(2))), "◆ 2");
    assert_eq!(sign(Standing::Pending(None)), "◆ end");
    assert_eq!(word(Standing::Pending(Some(1))), "pending, 1 step left");
}

#[test]
fn only_a_core_breach_of_weight_is_grave() {
    let grave = |grade, severity| is_grave(grade, severity);
    assert!(grave(Grade::Core, 4) && grave(Grade::Core, 3));
    assert!(!grave(Grade::Core, 2) && !grave(Grade::Advisory, 4));
}

#[test]
fn a_breach_names_what_holds_already() {
    let part = |words: &str, value, about, since| Part {
        words: words.to_owned(),
        value,
        about,
        nodes: Vec::new(),
        since,
        decides: !value,
    };
    let far = vec![
        part("microwave ON", false, About::Facts, None),
        part("spoon INSIDE microwave", false, About::Facts, None),
    ];
    let near = vec![
        part("microwave ON", false, About::Facts, None),
        part("fork INSIDE microwave", true, About::Facts, Some(Pos(0))),
        part("fork INSIDE microwave", true, About::Facts, Some(Pos(0))),
        part("", true, About::Facts, None),
        part("you GRAB it", true, About::Act, None),
    ];
    let facts = shift::facts(&[far, near]);
    assert_eq!(facts, ["fork INSIDE microwave since s0"]);
    let told = Told {
        instance: instance(&[1, 2]),
        id: "F05".to_owned(),
        severity: 4,
        grade: Grade::Core,
        title: "no metal in a running microwave".to_owned(),
        from: Standing::Armed,
        to: Standing::Violated,
        times: 1,
        facts,
        cures: vec!["grab fork".to_owned()],
    };
    assert!(told.is_breach() && told.is_grave());
    assert_eq!(told.short(), "F05 ◇ → ✗");
    assert_eq!(
        told.plain(),
        "F05 armed → violated, critical core: no metal in a running microwave: fork INSIDE microwave since s0; cure: grab fork"
    );
    let disarmed = Told {
        to: Standing::Idle,
        ..told
    };
    assert!(!disarmed.is_breach());
    assert_eq!(
        (disarmed.short(), disarmed.plain()),
        ("F05 ◇ → ·".to_owned(), "F05 armed → idle".to_owned())
    );
}

#[test]
fn a_step_is_marked_by_what_it_broke() {
    let turn = |rule: &Arc<Rule>, to| Shift {
        rule: rule.clone(),
        grade: rule.grade,
        instance: instance(&[1]),
        from: Standing::Idle,
        to,
    };
    let (f05, p06, a01) = (
        rule("F05", 4, Grade::Core),
        rule("P06", 1, Grade::Core),
        rule("A01", 4, Grade::Advisory),
    );
    let mark = Mark::of(&[
        turn(&p06, Standing::Violated),
        turn(&a01, Standing::Violated),
        turn(&f05, Standing::Violated),
        turn(&f05, Standing::Violated),
        turn(&f05, Standing::Idle),
    ]);
    let ids =
        |list: &[Broken]| -> Vec<String> { list.iter().map(|rule| rule.id.clone()).collect() };
    assert_eq!(ids(&mark.broke), ["F05", "P06"]);
    assert_eq!(ids(&mark.warned), ["A01"], "advice never interrupts");
    assert_eq!(mark.worst().as_deref(), Some("F05 !4"));
    assert!(mark.broke[0].is_grave() && !mark.broke[1].is_grave());
    let mended = Mark::of(&[turn(&a01, Standing::Idle)]);
    assert_eq!(mended, Mark::default());
}
