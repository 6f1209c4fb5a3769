//! `vesta bench watch`: what it costs to watch runs that others are playing.
//!
//! First the follower alone (`follow`), then the wall as a person has it (`wall`): this very program plays so many runs,
//! each in a process of its own, and shows them in a pseudo terminal in which keys are pressed.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use crate::cli::Exit;
use crate::cli::out::Out;

mod follow;
mod wall;

/// Flags of `vesta bench watch`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 16)]
    runs: usize,
    /// Events a second and run
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rate: u32,
    /// Looks a second of the follower alone
    #[arg(long, value_name = "N", default_value_t = 20)]
    looks: u32,
    /// Seconds to follow them without a screen
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    seconds: f64,
    /// Minutes to watch them on the wall
    #[arg(long, value_name = "M", default_value_t = 1)]
    minutes: u32,
    /// The task they play
    #[arg(long, default_value = "V022")]
    task: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Write runs there until ended
    #[arg(long, value_name = "DIR", hide = true)]
    write: Option<PathBuf>,
}

/// Measures and prints.
///
/// # Errors
/// The runs cannot be played, followed or shown.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    if let Some(dir) = &args.write {
        return follow::write(args, dir).map(|()| Exit::Fine);
    }
    let it = follow::measure(args)?;
    let seen = match args.minutes {
        0 => None,
        minutes => Some(wall::measure(args, minutes)?),
    };
    if args.json {
        let wall = seen.as_ref().map(|seen| {
            json!({
                "minutes": args.minutes, "events": seen.events, "keys": seen.keys, "key_p50_ms": seen.p50,
                "key_p99_ms": seen.p99, "key_max_ms": seen.max, "cpu_percent": seen.cpu,
                "kib_by_minute": seen.resident, "kib_grown": seen.grown(),
            })
        });
        out.json(&json!({
            "runs": args.runs, "seconds": it.seconds, "events": it.events, "cpu_percent": it.cpu,
            "kib_at_half": it.half, "kib_at_end": it.end, "bytes_per_event": it.slope, "look_us_max": it.worst,
            "wall": wall,
        }))?;
        return Ok(Exit::Fine);
    }
    out.line(&format!(
        "{} runs followed for {:.0} s, {} looks a second: {} events ({:.0} a second)",
        args.runs,
        it.seconds,
        args.looks,
        it.events,
        it.events as f64 / it.seconds
    ))?;
    out.line(&format!(
        "{:.2} % of one core; {} KiB at half time, {} KiB at the end ({:.0} bytes an event); the longest look at all of \
         them took {:.0} µs",
        it.cpu, it.half, it.end, it.slope, it.worst
    ))?;
    if let Some(seen) = seen {
        tell(args, &seen, out)?;
    }
    Ok(Exit::Fine)
}

fn tell(args: &Args, seen: &wall::Figures, out: &mut Out) -> Result<()> {
    let told = |n: Option<f64>| n.map_or("?".to_owned(), |n| format!("{n:.2}"));
    out.line(&format!(
        "{} runs on the wall for {} min: {} events ({:.0} a second), {} keys: key p50 {:.2}  p99 {:.2}  max {:.2} ms; \
         {} % of one core",
        args.runs,
        args.minutes,
        seen.events,
        seen.events as f64 / seen.seconds,
        seen.keys,
        seen.p50,
        seen.p99,
        seen.max,
        told(seen.cpu),
    ))?;
    let each: Vec<String> = seen.resident.iter().map(ToString::to_string).collect();
    out.line(&format!(
        "KiB resident at the start and after each minute: {}",
        each.join(" ")
    ))?;
    Ok(())
}
