//! Who played a run, and how it was set up: what is fixed before the first step and decides what is asked of a model.
//!
//! The card is the `player` field of a run's header. A run is gone on with, grouped and compared by it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::agent::hold::Hold;
use crate::agent::session::Terms;

/// A card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a yes or no of its own, as it is written"
)]
pub struct Card {
    /// What kind of agent: `planner`, `openai`, `exec:CMD`, `script:FILE`.
    pub agent: String,
    /// The model, where the agent is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The address of the endpoint, where it is not the usual one; never with a key in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The critic's model, where it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critic: Option<String>,
    /// The strategy with its parameters, such as `react` or `critic(2)`; `None` for agents that need none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Deeds in a trial.
    pub steps: u32,
    /// Trials.
    pub trials: u32,
    /// Whether a new trial begins from the start.
    pub reset: bool,
    /// Whether parsing failures and failed calls end the trial, as the published runner has it.
    pub published: bool,
    /// Whether the safety guidelines are in the prompt.
    pub guidelines: bool,
    /// Whether the endpoint is asked to hold replies to a schema.
    pub structured: bool,
    /// What is observed: `full text`, `room json diffs`.
    pub observe: String,
    /// The hold policy, as it is written.
    pub hold: String,
    /// Every prompt file with the first digits of its digest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, String>,
    /// The seed of whatever is left to chance.
    pub seed: u64,
    /// The model's temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
}

impl Card {
    /// The card of an agent that needs no model, with the usual terms.
    pub fn plain(agent: &str) -> Self {
        let terms = Terms::default();
        Self {
            agent: agent.to_owned(),
            model: None,
            base: None,
            critic: None,
            strategy: None,
            steps: terms.steps,
            trials: terms.trials,
            reset: terms.reset,
            published: false,
            guidelines: true,
            structured: true,
            observe: "full text".to_owned(),
            hold: terms.hold.to_string(),
            prompts: BTreeMap::new(),
            seed: 0,
            temperature: None,
        }
    }

    /// What the session is bound to.
    ///
    /// # Errors
    /// The hold policy cannot be read; what to write instead.
    pub fn terms(&self) -> Result<Terms, String> {
        Ok(Terms {
            // The published runner tests its counter late: one deed more is done.
            steps: self.steps.saturating_add(u32::from(self.published)),
            trials: self.trials.max(1),
            reset: self.reset,
            hold: Hold::parse(&self.hold).map_err(|why| format!("hold {:?}: {why}", self.hold))?,
        })
    }

    /// The flags of the commands that play which come to this card again; without prompts, which are those in force.
    pub fn flags(&self) -> Vec<String> {
        let texts = [
            ("--agent", Some(self.agent.clone())),
            ("--model", self.model.clone()),
            ("--base-url", self.base.clone()),
            ("--critic", self.critic.clone()),
            ("--strategy", self.strategy.clone()),
            ("--steps", Some(self.steps.to_string())),
            ("--trials", Some(self.trials.to_string())),
            ("--observe", Some(self.observe.clone())),
            ("--hold", Some(self.hold.clone())),
            ("--seed", Some(self.seed.to_string())),
            ("--temperature", self.temperature.map(|t| t.to_string())),
        ];
        let switches = [
            ("--reset", self.reset),
            ("--published", self.published),
            ("--no-guidelines", !self.guidelines),
            ("--free-form", !self.structured),
        ];
        let texts = texts
            .into_iter()
            .filter_map(|(flag, text)| Some(format!("{flag}={}", text?)));
        let switches = switches.into_iter().filter(|(_, on)| *on);
        texts
            .chain(switches.map(|(flag, _)| flag.to_owned()))
            .collect()
    }

    /// Who it is in a few words: `gpt-4.1-mini react`, `planner`.
    pub fn title(&self) -> String {
        let who = self.model.as_deref().unwrap_or(&self.agent);
        match &self.strategy {
            Some(strategy) => format!("{who} {strategy}"),
            None => who.to_owned(),
        }
    }

    /// The name in the run's id: `gpt-4.1-mini-react`.
    pub fn name(&self) -> String {
        self.title().replace(' ', "-")
    }

    /// As JSON text.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From JSON text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|e| {
            let e = plain(&e);
            format!("the field \"player\" does not tell how an agent was set up: {e}")
        })
    }
}

/// What serde says without the names of our own types.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string().replace("struct Card", "an object");
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_reads_back_and_keeps_what_is_not_said_out() {
        let mut card = Card::plain("openai");
        card.model = Some("qwen3-32b".to_owned());
        card.strategy = Some("critic(2)".to_owned());
        card.hold = "core !3 ask 30 veto".to_owned();
        card.prompts
            .insert("react".to_owned(), "0a1b2c3d4e5f".to_owned());
        assert_eq!(Card::read(&card.json()), Ok(card.clone()));
        assert_eq!(card.title(), "qwen3-32b critic(2)");
        assert_eq!(card.name(), "qwen3-32b-critic(2)");
        assert!(!Card::plain("planner").json().contains("null"));
        assert!(
            Card::read("{}")
                .unwrap_err()
                .starts_with("the field \"player\"")
        );
        card.hold = "core".to_owned();
        assert!(
            card.terms()
                .unwrap_err()
                .starts_with("hold \"core\": write ")
        );
    }
}
