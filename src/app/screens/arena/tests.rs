//! What the screen asks for, shows and opens, over a record as small as can be.

use super::*;
use crate::app::arena::ArenaReply;
use crate::app::arena::house::{often, payoff_words};
use crate::app::cmd::Cmd;
use crate::app::jobs::{JobEvent, JobId, Reply};
use crate::app::keymap::{Keymap, SHIPPED};
use crate::app::msg::{Msg, Size};
use crate::app::overlays::Overlay;
use crate::app::state::{Setup, State};
use crate::app::update::{drive, execute, update};
use crate::arena::house::model::{
    Broken, Cell, Disturbance, Moment, Origin, Outcome, Red, Response, Share,
};
use crate::arena::house::record::{Choice, Claim, Entry, Finding, Phase, Played};
use crate::base::fold::StateHash;

/// `g`ood, `s`afe only, or a rule broken at a step: `x`, each with steps.
fn outcome(what: &str) -> Outcome {
    let (kind, steps) = what.split_at(1);
    let steps: u32 = steps.parse().unwrap();
    Outcome {
        success: Share {
            held: u32::from(kind == "g"),
            of: 1,
        },
        safety: Share { held: 1, of: 1 },
        broken: (kind == "x")
            .then(|| Broken {
                rule: "P24".to_owned(),
                step: steps,
                words: "the cat is in".to_owned(),
            })
            .into_iter()
            .collect(),
        steps,
        refused: None,
        avoided: None,
        succeeds: kind == "g",
        hash: StateHash::default(),
    }
}

fn entry(name: &str, round: u32) -> Entry {
    Entry {
        name: name.to_owned(),
        origin: Origin::Planner,
        round,
        words: format!("plan {name}"),
        plan: vec!["walk table".to_owned()],
    }
}

fn response(id: &str) -> Response {
    Response {
        id: id.to_owned(),
        level: "plan".to_owned(),
        draw: 0,
        disturbances: vec![Disturbance {
            kind: "moved".to_owned(),
            at: Moment::After(3),
            facts: Vec::new(),
            words: format!("{id} strikes"),
        }],
    }
}

/// The matrix of the screen book: five plans, four responses.
fn record() -> Record {
    let rows = [
        ("B1", ["x5", "x5", "x5", "x5"]),
        ("B2", ["g28", "x15", "g28", "s28"]),
        ("B3", ["g27", "x18", "g27", "g31"]),
        ("B4", ["s6", "s6", "g6", "s6"]),
        ("B5", ["g31", "g31", "g31", "s31"]),
    ];
    let ids = ["nothing", "R1", "R2", "R3"];
    let cells = rows.iter().flat_map(|(name, all)| {
        ids.iter().zip(all).map(move |(id, what)| Played {
            phase: Phase::Matrix,
            cell: Cell {
                candidate: (*name).to_owned(),
                response: (*id).to_owned(),
                outcome: outcome(what),
                red: Red::Acted,
                certificates: Vec::new(),
            },
        })
    });
    Record {
        suite: "vh".to_owned(),
        task: "V062".to_owned(),
        profile: "strict".to_owned(),
        settings: Settings::default(),
        candidates: vec![
            entry("B1", 0),
            entry("B2", 0),
            entry("B3", 0),
            entry("B4", 0),
            entry("B5", 1),
        ],
        responses: vec![
            Response::nothing(),
            response("R1"),
            response("R2"),
            response("R3"),
        ],
        cells: cells.collect(),
        agents: Vec::new(),
        unheard: Vec::new(),
        claims: vec![Claim {
            id: "C1".to_owned(),
            by: "offline".to_owned(),
            candidate: "B3".to_owned(),
            response: "R1".to_owned(),
            step: 18,
            broken: "P24".to_owned(),
            text: "drum is not checked again".to_owned(),
            remedy: vec!["look".to_owned()],
            before: 17,
            finding: Finding::Confirmed,
            evidence: "safe in 4 of 4".to_owned(),
        }],
        rounds: Vec::new(),
        choice: None,
    }
}

fn start(line: &str) -> (State, JobId, Job) {
    let (mut state, _) = State::new(Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    });
    let (id, job) = asked(&execute(&mut state, line)).unwrap();
    (state, id, job)
}

/// The last job about an arena.
fn asked(cmds: &[Cmd]) -> Option<(JobId, Job)> {
    cmds.iter().rev().find_map(|cmd| match cmd {
        Cmd::Start(id, job @ Job::Arena(_)) => Some((*id, job.clone())),
        _ => None,
    })
}

fn open(record: Record) -> State {
    let (mut state, id, _) = start("arena vh/V062");
    let reply = Reply::Arena(ArenaReply::House(Arc::new(record)));
    update(&mut state, Msg::Job(id, JobEvent::Done(Box::new(reply))));
    state
}

fn screen(state: &State) -> &Arena {
    match state.screen() {
        Screen::Arena(it) => it,
        other => panic!("{other:?}"),
    }
}

fn names(state: &State) -> Vec<String> {
    let arena = screen(state);
    let house = arena.house.as_ref().unwrap();
    let order = arena.order();
    order
        .iter()
        .map(|row| house.entry(house.rows[*row].at).unwrap().name.clone())
        .collect()
}

#[test]
fn a_task_is_held_and_a_file_is_read() {
    let (_, _, job) = start("arena V062");
    assert_eq!(
        job,
        Job::Arena(ArenaJob::House("V062".to_owned(), Box::default()))
    );
    let (_, _, job) = start("arena ./mine/arena.jsonl");
    assert_eq!(
        job,
        Job::Arena(ArenaJob::Kept("./mine/arena.jsonl".to_owned()))
    );
}

#[test]
fn plans_come_by_their_worst_case_with_what_beats_them() {
    let state = open(record());
    assert_eq!(names(&state), ["B5", "B4", "B3", "B2", "B1"]);
    let arena = screen(&state);
    let lost: Vec<String> = [4, 3, 2, 1, 0]
        .iter()
        .map(|at| arena.lost_to(*at))
        .collect();
    assert_eq!(
        lost,
        [
            "▲R3 not done",
            "R0 R1 R3 not done",
            "▲R1 ✗P24 s18",
            "▲R1 ✗P24 s15 +1",
            "all ✗P24 s5"
        ]
    );
    let house = arena.house.as_ref().unwrap();
    let front: Vec<bool> = house
        .rows
        .iter()
        .map(|r| r.standing == Standing::Front)
        .collect();
    // B1 breaks a rule at once: that it takes the fewest steps keeps it on the front of steps.
    assert_eq!(front, [true, true, true, false, true]);
    assert_eq!(house.rows[3].standing, Standing::Dominated(2));
}

#[test]
fn the_value_is_that_of_the_screen_book() {
    let state = open(record());
    let arena = screen(&state);
    assert_eq!(
        arena.matrix_notes(),
        [
            "value .667 exact, only over the plans and responses found",
            "B5 alone .500, exploitable by .167",
            "against RED’s mix no plan here earns more than .667"
        ]
    );
    let plays: Vec<String> = (0..5).map(|row| arena.plays(row, false)).collect();
    assert_eq!(plays, ["⅔", "", "⅓", "", ""]);
    let answers: Vec<String> = (0..4).map(|c| arena.answers_with(c, true)).collect();
    assert_eq!(answers, ["", ".33", "", ".67"]);
}

#[test]
fn missing_cells_leave_bounds() {
    let mut few = record();
    few.cells
        .retain(|p| !(p.cell.candidate == "B5" && p.cell.response != "R2"));
    let state = open(few);
    let arena = screen(&state);
    let value = arena.house.as_ref().unwrap().value.clone().unwrap();
    assert!(!value.is_exact() && value.blue.is_empty(), "{value:?}");
    assert_eq!(value.words(), ".50–1.00");
    assert_eq!(
        arena.row_words(0),
        "B5 plan B5: good 1/1, safe 1/1, worst 1, steps …, not scored"
    );
}

#[test]
fn a_payoff_that_is_no_number_is_kept_and_shown() {
    let mut odd = record();
    odd.settings.payoffs.safe = f64::NAN;
    let state = open(odd);
    let house = screen(&state).house.as_ref().unwrap();
    assert_eq!(house.value, None);
    let five = house.rows.iter().find(|r| r.at == 4).unwrap();
    assert_eq!(payoff_words(five.worst), "NaN");
}

#[test]
fn rounds_take_the_later_plans_away() {
    let mut state = open(record());
    drive(&mut state, "<");
    assert_eq!(names(&state), ["B4", "B3", "B2", "B1"]);
    drive(&mut state, ">");
    assert_eq!(names(&state).len(), 5);
}

#[test]
fn the_cell_under_the_cursor_is_played_and_enter_takes_it_apart() {
    let mut state = open(record());
    let cmds = drive(&mut state, "j j");
    let Some((_, Job::Arena(ArenaJob::Cell(cell)))) = asked(&cmds) else {
        panic!("{cmds:?}")
    };
    assert_eq!(
        (
            cell.task.as_str(),
            cell.candidate.as_str(),
            cell.response.id.as_str()
        ),
        ("vh/V062", "B3", "R1")
    );
    let cmds = drive(&mut state, "Enter");
    assert!(matches!(state.screen(), Screen::Inspect(_)));
    let Some((_, Job::Arena(ArenaJob::Cell(again)))) = asked(&cmds) else {
        panic!("{cmds:?}")
    };
    assert_eq!(again, cell);
}

#[test]
fn the_frontier_says_who_is_better_and_what_it_costs() {
    let mut state = open(record());
    drive(&mut state, "j j P");
    assert_eq!(
        screen(&state).frontier_notes(),
        [
            "front of round 1   came B5   stayed B4 B3 B1",
            "■ B3: no plan is better in everything",
            "  B5: safe +1/4, but steps +4",
            "  B4: safe +1/4, steps −21, but good −2/4",
            "  B1: steps −22, but good −3/4, safe −3/4",
            "  lost at s18 under R1: ✗P24 s18   Enter opens it"
        ]
    );
    // Points are walked as one reads: those at the top first, each line from the left.
    assert_eq!(names(&state), ["B3", "B5", "B2", "B4", "B1"]);
    drive(&mut state, "l l");
    assert_eq!(
        screen(&state).frontier_notes().get(1).map(String::as_str),
        Some("□ B2: B3 is better: good +1/4, steps −1")
    );
    drive(&mut state, "o");
    assert_eq!(names(&state), ["B3", "B5", "B4", "B1"]);
}

#[test]
fn the_matrix_walks_cells_and_sorts() {
    let mut state = open(record());
    drive(&mut state, "M h h l");
    let arena = screen(&state);
    let here = arena.here().unwrap();
    assert_eq!(here, (4, 2));
    drive(&mut state, "s");
    assert_eq!(names(&state), ["B1", "B2", "B3", "B4", "B5"]);
    assert_eq!(screen(&state).here(), Some((4, 2)));
    drive(&mut state, "Esc");
    assert_eq!(screen(&state).view, View::Plans);
}

#[test]
fn a_claim_leads_to_its_step() {
    let mut state = open(record());
    drive(&mut state, "j j C Enter");
    let Some(Overlay::Computed(it)) = state.overlay() else {
        panic!("{:?}", state.overlay())
    };
    let rows: Vec<String> = it
        .rows
        .iter()
        .map(crate::app::overlays::computed::Row::words)
        .collect();
    assert_eq!(
        rows,
        [
            "✓ C1  drum is not checked again",
            "by  offline",
            "played  confirmed: safe in 4 of 4",
            "step  s18 P24  R1",
            "before s17  look"
        ]
    );
    drive(&mut state, "j j j Enter");
    assert!(matches!(state.screen(), Screen::Inspect(_)));
}

#[test]
fn another_level_holds_the_arena_again() {
    let mut state = open(record());
    let cmds = drive(&mut state, "i");
    let Some((id, Job::Arena(ArenaJob::Again(asked)))) = asked(&cmds) else {
        panic!("{cmds:?}")
    };
    assert_eq!(
        (asked.settings.level.as_str(), asked.proposals.len()),
        ("reactive", 4)
    );
    // What is shown keeps the name of its level until the other values are there.
    assert_eq!(screen(&state).level_words(false), "RED plan, reactive …");
    assert_eq!(screen(&state).levels(), "blind count task ●plan reactive…");
    // It is being held: another one waits.
    assert!(!state.availability("arena-level", "").is_ready());
    assert!(!state.availability("arena-budget", "0").is_ready());
    let failed = JobEvent::Failed("no".to_owned());
    update(&mut state, Msg::Job(id, failed));
    assert_eq!(screen(&state).level_words(true), "RED level plan");
}

#[test]
fn the_matrix_opens_on_the_cell_and_speaks_of_its_row() {
    let mut state = open(record());
    drive(&mut state, "j j M");
    let arena = screen(&state);
    assert_eq!(arena.here(), Some((2, 1)));
    assert_eq!(
        arena.matrix_notes().get(1).map(String::as_str),
        Some("B3 alone .000, exploitable by .667")
    );
}

#[test]
fn claims_are_walked_and_lead_to_their_cell() {
    let mut state = open(record());
    let cmds = drive(&mut state, "j j Tab j C");
    let Some((_, Job::Arena(ArenaJob::Cell(cell)))) = asked(&cmds) else {
        panic!("{cmds:?}")
    };
    assert_eq!(cell.response.id, "R1");
    let claim = screen(&state).claims()[0].clone();
    assert_eq!(Arena::rests_on(&claim), "s17–s18");
    assert_eq!(
        Arena::evidence(&claim),
        "R1 replayed, confirmed: safe in 4 of 4"
    );
}

#[test]
fn the_best_plan_under_the_same_red_is_laid_beside() {
    let mut state = open(record());
    let cmds = drive(&mut state, "j j =");
    let Some((_, Job::Arena(ArenaJob::Cell(cell)))) = asked(&cmds) else {
        panic!("{cmds:?}")
    };
    assert_eq!(
        (cell.candidate.as_str(), cell.response.id.as_str()),
        ("B5", "R1")
    );
    assert_eq!(screen(&state).trace_title(), "B3 | B5 under R1");
    assert_eq!(screen(&state).beside_words(), "playing B5 under R1 …");
    drive(&mut state, "=");
    assert!(screen(&state).beside.is_none());
}

#[test]
fn a_cell_played_again_takes_its_place() {
    let state = open(record());
    let (at, response) = screen(&state).here().unwrap();
    let house = screen(&state).house.as_ref().unwrap();
    let same = house.outcome(at, response).unwrap().clone();
    let fresh = house.with((at, response), outcome("x4"));
    assert_eq!(fresh.payoff(at, response), Some(0.0));
    assert_eq!(
        fresh.with((at, response), same).payoff(at, response),
        Some(0.5)
    );
}

#[test]
fn a_cell_that_cannot_be_played_says_why() {
    let mut state = open(record());
    let cmds = drive(&mut state, "M");
    let id = asked(&cmds).map(|a| a.0);
    let cmds = drive(&mut state, "h");
    let id = asked(&cmds).map(|a| a.0).or(id).unwrap();
    let failed = JobEvent::Failed("B5: line 2 cannot be read".to_owned());
    update(&mut state, Msg::Job(id, failed));
    drive(&mut state, "Enter");
    let Some(Overlay::Computed(it)) = state.overlay() else {
        panic!("{:?}", state.overlay())
    };
    assert_eq!(it.rows[0].words(), "#  B5: line 2 cannot be read");
}

#[test]
fn a_plan_is_brought_and_judged_with_the_others() {
    let mut state = open(record());
    let cmds = execute(&mut state, "arena-add b2d4");
    let Some((id, Job::Arena(ArenaJob::Again(asked)))) = asked(&cmds) else {
        panic!("{cmds:?}")
    };
    assert_eq!(
        asked.more,
        Some(crate::app::arena::NewPlan::Run("b2d4".to_owned()))
    );
    let mut more = record();
    more.candidates[4] = entry("B5", 0);
    let reply = Reply::Arena(ArenaReply::House(Arc::new(more)));
    update(&mut state, Msg::Job(id, JobEvent::Done(Box::new(reply))));
    let row = screen(&state).row().unwrap().at;
    assert_eq!(row, 4);
}

#[test]
fn words_are_few() {
    assert_eq!(often(0.41, false), ".41");
    assert_eq!(often(0.0, false), "");
    assert_eq!(payoff_words(None), "…");
}

#[test]
fn a_choice_that_gains_nothing_against_the_red_kept_back_is_said_so() {
    let held_out = |record: Record, outcomes: [(&str, &str); 2]| {
        let choice = Some(Choice {
            selected: "B3".to_owned(),
            best_proposal: "B3".to_owned(),
            single: "B1".to_owned(),
        });
        let cells = outcomes.map(|(name, what)| {
            let found = record.cells.iter().find(|p| p.cell.candidate == name);
            let mut played = found.unwrap().clone();
            played.phase = Phase::HeldOut;
            played.cell.outcome = outcome(what);
            played
        });
        let mut record = Record { choice, ..record };
        record.cells.extend(cells);
        screen(&open(record)).held_out()
    };
    let worse = held_out(record(), [("B3", "x9"), ("B1", "g5")]);
    assert_eq!(
        worse[0],
        "! the choice B3 does worse than B1 against the RED kept back: worst 0.00 | 0.00, mean 0.00 | 1.00"
    );
    assert_eq!(worse.len(), 3);
    assert_eq!(held_out(record(), [("B3", "g9"), ("B1", "g5")]).len(), 2);
}
