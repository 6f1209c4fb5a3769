//! The "offline LLM contract" (§6.4): a prompt, a mock client that hashes it into a seed, a JSON reply, and the parser
//! that a live model's reply would pass as well. No model is called.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::arena::advplan::model::{Action, Asset, Category, Components, Force, Plan, Word};
use crate::arena::advplan::python::Dice;

/// What the mock client did.
#[derive(Clone, Debug, PartialEq)]
pub struct Offline {
    /// The user prompt.
    pub prompt: String,
    /// The sum of its code points.
    pub code_points: u64,
    /// The seed that was made of it.
    pub seed: u64,
    /// The reply.
    pub reply: String,
    /// RED's plan, as parsed.
    pub plan: Plan,
}

/// RED's plan against a plan, by the mock client of a base seed.
pub fn respond(dice: &Dice, base: u64, blue: &Plan, red: &[Asset]) -> Offline {
    let prompt = prompt(blue, red);
    let code_points = prompt.chars().map(u64::from).sum();
    let seed = base + code_points % 10_000;
    let reply = reply(dice, seed, red);
    let plan = parse(&reply, red);
    Offline {
        prompt,
        code_points,
        seed,
        reply,
        plan,
    }
}

/// The user prompt. Only here do asset ids, types, places and priorities come to matter: they change its hash.
pub fn prompt(blue: &Plan, red: &[Asset]) -> String {
    let mut text = "You are playing as RED.\n\nAvailable assets:\n".to_owned();
    for a in red {
        let (x, y) = a.location;
        let _ = writeln!(
            text,
            "  - {} ({}) at ({x:.1}, {y:.1}), capability={:.2}",
            a.asset_id, a.asset_type, a.capability_score
        );
    }
    let _ = writeln!(text, "\nOpponent (BLUE) objective: {}", blue.objective);
    text.push_str("Opponent actions:\n");
    for a in &blue.actions {
        let _ = writeln!(
            text,
            "  - [{}] {} (asset={}, priority={})",
            a.category.name(),
            a.action_type,
            a.asset_id,
            a.priority
        );
    }
    text.push_str("\nGenerate a counter-COA.");
    text
}

/// The four actions of every reply.
const ACTIONS: [(&str, Category); 4] = [
    ("recon_screen", Category::Intelligence),
    ("jam_coordination_links", Category::Cyber),
    ("counter_maneuver", Category::Kinetic),
    ("resupply_dispersed_cells", Category::Logistics),
];

/// The objective of every reply. Its words alone give the rubric all it looks for.
const OBJECTIVE: &str =
    "counter the blue course of action with ISR-led disruption and layered protection";

/// What the mock client replies.
fn reply(dice: &Dice, seed: u64, red: &[Asset]) -> String {
    let mut g = dice.open(seed);
    let ids: Vec<&str> = red.iter().map(|a| &*a.asset_id).collect();
    let mut seconds = 60.0;
    let actions: Vec<Value> = ACTIONS
        .iter()
        .enumerate()
        .map(|(i, (what, category))| {
            seconds += 30.0;
            json!({
                "action_type": what,
                "category": category.name(),
                "asset_id": ids.get(i % ids.len().max(1)).unwrap_or(&"red-offline-asset"),
                "priority": i + 1,
                "target_location": [g.uniform(35.0, 95.0), g.uniform(5.0, 95.0)],
                "expected_duration_s": seconds,
            })
        })
        .collect();
    let components = json!({
        "effectiveness": 0.76 + g.uniform(-0.04, 0.04),
        "cost": 0.28 + g.uniform(-0.03, 0.03),
        "risk": 0.24 + g.uniform(-0.03, 0.03),
    });
    json!({"objective": OBJECTIVE, "actions": actions, "quality_components": components})
        .to_string()
}

/// Reads a reply: a JSON object, in a code fence or not. What cannot be read becomes the fallback plan.
pub fn parse(text: &str, red: &[Asset]) -> Plan {
    read(text, red).unwrap_or_else(|| {
        let of = Components {
            effectiveness: 0.4,
            cost: 0.3,
            risk: 0.3,
        };
        plan(vec![fallback(red)], "counter opponent COA (fallback)", of)
    })
}

fn plan(actions: Vec<Arc<Action>>, objective: &str, of: Components) -> Plan {
    Plan::linear(
        Force::Red,
        actions,
        objective.into(),
        of.quality(),
        "military",
    )
    .of(of)
}

/// The only action where there is none.
fn fallback(red: &[Asset]) -> Arc<Action> {
    let Some(asset) = red.first() else {
        return Arc::new(Action::new("hold", Category::Logistics, "dummy".into()));
    };
    Arc::new(Action {
        priority: 5,
        ..Action::new("defend", Category::Kinetic, Arc::clone(&asset.asset_id))
    })
}

fn read(text: &str, red: &[Asset]) -> Option<Plan> {
    let value: Value = serde_json::from_str(unfenced(text)).ok()?;
    let object = value.as_object()?;
    let given = match object.get("actions") {
        None => &[][..],
        Some(list) => list.as_array()?,
    };
    let mut actions = given
        .iter()
        .map(|a| action(a, red))
        .collect::<Option<Vec<_>>>()?;
    if actions.is_empty() {
        actions.push(fallback(red));
    }
    let parts = object.get("quality_components");
    let part = |name: &str, default: f64| match parts.and_then(|p| p.get(name)) {
        None => Some(default),
        Some(x) => x.as_f64(),
    };
    let of = Components {
        effectiveness: part("effectiveness", 0.5)?,
        cost: part("cost", 0.3)?,
        risk: part("risk", 0.2)?,
    };
    let objective = object.get("objective").and_then(Value::as_str);
    Some(plan(
        actions,
        objective.unwrap_or("counter opponent COA"),
        of,
    ))
}

/// The text within a code fence, or the text.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix("```") else {
        return text;
    };
    let body = inside.split_once('\n').map_or(inside, |(_, body)| body);
    body.trim_end().strip_suffix("```").unwrap_or(body)
}

/// An action of a reply: an asset that is not there becomes the first, an unknown category kinetic, a priority is brought
/// into 1 to 10. `None` where it is no action at all.
fn action(value: &Value, red: &[Asset]) -> Option<Arc<Action>> {
    let object = value.as_object()?;
    let word = |name: &str| object.get(name).and_then(Value::as_str);
    let named = word("asset_id").and_then(|id| red.iter().find(|a| &*a.asset_id == id));
    let asset = named
        .or(red.first())
        .map_or_else(|| "dummy".into(), |a| Arc::clone(&a.asset_id));
    let target = object
        .get("target_location")
        .and_then(Value::as_array)
        .and_then(|t| {
            let at = |i: usize| t.get(i).and_then(Value::as_f64);
            Some((at(0)?, at(1)?))
        });
    let priority = object.get("priority").and_then(Value::as_i64).unwrap_or(5);
    let category = word("category").and_then(Category::named);
    let seconds = object.get("expected_duration_s").and_then(Value::as_f64);
    Some(Arc::new(Action {
        target_location: target,
        priority: u32::try_from(priority.clamp(1, 10)).unwrap_or(1),
        expected_duration_s: seconds.unwrap_or(60.0),
        ..Action::new(
            Word::Owned(word("action_type").unwrap_or("maneuver").to_owned()),
            category.unwrap_or(Category::Kinetic),
            asset,
        )
    }))
}
