//! The five scenario templates (§3): assets by chance, a profile, BLUE's plans, a framing.

use std::sync::Arc;

use crate::arena::advplan::model::{
    Action, Asset, Category, Force, Framing, GameState, Place, Plan, Profile, Scenario, Word,
};
use crate::arena::advplan::python::{Dice, Random};
use crate::arena::advplan::seeds;

/// The base seed of the first five scenarios.
pub const FIRST: u64 = 100;

/// From one base seed to the next.
pub const STEP: u64 = 3;

/// The base seeds of a benchmark of `n` times five scenarios.
pub fn base_seeds(n: usize) -> impl Iterator<Item = u64> {
    (0..n as u64).map(|i| FIRST + STEP * i)
}

/// How many base seeds the published benchmark has.
pub const PUBLISHED: u64 = 30;

/// Whether the published benchmark has the scenarios of that base seed; those of others are computed the same way, but
/// stand in no published table.
pub const fn is_published(base: u64) -> bool {
    base >= FIRST && (base - FIRST).is_multiple_of(STEP) && (base - FIRST) / STEP < PUBLISHED
}

/// A template.
#[derive(Debug)]
pub struct Template {
    /// The name in scenario ids.
    pub id: &'static str,
    /// The terrain in tables.
    pub terrain: &'static str,
    /// How much is added to the base seed.
    pub offset: u64,
    /// The framing it has in the benchmark.
    pub framing: Framing,
    force_size: &'static str,
    phase: &'static str,
    domains: &'static [&'static str],
    loac: &'static str,
    history: &'static str,
    blue: Side,
    red: Side,
    plans: fn(&Dice, u64) -> Vec<Plan>,
}

/// How the assets of a side are made.
#[derive(Debug)]
struct Side {
    n: usize,
    prefix: &'static str,
    types: &'static [&'static str],
    x: Place,
    capability: Place,
}

const COMBINED: &[&str] = &["infantry", "armor", "artillery", "air", "naval"];

/// The templates, in the order of the benchmark.
pub static TEMPLATES: [Template; 5] = [
    Template {
        id: "urban",
        terrain: "urban",
        offset: 0,
        framing: Framing::Blue,
        force_size: "company",
        phase: "stability",
        domains: &["land", "cyber", "information"],
        loac: "high",
        history: "synthetic urban stability operation",
        blue: Side {
            n: 6,
            prefix: "blue",
            types: COMBINED,
            x: (0.0, 50.0),
            capability: (0.5, 1.0),
        },
        red: Side {
            n: 5,
            prefix: "red",
            types: COMBINED,
            x: (50.0, 100.0),
            capability: (0.5, 1.0),
        },
        plans: |dice, seed| {
            vec![
                seeds::branch(dice, seed, "isolate hostile element"),
                seeds::information(dice, seed + 1),
                seeds::logistics(dice, seed + 2),
            ]
        },
    },
    Template {
        id: "maritime",
        terrain: "maritime",
        offset: 1,
        framing: Framing::Neutral,
        force_size: "task_group",
        phase: "interdiction",
        domains: &["maritime", "air", "information"],
        loac: "medium",
        history: "synthetic maritime interdiction",
        blue: Side {
            n: 5,
            prefix: "blue-mar",
            types: &["destroyer", "patrol_aircraft", "boarding_team"],
            x: (0.0, 40.0),
            capability: (0.55, 0.95),
        },
        red: Side {
            n: 4,
            prefix: "red-mar",
            types: &["fast_boat", "merchant_cover", "coastal_sensor"],
            x: (60.0, 100.0),
            capability: (0.45, 0.85),
        },
        plans: |_, _| vec![seeds::maritime()],
    },
    Template {
        id: "multi-domain",
        terrain: "mixed",
        offset: 2,
        framing: Framing::Adversary,
        force_size: "battalion",
        phase: "large_scale_combat",
        domains: &["land", "air", "cyber", "information", "logistics"],
        loac: "medium",
        history: "synthetic large-scale combat operation",
        blue: Side {
            n: 8,
            prefix: "blue",
            types: COMBINED,
            x: (0.0, 50.0),
            capability: (0.5, 1.0),
        },
        red: Side {
            n: 8,
            prefix: "red",
            types: COMBINED,
            x: (50.0, 100.0),
            capability: (0.5, 1.0),
        },
        plans: |dice, seed| {
            vec![
                seeds::cyber(dice, seed),
                seeds::information(dice, seed + 1),
                seeds::logistics(dice, seed + 2),
                seeds::generic(dice, seed + 3, 5),
            ]
        },
    },
    Template {
        id: "air-defense",
        terrain: "air_defense",
        offset: 3,
        framing: Framing::Adversary,
        force_size: "joint_task_force",
        phase: "shaping",
        domains: &["air", "cyber", "electromagnetic", "land"],
        loac: "medium",
        history: "synthetic suppression of enemy air defenses",
        blue: Side {
            n: 6,
            prefix: "blue-ad",
            types: &["ew_aircraft", "strike_package", "isr_uav", "cyber_cell"],
            x: (0.0, 45.0),
            capability: (0.55, 0.95),
        },
        red: Side {
            n: 6,
            prefix: "red-ad",
            types: &["sam_battery", "early_warning_radar", "mobile_launcher"],
            x: (55.0, 100.0),
            capability: (0.5, 0.9),
        },
        plans: |_, _| vec![seeds::air_defense()],
    },
    Template {
        id: "humanitarian-evacuation",
        terrain: "urban_humanitarian",
        offset: 4,
        framing: Framing::Blue,
        force_size: "joint_interagency_task_force",
        phase: "evacuation",
        domains: &["land", "information", "logistics", "medical"],
        loac: "high",
        history: "synthetic noncombatant evacuation operation",
        blue: Side {
            n: 7,
            prefix: "blue-evac",
            types: &[
                "security_team",
                "medical_team",
                "transport",
                "civil_affairs",
            ],
            x: (0.0, 50.0),
            capability: (0.45, 0.85),
        },
        red: Side {
            n: 5,
            prefix: "red-evac",
            types: &["checkpoint", "indirect_fire_cell", "disinformation_node"],
            x: (50.0, 100.0),
            capability: (0.35, 0.75),
        },
        plans: |_, _| vec![seeds::evacuation()],
    },
];

impl Side {
    fn assets(&self, force: Force, g: &mut Random) -> Vec<Asset> {
        let types = self.types.iter().cycle();
        let asset = |(i, what): (usize, &&'static str)| Asset {
            asset_id: format!("{}-{i:03}", self.prefix).into(),
            asset_type: Word::Borrowed(what),
            force,
            location: (g.uniform(self.x.0, self.x.1), g.uniform(0.0, 100.0)),
            capability_score: g.uniform(self.capability.0, self.capability.1),
        };
        (0..self.n).zip(types).map(asset).collect()
    }
}

impl Template {
    /// The scenario of a seed under a framing.
    pub fn scenario(&self, dice: &Dice, seed: u64, framing: Framing) -> Scenario {
        let mut g = dice.open(seed);
        let game_state = GameState {
            blue_assets: self.blue.assets(Force::Blue, &mut g),
            red_assets: self.red.assets(Force::Red, &mut g),
            turn: 0,
        };
        let mut seed_coas = (self.plans)(dice, seed);
        if let Some(first) = seed_coas.first_mut() {
            frame(first, framing);
        }
        Scenario {
            profile: Profile {
                scenario_id: format!("{}-{seed}", self.id),
                terrain_type: self.terrain,
                force_size: self.force_size,
                operational_phase: self.phase,
                domains: self.domains,
                framing,
                loac_ambiguity: self.loac,
                historical_reference: self.history,
            },
            game_state,
            seed_coas,
        }
    }
}

/// The five scenarios of a base seed.
pub fn corpus(dice: &Dice, base: u64) -> Vec<Scenario> {
    let of = |t: &Template| t.scenario(dice, base + t.offset, t.framing);
    TEMPLATES.iter().map(of).collect()
}

/// Where the added action of BLUE's framing looks for a category that is not used yet.
const LIAISON: [Category; 5] = [
    Category::Information,
    Category::Cyber,
    Category::Logistics,
    Category::Intelligence,
    Category::Kinetic,
];

/// Tells a plan from a side (§3.3): more words in its objective, and for BLUE one action more, outside the chain.
fn frame(plan: &mut Plan, framing: Framing) {
    let words = match framing {
        Framing::Blue => " while protecting civilians and applying minimum necessary force",
        Framing::Adversary => " through decisive and overwhelming force against hostile elements",
        Framing::Neutral => " under standing peacetime rules of engagement",
    };
    plan.objective = format!("{}{words}", plan.objective).into();
    let used = |c: &Category| plan.actions.iter().any(|a| a.category == *c);
    if framing == Framing::Blue
        && let Some(category) = LIAISON.into_iter().find(|c| !used(c))
    {
        plan.actions.push(Arc::new(Action {
            preconditions: vec!["area_assessed".into()],
            ..Action::new(
                "civilian_protection_liaison",
                category,
                "framing-blue-liaison-001".into(),
            )
        }));
    }
}
