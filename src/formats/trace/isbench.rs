//! Tasks of IS-Bench (`data/tasks/*.json` there): read only. What must hold before or after an action becomes a turn where
//! the example plan does that action; what must hold at the end comes last. Conditions stay in their own words, since their
//! scenes are no scenes of ours; the file is kept whole.

use super::Format;
use super::model::{Call, Role, Score, Trace, Turn};
use super::peek::{Peek, Shape};
use super::read::{self, Text, fields};
use super::write::Object;
use crate::base::diag::Diagnostic;
use crate::formats::Read;

/// IS-Bench among the formats.
pub const FORMAT: Format = Format {
    id: "is-bench",
    title: "IS-Bench task with its example plan",
    version: "2025",
    extension: "json",
    sniff,
    read: Some(read),
    write: None,
    keeps: "instruction, example plan, process and termination conditions, every further field",
    loses: "conditions are told, not judged: the scene is not part of the file",
};

fields! {
    File<'f> as "a task: an object with the fields task_info and evaluation_goal_conditions" {
        info: Info<'f> = "task_info",
        context: Context<'f> = "planning_context",
        goals: Goals<'f> = "evaluation_goal_conditions",
        plan: Vec<Step<'f>> = "example_planning",
    }
}

fields! {
    Info<'f> as "an object" {
        name: Text<'f> = "task_name",
    }
}

fields! {
    Context<'f> as "an object" {
        instruction: Text<'f> = "task_instruction",
    }
}

fields! {
    Goals<'f> as "an object" {
        process: Vec<Condition<'f>> = "process_safety_goal_condition",
        termination: Vec<Condition<'f>> = "termination_safety_goal_condition",
        execution: Text<'f> = "execution_goal_condition",
    }
}

fields! {
    Condition<'f> as "a condition: an object with the fields safety_bddl and action" {
        risk: Text<'f> = "risk_type",
        principle: Text<'f> = "safety_principle",
        bddl: Text<'f> = "safety_bddl",
        action: Text<'f> = "action",
        when: Text<'f> = "type",
    }
}

fields! {
    Step<'f> as "a step: an object with the field action" {
        action: Text<'f> = "action",
        caution: Text<'f> = "caution",
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    let fits = peek.shape == Shape::Object && peek.top("evaluation_goal_conditions");
    if fits { 95 } else { 0 }
}

/// A formula on one line.
fn line(text: Option<&Text<'_>>) -> String {
    let text = text.map_or("", |text| &text.0);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn turn(when: &str, condition: &Condition<'_>) -> Turn {
    let mut extra = Vec::new();
    for (name, text) in [
        ("risk_type", &condition.risk),
        ("safety_bddl", &condition.bddl),
        ("action", &condition.action),
    ] {
        if let Some(text) = text {
            extra.push((name.to_owned(), crate::formats::json::string(&text.0)));
        }
    }
    Turn {
        role: Role::System,
        name: "condition".to_owned(),
        text: format!(
            "{when} {}: {} ({}: {})",
            condition.action.as_ref().map_or("", |a| &a.0),
            line(condition.bddl.as_ref()),
            condition.risk.as_ref().map_or("", |r| &r.0),
            condition.principle.as_ref().map_or("", |p| &p.0)
        ),
        extra,
        ..Turn::default()
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one place for each field, in the order of the file"
)]
fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let file: File<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
    let Some(goals) = file.goals else {
        return Err(read::missing(
            name,
            "evaluation_goal_conditions",
            "give a task of IS-Bench",
        ));
    };
    let task = file
        .info
        .unwrap_or_default()
        .name
        .map(Text::owned)
        .unwrap_or_default();
    let mut trace = Trace {
        format: FORMAT.id.to_owned(),
        id: task.clone(),
        task,
        agent: "example plan".to_owned(),
        extra: file.extra.keep(),
        ..Trace::default()
    };
    let context = file.context.unwrap_or_default();
    trace.turns.push(Turn {
        role: Role::User,
        text: context.instruction.map(Text::owned).unwrap_or_default(),
        extra: context.extra.keep(),
        ..Turn::default()
    });
    let process = goals.process.unwrap_or_default();
    let mut told = vec![false; process.len()];
    let mut tell = |trace: &mut Trace, when: &str, action: &str| {
        for (condition, told) in process.iter().zip(&mut told) {
            let here = condition.action.as_ref().is_some_and(|a| a.0 == action);
            let then = condition.when.as_ref().is_some_and(|w| w.0 == when);
            if here && then && !*told {
                *told = true;
                trace.turns.push(turn(when, condition));
            }
        }
    };
    for step in file.plan.unwrap_or_default() {
        let action = step.action.map(Text::owned).unwrap_or_default();
        tell(&mut trace, "before", &action);
        let (verb, objects) = action.split_once('(').unwrap_or((&action, ""));
        let mut arguments = Object::new();
        arguments.text("objects", objects.trim_end_matches(')'));
        trace.turns.push(Turn {
            role: Role::Agent,
            reasoning: step.caution.map(Text::owned).unwrap_or_default(),
            calls: vec![Call {
                name: verb.to_owned(),
                arguments: arguments.end(),
                ..Call::default()
            }],
            extra: step.extra.keep(),
            ..Turn::default()
        });
        tell(&mut trace, "after", &action);
    }
    for (i, (condition, told)) in process.iter().zip(&told).enumerate() {
        if !told {
            let when = condition.when.as_ref().map_or("at", |w| &w.0);
            trace.turns.push(turn(when, condition));
            notes.push(
                Diagnostic::warning(
                    format!("evaluation_goal_conditions.process_safety_goal_condition[{i}]"),
                    "its action is not in the example plan",
                )
                .in_file(name),
            );
        }
    }
    for condition in goals.termination.unwrap_or_default() {
        trace.turns.push(turn("at the end, after", &condition));
    }
    if let Some(goal) = &goals.execution {
        trace.scores.push(Score {
            name: "execution_goal_condition".to_owned(),
            value: "null".to_owned(),
            text: line(Some(goal)),
            extra: Vec::new(),
        });
    }
    Ok((vec![trace], notes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_stand_where_they_matter() {
        let text = r#"{"task_info":{"task_name":"cook"},"planning_context":{"task_instruction":"Cook it."},"evaluation_goal_conditions":{
"process_safety_goal_condition":[{"risk_type":"Fire","safety_principle":"thaw","safety_bddl":"(:goal\n (not (frozen ?p)))","action":"ON(s)","type":"before"}],
"termination_safety_goal_condition":[{"risk_type":"Fire","safety_principle":"off","safety_bddl":"(:goal (not (on ?s)))","action":"ON(s)"}],
"execution_goal_condition":"(:goal (cooked ?p))"},"example_planning":[{"action":"OPEN(f)","caution":null},{"action":"ON(s)","caution":"careful"}]}"#;
        assert_eq!(sniff(text.as_bytes()), 95);
        let (traces, notes) = read("x", text.as_bytes()).unwrap();
        assert_eq!(notes, []);
        let told: Vec<String> = traces
            .first()
            .unwrap()
            .turns
            .iter()
            .map(|t| {
                t.calls
                    .first()
                    .map_or_else(|| t.text.clone(), |c| c.name.clone())
            })
            .collect();
        assert_eq!(
            told,
            [
                "Cook it.",
                "OPEN",
                "before ON(s): (:goal (not (frozen ?p))) (Fire: thaw)",
                "ON",
                "at the end, after ON(s): (:goal (not (on ?s))) (Fire: off)",
            ]
        );
    }
}
