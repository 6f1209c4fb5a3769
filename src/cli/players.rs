//! What commands that let agents play share: the flags of endpoints, and the cards of runs.

use std::path::PathBuf;

use crate::agent::card::Card;
use crate::base::diag::Diagnostic;
use crate::runtime::live::cast::{Cast, Model};
use crate::sim::vocab::Profile;

/// Flags of a model's endpoint.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ModelArgs {
    /// The address of the endpoint, in place of the usual one
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// A setting of the endpoint, NAME=VALUE; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Keep all traffic with models in this file
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub record: Option<PathBuf>,
    /// Answer from such a file instead of the network
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// Read the key from this file, which only you can read, instead of from the environment
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
}

impl ModelArgs {
    /// Who plays, with what that needs.
    ///
    /// # Errors
    /// A file cannot be read, or an endpoint cannot be used.
    pub fn cast(&self, card: &Card, runs: Option<PathBuf>) -> anyhow::Result<Cast> {
        Cast::new(card, &self.model(runs))
    }

    /// How models are reached.
    pub fn model(&self, runs: Option<PathBuf>) -> Model {
        Model {
            base_url: self.base_url.clone(),
            settings: self.settings.clone(),
            record: self.record.clone(),
            replay: self.replay.clone(),
            key_file: self.key_file.clone(),
            runs,
        }
    }
}

/// A profile as it is written.
pub(super) fn profile(text: &str) -> Result<Profile, String> {
    Profile::parse(text).ok_or_else(|| "write eai or strict".to_owned())
}

/// A time between two acts, in milliseconds.
pub(super) fn pace(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|n| *n <= 3_600_000);
    number.ok_or_else(|| "write milliseconds, at most 3600000: an hour".to_owned())
}

/// The card of a run that an agent played.
///
/// # Errors
/// A person played it, or the card cannot be read.
pub(super) fn card_of(run: &crate::store::runs::SavedRun) -> Result<Card, Diagnostic> {
    let file = run.folder.join(crate::formats::run::HEADER_FILE);
    let wrong =
        |message: String| Diagnostic::error("", message).in_file(&file.display().to_string());
    let Some(json) = &run.header.player else {
        let d = wrong("a person played this run, no agent".to_owned());
        return Err(d.help("vesta play goes on with it"));
    };
    Card::read(json).map_err(wrong)
}
