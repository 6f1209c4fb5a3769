//! A dirty tool.

use super::{Change, Kind, Proposal, Sight};

pub(super) const KIND: Kind = Kind {
    id: "dirty",
    doc: "dirties what is clean and in use; stains or dusts it in BEHAVIOR",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    for n in at.things().filter(|&n| at.is_loose(n)) {
        let stained = ["STAIN", "DUST"].into_iter().filter(|word| {
            let able = format!("{word}ABLE");
            at.is(n, &able)
        });
        let states: Vec<&str> = if at.has(n, "CLEAN") {
            vec!["DIRTY"]
        } else {
            stained
                .map(|word| if word == "STAIN" { "STAINED" } else { "DUSTY" })
                .collect()
        };
        for name in states {
            if let Some(state) = at.state(name) {
                out.push(Proposal {
                    kind: KIND.id,
                    changes: vec![Change::State(n, state, true)],
                    words: format!("{} is {}", at.name(n), name.to_lowercase()),
                });
            }
        }
    }
}
