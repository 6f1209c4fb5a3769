//! What the panes of the household arena list, as tables.

use crate::app::arena::axes::standings;
use crate::app::tables::{count, figure, of_facts, of_steps, table, words};
use crate::arena::frontier::pareto::Standing;
use crate::eval::table::{Cell, Table};

use super::words::finding;
use super::{Arena, Pane, View};

impl Arena {
    /// The rows of the pane with the keys.
    pub(super) fn rows_of_focus(&self) -> Option<Table> {
        let house = self.house.as_ref()?;
        match self.focus {
            Pane::Main => Some(match self.view {
                View::Plans => self.plans(),
                View::Matrix => self.payoffs(),
                View::Frontier => self.frontier(),
            }),
            Pane::Red => {
                let of = self.row().and_then(|row| house.entry(row.at));
                let title = format!("What RED tried against {}", of?.name);
                Some(of_facts("red", &title, &self.answers()))
            }
            Pane::Trace => self.trace.loaded().map(of_steps),
            Pane::Critic => Some(self.critic_claims()),
        }
    }

    fn plans(&self) -> Table {
        let heads = [
            "plan", "what", "#round", "#good", "#of", "#safe", "#of", "#worst", "#steps", "stands",
            "chosen", "lost to", "actions",
        ];
        let rows = self.order().iter().filter_map(|place| {
            let house = self.house.as_ref()?;
            let row = house.rows.get(*place)?;
            let entry = house.entry(row.at)?;
            let share = |n: u32| Cell::Number(f64::from(n), 0);
            let lost: Vec<String> = row.lost.iter().map(|c| house.called(*c)).collect();
            Some(vec![
                words(entry.name.clone()),
                words(entry.words.clone()),
                share(entry.round),
                share(row.good.held),
                share(row.good.of),
                share(row.safe.held),
                share(row.safe.of),
                figure(row.worst, 3),
                row.steps.map_or(Cell::Empty, share),
                words(standing(row.standing)),
                words(if house.is_chosen(row.at) {
                    "chosen"
                } else {
                    ""
                }),
                words(lost.join(" ")),
                words(entry.plan.join("; ")),
            ])
        });
        let rows = rows.collect();
        table("plans", &self.titled("Plans"), &heads, rows)
    }

    /// Every plan under every response: what it pays, nothing where that is not known.
    fn payoffs(&self) -> Table {
        let columns = self.house.iter().flat_map(|house| {
            let each = house.columns.iter();
            each.map(|c| format!("#{}", house.called(*c)))
        });
        let heads: Vec<String> = std::iter::once("plan".to_owned()).chain(columns).collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let rows = self.order().iter().filter_map(|place| {
            let house = self.house.as_ref()?;
            let row = house.rows.get(*place)?;
            let mut cells = vec![words(house.entry(row.at)?.name.clone())];
            let all = house.columns.iter();
            cells.extend(all.map(|c| figure(house.payoff(row.at, *c), 3)));
            Some(cells)
        });
        let mut made = table("matrix", &self.titled("Payoffs"), &heads, rows.collect());
        let called = self.house.iter().flat_map(|house| {
            let each = house.columns.iter();
            each.filter_map(|c| {
                Some(format!(
                    "{}: {}",
                    house.called(*c),
                    house.response(*c)?.words()
                ))
            })
        });
        made.notes = called.collect();
        made
    }

    fn frontier(&self) -> Table {
        let (x, y) = self.axes();
        let (across, up) = (format!("#{}", x.word()), format!("#{}", y.word()));
        let heads = ["plan", "what", &across, &up, "#steps", "stands"];
        let rows = self.order().iter().filter_map(|place| {
            let house = self.house.as_ref()?;
            let row = house.rows.get(*place)?;
            let entry = house.entry(row.at)?;
            let stands = standings(house, &self.compared());
            Some(vec![
                words(entry.name.clone()),
                words(entry.words.clone()),
                figure(Some(x.value(house, row)), 3),
                figure(Some(y.value(house, row)), 3),
                row.steps
                    .map_or(Cell::Empty, |n| Cell::Number(f64::from(n), 0)),
                words(stands.get(*place).map_or("", |s| standing(*s))),
            ])
        });
        let rows = rows.collect();
        table("frontier", &self.titled("Frontier"), &heads, rows)
    }

    fn critic_claims(&self) -> Table {
        let rows = self.claims().into_iter().map(|claim| {
            vec![
                words(claim.id.clone()),
                words(claim.by.clone()),
                words(claim.candidate.clone()),
                words(claim.response.clone()),
                count(claim.step as usize),
                words(finding(claim.finding)),
                words(claim.text.clone()),
                words(claim.evidence.clone()),
                words(claim.remedy.join("; ")),
            ]
        });
        let heads = [
            "claim", "by", "plan", "response", "#step", "found", "text", "evidence", "remedy",
        ];
        table("critic", &self.titled("Critic"), &heads, rows.collect())
    }

    fn titled(&self, what: &str) -> String {
        let task = self.record().map(|r| r.task.as_str());
        format!("{what} of the arena over {}", task.unwrap_or_default())
    }
}

const fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Front => "on the front",
        Standing::Dominated(_) => "dominated",
        Standing::Unscored => "not scored",
    }
}
