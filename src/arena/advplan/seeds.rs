//! BLUE's plans at the start of a scenario (§3.2). Each builder that draws opens a generator of its own.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::arena::advplan::model::{
    Action, Branch, Category, ChainStep, Components, Force, Plan, ToolCall, Word,
};
use crate::arena::advplan::python::Dice;

use Category::{Cyber, Information, Intelligence, Kinetic, Logistics};

/// A call of a tool without arguments.
fn tool(name: &'static str, output: &'static str) -> ToolCall {
    ToolCall {
        tool_name: Word::Borrowed(name),
        arguments: Map::new(),
        expected_output_type: Word::Borrowed(output),
    }
}

/// A call of a tool with one argument.
fn tool_with(name: &'static str, output: &'static str, arguments: Vec<(&str, Value)>) -> ToolCall {
    ToolCall {
        tool_name: Word::Borrowed(name),
        arguments: arguments
            .into_iter()
            .map(|(k, v)| (k.to_owned(), v))
            .collect(),
        expected_output_type: Word::Borrowed(output),
    }
}

/// An action of one of the plans that follow a procedure.
struct Line {
    what: &'static str,
    seconds: f64,
    before: Option<&'static str>,
    tool: Option<ToolCall>,
}

/// A procedure of one asset: all of one category, with priorities 1, 2, 3.
fn procedure(asset: &str, category: Category, lines: Vec<Line>) -> Vec<Action> {
    let asset: Arc<str> = asset.into();
    let action = |(priority, line): (u32, Line)| Action {
        priority,
        tool_call: line.tool,
        preconditions: line.before.into_iter().map(Word::Borrowed).collect(),
        expected_duration_s: line.seconds,
        ..Action::new(line.what, category, Arc::clone(&asset))
    };
    (1..).zip(lines).map(action).collect()
}

fn shared(actions: Vec<Action>) -> Vec<Arc<Action>> {
    actions.into_iter().map(Arc::new).collect()
}

fn plan(actions: Vec<Action>, objective: &str, of: Components, domain: &'static str) -> Plan {
    let actions = shared(actions);
    Plan::linear(Force::Blue, actions, objective.into(), of.quality(), domain).of(of)
}

/// Look, then strike or withdraw: the only plan with a branch.
pub fn branch(dice: &Dice, seed: u64, objective: &str) -> Plan {
    let mut g = dice.open(seed);
    let target = (g.uniform(0.0, 100.0), g.uniform(0.0, 100.0));
    let of = Components::drawn(&mut g, (0.5, 0.9), (0.1, 0.4), (0.05, 0.3));
    let recon = Arc::new(Action {
        expected_duration_s: 120.0,
        ..Action::new("recon", Intelligence, "isr-001".into())
    });
    let arguments = vec![("warhead", "precision".into()), ("yield_kg", 50.into())];
    let strike = Action {
        target_location: Some(target),
        priority: 2,
        tool_call: Some(tool_with("fire_control", "strike_result", arguments)),
        ..Action::new("strike", Kinetic, "strike-001".into())
    };
    let withdraw = Action {
        priority: 2,
        ..Action::new("withdraw", Logistics, "strike-001".into())
    };
    let chain = vec![
        ChainStep {
            step_index: 0,
            action: Some(Arc::clone(&recon)),
            branch: None,
            depends_on: Vec::new(),
        },
        ChainStep {
            step_index: 1,
            action: None,
            branch: Some(Branch {
                condition: "target_confirmed".into(),
                true_actions: vec![Arc::new(strike)],
                false_actions: vec![Arc::new(withdraw)],
            }),
            depends_on: vec![0],
        },
    ];
    Plan {
        force: Force::Blue,
        actions: vec![recon],
        chain,
        objective: objective.into(),
        quality_score: of.quality(),
        domain: "military".into(),
        components: Some(of),
    }
}

/// Scan, enter, take.
pub fn cyber(dice: &Dice, seed: u64) -> Plan {
    let mut g = dice.open(seed);
    let of = Components::drawn(&mut g, (0.6, 0.95), (0.05, 0.3), (0.1, 0.5));
    let line = |what, seconds, before, tool| Line {
        what,
        seconds,
        before,
        tool,
    };
    let lines = vec![
        line(
            "network_scan",
            30.0,
            None,
            Some(tool("host_survey", "host_list")),
        ),
        line(
            "exploit_vuln",
            60.0,
            Some("network_scan_complete"),
            Some(tool("access_broker", "shell_session")),
        ),
        line(
            "exfiltrate_data",
            90.0,
            Some("shell_obtained"),
            Some(tool("data_mover", "exfil_bundle")),
        ),
    ];
    let actions = procedure("cyber-agent-001", Cyber, lines);
    plan(
        actions,
        "achieve persistent access to adversary network",
        of,
        "cyber",
    )
}

/// Count supplies, send a convoy, hand out.
pub fn logistics(dice: &Dice, seed: u64) -> Plan {
    let mut g = dice.open(seed);
    let target = (g.uniform(20.0, 80.0), g.uniform(20.0, 80.0));
    let of = Components::drawn(&mut g, (0.5, 0.85), (0.2, 0.5), (0.05, 0.2));
    let line = |what, seconds, before, tool| Line {
        what,
        seconds,
        before,
        tool,
    };
    let lines = vec![
        line(
            "assess_supply_levels",
            15.0,
            None,
            Some(tool("inventory_query", "inventory_report")),
        ),
        line("convoy_dispatch", 3600.0, Some("route_cleared"), None),
        line(
            "distribute_supplies",
            1800.0,
            Some("convoy_arrived"),
            Some(tool("supply_allocation", "allocation_receipt")),
        ),
    ];
    let mut actions = procedure("log-001", Logistics, lines);
    if let Some(convoy) = actions.get_mut(1) {
        convoy.target_location = Some(target);
    }
    plan(
        actions,
        "restore combat readiness through resupply",
        of,
        "logistics",
    )
}

/// Listen, write, broadcast.
pub fn information(dice: &Dice, seed: u64) -> Plan {
    let mut g = dice.open(seed);
    let of = Components::drawn(&mut g, (0.4, 0.8), (0.05, 0.25), (0.1, 0.4));
    let line = |what, seconds, before, tool| Line {
        what,
        seconds,
        before,
        tool,
    };
    let lines = vec![
        line(
            "sentiment_analysis",
            300.0,
            None,
            Some(tool("nlp_pipeline", "sentiment_report")),
        ),
        line(
            "craft_narrative",
            120.0,
            Some("sentiment_analysis_complete"),
            Some(tool("content_generator", "narrative_draft")),
        ),
        line(
            "disseminate",
            60.0,
            Some("narrative_approved"),
            Some(tool("broadcast", "delivery_receipt")),
        ),
    ];
    let actions = procedure("info-agent-001", Information, lines);
    plan(
        actions,
        "shape adversary population perception",
        of,
        "information_ops",
    )
}

/// The action types of a generic plan.
const GENERIC: [&str; 7] = [
    "attack", "defend", "maneuver", "recon", "support", "jam", "spoof",
];

/// Actions by chance.
pub fn generic(dice: &Dice, seed: u64, n: u32) -> Plan {
    let mut g = dice.open(seed);
    let actions = (0..n)
        .map(|i| {
            let what = GENERIC[g.choice(GENERIC.len())];
            let category = Category::ALL[g.choice(Category::ALL.len())];
            Action {
                target_location: Some((g.uniform(0.0, 100.0), g.uniform(0.0, 100.0))),
                priority: g.randint(1, 10),
                expected_duration_s: g.uniform(30.0, 600.0),
                ..Action::new(what, category, format!("asset-{i:03}").into())
            }
        })
        .collect();
    let of = Components::drawn(&mut g, (0.5, 1.0), (0.1, 0.5), (0.05, 0.3));
    plan(actions, "neutralize red", of, "military")
}

/// An action of a fixed plan: type, category, asset, tool.
type Fixed = (&'static str, Category, &'static str, Option<&'static str>);

/// A plan that is the same for every seed: all at (50, 50), priorities in order.
fn fixed(lines: &[Fixed], objective: &str, of: (f64, f64, f64), domain: &'static str) -> Plan {
    let action = |(priority, &(what, category, asset, tool)): (u32, &Fixed)| Action {
        target_location: Some((50.0, 50.0)),
        priority,
        tool_call: tool.map(|name| tool_with(name, "any", vec![("asset_id", asset.into())])),
        ..Action::new(what, category, asset.into())
    };
    let of = Components {
        effectiveness: of.0,
        cost: of.1,
        risk: of.2,
    };
    plan(
        (1..).zip(lines).map(action).collect(),
        objective,
        of,
        domain,
    )
}

/// Watch, hail, board.
pub fn maritime() -> Plan {
    let lines = [
        (
            "maritime_surveillance",
            Intelligence,
            "blue-mar-001",
            Some("ais_fusion"),
        ),
        (
            "hail_and_query",
            Information,
            "blue-mar-000",
            Some("comms_log"),
        ),
        ("compliant_boarding", Kinetic, "blue-mar-002", None),
    ];
    let objective = "interdict suspected smuggling vessel";
    fixed(&lines, objective, (0.72, 0.28, 0.22), "maritime")
}

/// Look, probe, jam, strike.
pub fn air_defense() -> Plan {
    let lines = [
        (
            "wide_area_isr",
            Intelligence,
            "blue-ad-002",
            Some("sensor_fusion"),
        ),
        (
            "radar_network_probe",
            Cyber,
            "blue-ad-003",
            Some("emissions_mapper"),
        ),
        (
            "stand_in_jamming",
            Cyber,
            "blue-ad-000",
            Some("spectrum_planner"),
        ),
        ("time_sensitive_strike", Kinetic, "blue-ad-001", None),
    ];
    let objective = "degrade integrated air-defense coverage before follow-on maneuver";
    fixed(&lines, objective, (0.78, 0.34, 0.33), "air_defense")
}

/// Look at routes, hold a corridor, prepare medical help, tell people.
pub fn evacuation() -> Plan {
    let lines = [
        (
            "civilian_route_assessment",
            Intelligence,
            "blue-evac-003",
            Some("route_risk_model"),
        ),
        (
            "protect_evacuation_corridor",
            Kinetic,
            "blue-evac-000",
            None,
        ),
        (
            "medical_triage_staging",
            Logistics,
            "blue-evac-001",
            Some("casualty_tracker"),
        ),
        (
            "public_information_notice",
            Information,
            "blue-evac-003",
            Some("broadcast"),
        ),
    ];
    let objective = "protect civilians and evacuate noncombatants through secured corridors";
    fixed(
        &lines,
        objective,
        (0.68, 0.31, 0.24),
        "humanitarian_evacuation",
    )
}
