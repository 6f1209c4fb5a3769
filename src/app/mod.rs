//! The program without a terminal: state, what can happen ([`msg::Msg`]), what follows from it
//! ([`update::update`] -> [`cmd::Cmd`]). Pure: no I/O, no clock, no ratatui; time comes in as
//! `Msg::Tick`, data comes in as job replies.
//!
//! # How the pieces hang together
//! ```text
//! key -> State::contexts (nearest first) -> keymap -> command line "next goal"
//!     -> the layer that claims the context: when() says whether, run() says what follows (Acts)
//!     -> update turns Acts into state changes and Cmds; runtime executes the Cmds
//! job reply -> Msg::Job(id, event) -> the layer that started it, by slot; stale ids are dropped
//! ```
//! A *layer* is a screen or an overlay ([`layer::Layer`]). Screens are places one can go back to
//! (`Ctrl-O`, `Ctrl-N`); overlays lie on top and take the keys.
//!
//! # Adding a screen
//! 1. `app/screens/x.rs`: a struct with the screen's own state; `impl Layer` and `impl Place` for it; a
//!    `COMMANDS` const; a `SCREEN: ScreenDesc` const (its opener, contexts, signs, filter fields).
//! 2. One line in the `screens!` list of `app/screens/mod.rs`.
//! 3. A row in [`commands::CONTEXTS`] for its commands; rows in `assets/keymap.toml` for its keys.
//! 4. `ui/screens/x.rs` with `draw(&X, &View, &mut Canvas)`, and the arm in `ui/screens/mod.rs` the
//!    compiler then asks for.
//! 5. A row in `tests/it/suite/screens/mod.rs`: snapshots at all sizes and the tiny-size test come from it.
//!
//! It is then a command (`:x ARGS`), in the palette, in help, in `vesta --plain --screen x`.
//!
//! # Adding an overlay
//! The same with `app/overlays/x.rs`, `impl Overlaid`, one line in `overlays!`, `ui/overlays/x.rs`. A
//! layer shows it with `Act::Show(Overlay::X(Box::new(x)))`; it closes itself with `Act::Close`. An
//! overlay that must tell the layer below something ends with `Act::Run("command args")`.
//!
//! # Adding a command, a context, a job
//! See [`commands`] and [`jobs`].

pub mod arena;
pub mod checks;
pub mod cmd;
pub mod commands;
pub mod compare;
pub mod edit;
pub mod edit_text;
pub mod filter_line;
pub mod fuzzy;
pub mod games;
pub mod glyph;
pub mod hints;
pub mod jobs;
pub mod key;
pub mod keymap;
pub mod labels;
pub mod launch;
pub mod layer;
pub mod library;
pub mod list;
pub mod live;
pub mod long;
pub mod msg;
pub mod notice;
pub mod overlays;
pub mod pages;
pub mod parts;
pub mod places;
pub mod profiles;
pub mod prompts;
pub mod reports;
pub mod role;
pub mod runs;
pub mod screens;
pub mod settings;
pub mod shelves;
pub mod spoken;
pub mod state;
pub mod steer;
pub mod tables;
pub mod tries;
pub mod update;

#[cfg(test)]
mod tests;
