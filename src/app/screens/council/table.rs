//! What the panes of the councils list, as tables.

use crate::app::tables::{figure, of_facts, table, words};
use crate::eval::table::{Cell, Table};

use super::words::{advantage_of, gift_decides, id};
use super::{Aside, Councils, Pane};

impl Councils {
    /// The rows of the pane with the keys.
    pub(super) fn rows_of_focus(&self) -> Option<Table> {
        if let Some(shown) = &self.plans {
            return Some(shown.table(self.focus));
        }
        let study = self.study()?;
        Some(match self.focus {
            Pane::Scenarios => {
                let all = self.order().iter().filter_map(|at| study.played.get(*at));
                let rows = all.map(|p| {
                    let council = &p.council;
                    vec![
                        words(id(p)),
                        words(p.scenario.profile.terrain_type),
                        words(council.name(council.selected)),
                        figure(council.chosen().map(|c| c.score), 4),
                        figure(Some(advantage_of(p)), 3),
                        words(p.selected.answer.outcome.word()),
                        words(if gift_decides(council) {
                            "decides"
                        } else {
                            "no"
                        }),
                    ]
                });
                let heads = [
                    "scenario",
                    "terrain",
                    "selected",
                    "#S",
                    "#advantage",
                    "wins",
                    "gift",
                ];
                table("scenarios", "Scenarios", &heads, rows.collect())
            }
            Pane::Blue => self.candidates()?,
            Pane::Red => of_facts("replies", &self.red_title(), &self.replies()),
            Pane::Aside => {
                let id = match self.aside {
                    Aside::Why => "why",
                    Aside::Critic => "critic",
                    Aside::Budget => "budget",
                };
                of_facts(id, &self.aside_title(), &self.aside_rows())
            }
        })
    }

    fn candidates(&self) -> Option<Table> {
        let (council, p) = (self.council()?, self.played()?);
        let front = council.front(self.round);
        let rows = self.ranking().into_iter().filter_map(|at| {
            let c = council.candidates.get(at)?;
            Some(vec![
                words(council.name(at)),
                words(if c.round == 0 { c.role } else { "revised" }),
                Cell::Number(f64::from(c.round), 0),
                figure(Some(c.parts.quality), 3),
                figure(Some(c.parts.rubric), 3),
                figure(Some(c.parts.variety), 3),
                figure(Some(c.parts.pressure), 3),
                figure(Some(c.score), 4),
                figure(Some(council.score(at, false)), 4),
                words(if front.contains(&at) {
                    "on the front"
                } else {
                    ""
                }),
                words(if at == council.selected {
                    "selected"
                } else {
                    ""
                }),
            ])
        });
        let heads = [
            "plan",
            "role",
            "#round",
            "#p",
            "#d",
            "#V",
            "#P",
            "#S",
            "#S without gift",
            "front",
            "selected",
        ];
        let title = format!("Candidates of {}", id(p));
        Some(table("candidates", &title, &heads, rows.collect()))
    }
}
