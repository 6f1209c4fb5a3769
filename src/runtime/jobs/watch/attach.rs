//! One run, followed whole.

use std::path::Path;

use crate::agent::card::Card;
use crate::agent::hold::Hold;
use crate::agent::sign::Spent;
use crate::app::live::tracker::Tracker;
use crate::app::live::{Attached, Heard};
use crate::app::screens::play::ahead::Ahead;
use crate::base::diag::Diagnostic;
use crate::store::clock;
use crate::store::runs::SavedRun;
use crate::store::runs::live::{Follow, News};
use crate::task::episode::Episode;

use super::{age, header};

/// A run that is followed.
#[derive(Debug)]
pub struct Attach {
    follow: Follow,
    episode: Episode,
    tracker: Tracker,
    running: bool,
    /// The act that was last told of, with the event it stood after.
    told: Option<(String, u32)>,
    fault: Option<Diagnostic>,
    /// Whether nothing was told yet.
    first: bool,
}

impl Attach {
    /// Reads a run and begins to follow it.
    ///
    /// # Errors
    /// It cannot be read or played again.
    pub fn open(folder: &Path) -> Result<(Self, Attached), Diagnostic> {
        let run = SavedRun::unread(folder, header(folder)?);
        let (setup, _) = run.setup()?;
        let card = run.header.player.as_deref().map(Card::read);
        let card = card.and_then(Result::ok);
        let hold = card
            .as_ref()
            .map_or_else(|| Hold::Off.to_string(), |card| card.hold.clone());
        let mut attach = Self {
            follow: Follow::new(folder),
            episode: Episode::awaiting(setup, run.profile()?)?,
            tracker: Tracker::new(&hold),
            running: false,
            told: None,
            fault: None,
            first: true,
        };
        let mut events = Vec::new();
        loop {
            let news = attach.follow.poll();
            let (more, fault) = (!news.events.is_empty(), news.fault.clone());
            attach.take(&news);
            events.extend(news.events);
            if !more || fault.is_some() {
                break;
            }
        }
        let calls: Vec<Spent> = run.spent().into_iter().map(|(_, it)| it).collect();
        attach.tracker.spent_before(&calls);
        let name = folder.file_name().unwrap_or_default();
        let attached = Attached {
            id: name.to_string_lossy().into_owned(),
            folder: folder.to_owned(),
            agent: card.as_ref().map_or(run.header.agent, Card::title),
            trials: card.map_or(1, |card| card.trials.max(1)),
            profile: run.header.profile,
            episode: attach.episode.clone(),
            events,
            tracker: attach.tracker.clone(),
        };
        Ok((attach, attached))
    }

    fn take(&mut self, news: &News) {
        self.running = news.running;
        for event in &news.events {
            self.episode.again(event, &mut Vec::new());
            self.tracker.event(event);
        }
        for sign in &news.signs {
            self.tracker.sign(sign);
        }
        if self.fault.is_none() {
            self.fault.clone_from(&news.fault);
        }
    }

    /// The episode where the run stands.
    pub const fn episode(&self) -> &Episode {
        &self.episode
    }

    /// Whether somebody plays it.
    pub const fn lives(&self) -> bool {
        self.running
    }

    /// What was heard since the last look; `None` if nothing was.
    pub fn look(&mut self) -> Option<Heard> {
        if self.fault.is_some() && !self.first {
            return None;
        }
        let before = (self.running, self.fault.is_some());
        let news = self.follow.poll();
        self.take(&news);
        let ahead = self.ahead();
        let same = before == (self.running, self.fault.is_some());
        let silent = news.events.is_empty() && news.signs.is_empty();
        if same && silent && ahead.is_none() && !self.first {
            return None;
        }
        self.first = false;
        Some(Heard {
            events: news.events,
            signs: news.signs,
            running: self.running,
            age: age(self.follow.written()),
            clock: clock::unix_ms(),
            fault: self.fault.clone(),
            ahead,
        })
    }

    /// What the act that waits would do, once for each time an act waits.
    fn ahead(&mut self) -> Option<(String, Ahead)> {
        let Some(act) = self.tracker.pending().map(str::to_owned) else {
            self.told = None;
            return None;
        };
        let asked = (act.clone(), self.episode.here().0);
        if self.told.as_ref() == Some(&asked) {
            return None;
        }
        let ahead = Ahead::of_line(&mut self.episode, &act)?;
        self.told = Some(asked);
        Some((act, ahead))
    }
}
