//! The suites.

mod bddl;
mod checks;
mod commands;
mod conform;
mod definitions;
mod disk;
mod eai;
mod episodes;
mod fifty;
mod game_runs;
mod games;
mod hundred;
mod kill;
mod live;
mod packages;
mod play;
mod played;
mod profiles;
mod pty;
mod rules;
mod scenes;
mod screens;
mod sessions;
mod strict;
mod tidy;
mod warnings;
