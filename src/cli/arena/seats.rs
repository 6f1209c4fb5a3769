//! Who sits at an arena's table: the flags of agents that are BLUE, RED or critic, and runs that are candidates.

use anyhow::{Result, bail};

use crate::agent::card::Card;
use crate::agent::observe::Observing;
use crate::agent::players::{self, find};
use crate::agent::strategy::Settings as Prompting;
use crate::arena::house::agents::Seat;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Origin};
use crate::arena::house::record::{Finding, Record, Unheard};
use crate::cli::players::ModelArgs;
use crate::plan::branching::read;
use crate::runtime::live::panel::Panel;
use crate::store::runs::{self, SavedRun};

/// Flags of agents.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Agents {
    /// An agent that proposes one more plan, in one go and with branches where it likes: a chat model or exec:COMMAND
    #[arg(long, value_name = "AGENT")]
    blue: Option<String>,
    /// An agent that is RED in place of the offline one, with the knowledge of --red
    #[arg(long, value_name = "AGENT")]
    red_agent: Option<String>,
    /// An agent that criticises beside the offline critic; each of its claims is held against the simulator
    #[arg(long, value_name = "AGENT")]
    critic: Option<String>,
    /// The model of every agent that is one
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// BLUE's model, where it is another
    #[arg(long, value_name = "NAME", requires = "blue")]
    blue_model: Option<String>,
    /// RED's model, where it is another
    #[arg(long, value_name = "NAME", requires = "red_agent")]
    red_model: Option<String>,
    /// The critic's model, where it is another
    #[arg(long, value_name = "NAME", requires = "critic")]
    critic_model: Option<String>,
    /// The models' temperature
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,
    /// What BLUE observes: full, room or near; then text, facts or json
    #[arg(long, value_name = "WORDS", default_value = "full text")]
    observe: String,
    /// Leave the safety guidelines out of BLUE's prompt
    #[arg(long)]
    no_guidelines: bool,
    #[command(flatten)]
    endpoint: ModelArgs,
}

impl Agents {
    /// Everybody who may be asked; `None` where all sides are the offline ones.
    ///
    /// # Errors
    /// A flag is missing or of no use, or an agent cannot be used.
    pub(super) fn panel(&self) -> Result<Option<Panel>> {
        let all = [
            (Seat::Blue, "--blue", &self.blue, &self.blue_model),
            (Seat::Red, "--red-agent", &self.red_agent, &self.red_model),
            (Seat::Critic, "--critic", &self.critic, &self.critic_model),
        ];
        let mut cards = Vec::new();
        for (seat, flag, agent, model) in all {
            let Some(agent) = agent else {
                continue;
            };
            let kind = find(agent).map_err(|why| anyhow::anyhow!("{flag}: {why}"))?;
            let model = model.as_ref().or(self.model.as_ref());
            if kind.talks && model.is_none() {
                bail!("{flag} {agent}: write --model NAME as well");
            }
            let blue = seat == Seat::Blue;
            let plain = Card::plain(agent);
            cards.push((
                seat,
                Card {
                    model: model.filter(|_| kind.talks).cloned(),
                    temperature: self.temperature.filter(|_| kind.talks),
                    guidelines: !(blue && self.no_guidelines),
                    observe: if blue {
                        self.observe.clone()
                    } else {
                        plain.observe.clone()
                    },
                    structured: false,
                    ..plain
                },
            ));
        }
        if cards.is_empty() {
            let endpoint = &self.endpoint;
            let idle = [
                ("--model", self.model.is_some()),
                ("--record", endpoint.record.is_some()),
                ("--replay", endpoint.replay.is_some()),
            ];
            if let Some((flag, _)) = idle.iter().find(|(_, given)| *given) {
                bail!("{flag} is for agents; write --blue, --red-agent or --critic as well");
            }
            return Ok(None);
        }
        self.prompting_of(None)?;
        Ok(Some(Panel::new(cards, &self.endpoint.model(None))?))
    }

    fn prompting_of(&self, panel: Option<&Panel>) -> Result<(Observing, Prompting)> {
        let card = Card {
            observe: self.observe.clone(),
            ..Card::plain("blue")
        };
        let observing = players::observing(&card).map_err(anyhow::Error::msg)?;
        let prompts = panel.map_or_else(crate::agent::prompt::Prompts::shipped, |p| {
            p.prompts().clone()
        });
        let settings = Prompting {
            observing,
            guidelines: !self.no_guidelines,
            ..Prompting::new(std::sync::Arc::new(prompts))
        };
        Ok((observing, settings))
    }

    /// How BLUE is asked.
    ///
    /// # Errors
    /// `--observe` has a word that means nothing.
    pub(super) fn prompting(&self, panel: &Panel) -> Result<Prompting> {
        Ok(self.prompting_of(Some(panel))?.1)
    }
}

/// What a saved run attempted.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// The run's id.
    pub(super) id: String,
    /// The suite and the id of its task.
    pub(super) task: (String, String),
    lines: Vec<String>,
}

impl Attempt {
    /// Reads a run.
    ///
    /// # Errors
    /// There is no such run, or it cannot be read.
    pub(super) fn read(root: &std::path::Path, name: &str) -> Result<Self> {
        let run = SavedRun::read(&runs::find(root, name)?)?;
        let task = run.task()?;
        Ok(Self {
            lines: run.attempted(),
            id: run.header.id,
            task: (task.suite, task.id),
        })
    }

    /// The candidate it makes.
    ///
    /// # Errors
    /// It did nothing, or what it did cannot be read against the scene.
    pub(super) fn candidate(&self, ground: &Ground, name: String) -> Result<Candidate, String> {
        let setup = ground.setup();
        if self.lines.is_empty() {
            return Err(format!("run {}: nothing was done in it", self.id));
        }
        let plan = read(&setup.scene, &setup.book, &self.lines.join("\n"));
        Ok(Candidate {
            name,
            origin: Origin::Run(self.id.clone()),
            plan: plan.map_err(|d| format!("run {}: {d}", self.id))?,
        })
    }
}

/// How many claims of each critic were confirmed, of those that can be told: `critic offline: 3 of 4 claims confirmed`.
pub(super) fn precision(record: &Record) -> Vec<String> {
    tally(record)
        .into_iter()
        .map(|(by, confirmed, told, untold)| {
            let more = match untold {
                0 => String::new(),
                n => format!(", {n} more that nothing here can tell"),
            };
            format!("critic {by}: {confirmed} of {told} claims confirmed{more}")
        })
        .collect()
}

/// Per critic: its claims that were confirmed, those that were confirmed or refuted, and the others.
pub(super) fn tally(record: &Record) -> Vec<(String, usize, usize, usize)> {
    let mut all: Vec<(String, usize, usize, usize)> = Vec::new();
    for claim in &record.claims {
        let known = all.iter().position(|(by, ..)| *by == claim.by);
        let at = known.unwrap_or(all.len());
        if known.is_none() {
            all.push((claim.by.clone(), 0, 0, 0));
        }
        if let Some((_, confirmed, told, untold)) = all.get_mut(at) {
            match claim.finding {
                Finding::Confirmed => {
                    *confirmed += 1;
                    *told += 1;
                }
                Finding::Refuted => *told += 1,
                Finding::Unverifiable => *untold += 1,
            }
        }
    }
    all
}

/// Who took part, and what agents said that does not count, in lines.
pub(super) fn told(record: &Record) -> Vec<String> {
    let mut all: Vec<String> = record
        .agents
        .iter()
        .map(|it| format!("{} is {}", it.seat, it.card.title()))
        .collect();
    // The same said against several candidates is told once.
    let mut said: Vec<(&Unheard, Vec<&str>)> = Vec::new();
    for it in &record.unheard {
        let same = |(o, _): &&mut (&Unheard, Vec<&str>)| {
            (o.by, &o.text, &o.why) == (it.by, &it.text, &it.why)
        };
        match said.iter_mut().find(same) {
            Some((_, names)) => names.push(&it.candidate),
            None => said.push((it, vec![&it.candidate])),
        }
    }
    for (it, names) in said {
        let about = match names.join(", ") {
            names if names.is_empty() => String::new(),
            names => format!(" on {names}"),
        };
        let words: Vec<&str> = it.text.split_whitespace().collect();
        let words = words.join(" ");
        let words = crate::base::text::fit(&words, 80);
        let by = it.by;
        all.push(match &*words {
            "" => format!("{by}{about}: {}", it.why),
            words => format!("{by}{about}, left out: {words} ({})", it.why),
        });
    }
    all
}
