//! A committee on shipped tasks.

use vesta::arena::house::blue;
use vesta::arena::house::committee::Committee;
use vesta::arena::house::record::{Record, Settings};
use vesta::arena::house::red;

use super::{library, ready};

fn held(id: &str, settings: &Settings) -> Record {
    let library = library();
    let (_, mut ground) = ready(&library, id);
    let proposals = blue::proposals(&ground, settings.proposals as usize);
    let level = red::level(&settings.level).unwrap();
    Committee::new(&mut ground, settings, level).hold(proposals, &mut |_| true)
}

#[test]
fn show() {
    for id in ["V022", "V062"] {
        let record = held(
            id,
            &Settings {
                budget: 8,
                ..Settings::default()
            },
        );
        for e in &record.candidates {
            println!(
                "{} {} r{} {}: {} lines",
                e.name,
                e.origin,
                e.round,
                e.words,
                e.plan.len()
            );
        }
        for r in &record.responses {
            println!("{} {} {}", r.id, r.level, r.words());
        }
        for p in &record.cells {
            let c = &p.cell;
            println!(
                "{:?} {} x {}: {} {} broken {:?} steps {} {:?} {:?} certs {}",
                p.phase,
                c.candidate,
                c.response,
                c.outcome.success,
                c.outcome.safety,
                c.outcome
                    .broken
                    .iter()
                    .map(|b| (b.rule.as_str(), b.step))
                    .collect::<Vec<_>>(),
                c.outcome.steps,
                c.red,
                c.outcome.refused.as_ref().map(|r| &r.reason),
                c.certificates.len()
            );
        }
        for c in &record.claims {
            println!("{c:?}");
        }
        for r in &record.rounds {
            println!(
                "round {} sims {} revised {:?}",
                r.round, r.simulations, r.revised
            );
            for s in &r.scores {
                println!("   {} S {:.4} {:?}", s.candidate, s.score, s.terms);
            }
        }
        println!("{:?}", record.choice);
        let last = record.candidates.last().unwrap();
        println!("{}", last.plan.join("\n"));
    }
}
