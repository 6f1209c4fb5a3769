//! Who plays: the flags that `run`, `eval` and `serve` share, and the card they come to.

use anyhow::bail;

use crate::agent::card::Card;
use crate::agent::hold::Hold;
use crate::agent::players;

/// Flags of an agent.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct AgentArgs {
    /// Who plays: planner, random, script:FILE, replay:RUN, exec:COMMAND, openai, anthropic, human
    #[arg(long, value_name = "AGENT", default_value = "planner")]
    pub agent: String,
    /// The model, for openai and anthropic
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// How a model is led: one-go, direct, react, rej, reflexion(N), critic(N) and more; vesta agents lists them
    #[arg(long, value_name = "STRATEGY")]
    pub strategy: Option<String>,
    /// The critic's model, where it is another
    #[arg(long, value_name = "NAME")]
    pub critic: Option<String>,
    /// Deeds in a trial, also those that are refused or not understood
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = some)]
    pub steps: u32,
    /// Trials; a further one follows a trial without success
    #[arg(long, value_name = "N", value_parser = some)]
    pub trials: Option<u32>,
    /// Begin a further trial from the start, not from where the last one ended
    #[arg(long)]
    pub reset: bool,
    /// Lead a model as the published runner does: a failed call or an unreadable reply counts as Done, one deed more
    /// than the limit is done
    #[arg(long)]
    pub published: bool,
    /// Leave the safety guidelines out of the prompt
    #[arg(long)]
    pub no_guidelines: bool,
    /// What is observed: full, room or near; then text, facts or json; diffs for no more than what is new
    #[arg(long, value_name = "WORDS", default_value = "full text diffs")]
    pub observe: String,
    /// Do not ask the endpoint to hold replies to a schema
    #[arg(long)]
    pub free_form: bool,
    /// Hold acts that would break a rule: off, core !3, advisory !4 ask 10 pass, core !3 block. Else models are held
    /// as the settings say
    #[arg(long, value_name = "POLICY", value_parser = hold)]
    pub hold: Option<Hold>,
    /// The seed of whatever is left to chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The model's temperature
    #[arg(long, value_name = "T")]
    pub temperature: Option<f64>,
}

/// A number that makes sense for steps and trials.
pub(super) fn some(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|n| (1..=100_000).contains(n));
    number.ok_or_else(|| "write a whole number from 1 to 100000".to_owned())
}

fn hold(text: &str) -> Result<Hold, String> {
    Hold::parse(text)
}

impl AgentArgs {
    /// The card. `usual` holds models where no flag says otherwise.
    ///
    /// # Errors
    /// The flags do not fit together.
    pub fn card(&self, usual: Hold) -> anyhow::Result<Card> {
        let kind = players::find(&self.agent).map_err(anyhow::Error::msg)?;
        let talks = kind.talks;
        if !talks && (self.model.is_some() || self.strategy.is_some() || self.critic.is_some()) {
            bail!(
                "--agent {}: --model, --strategy and --critic are for chat models",
                self.agent
            );
        }
        if talks && self.model.is_none() {
            bail!("--agent {}: write --model NAME as well", self.agent);
        }
        let card = Card {
            model: self.model.clone(),
            critic: self.critic.clone(),
            strategy: talks.then(|| self.strategy.clone().unwrap_or_else(|| "react".to_owned())),
            steps: self.steps,
            trials: self.trials.unwrap_or(1),
            reset: self.reset,
            published: self.published,
            guidelines: !self.no_guidelines,
            structured: !self.free_form,
            observe: self.observe.clone(),
            hold: self
                .hold
                .unwrap_or(if talks { usual } else { Hold::Off })
                .to_string(),
            seed: self.seed,
            temperature: self.temperature,
            ..Card::plain(&self.agent)
        };
        players::observing(&card).map_err(anyhow::Error::msg)?;
        Ok(card)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Flags {
        #[command(flatten)]
        agent: AgentArgs,
        #[command(flatten)]
        model: crate::cli::players::ModelArgs,
    }

    #[test]
    fn the_flags_of_a_card_come_to_that_card() {
        let plain = Card {
            observe: "near json".to_owned(),
            ..Card::plain("planner")
        };
        let model = Card {
            model: Some("qwen3-32b".to_owned()),
            critic: Some("gpt-4.1".to_owned()),
            strategy: Some("critic(2)".to_owned()),
            steps: 60,
            trials: 3,
            reset: true,
            published: true,
            guidelines: false,
            structured: false,
            hold: "core !3 block".to_owned(),
            seed: 7,
            temperature: Some(0.5),
            ..Card::plain("openai")
        };
        for card in [plain, model] {
            let flags = std::iter::once("vesta".to_owned()).chain(card.flags());
            let read = Flags::try_parse_from(flags).unwrap();
            assert_eq!(read.agent.card(Hold::Off).unwrap(), card);
        }
    }
}
