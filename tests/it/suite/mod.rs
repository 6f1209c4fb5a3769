//! The suites.

mod bddl;
mod checks;
mod commands;
mod conform;
mod disk;
mod eai;
mod episodes;
mod fifty;
mod game_runs;
mod games;
mod hundred;
mod kill;
mod live;
mod llm;
mod packages;
mod play;
mod played;
mod profiles;
mod pty;
mod rules;
mod scenes;
mod screens;
mod strict;
mod tidy;
mod warnings;
