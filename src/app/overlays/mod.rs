//! What may lie over a screen: one file each, one line each in the list below.
//! See [`crate::app`] for how to add one.

pub mod behind;
pub mod check;
pub mod computed;
pub mod formula;
pub mod help;
pub mod launch;
pub mod log;
pub mod palette;
pub mod patch;
pub mod prompt;
pub mod runs;

use crate::app::layer::{Layer, Overlaid};

/// How much of the screen an overlay takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A box of its own in the body.
    Popup,
    /// The whole body.
    Body,
    /// The bottom row.
    Row,
}

/// Writes the `Overlay` enum.
macro_rules! overlays {
    ($($variant:ident($state:ty), $extent:ident;)+) => {
        /// Any overlay, with its own state.
        #[derive(Debug)]
        pub enum Overlay {
            $(#[doc = concat!("The overlay of [`", stringify!($state), "`].")] $variant(Box<$state>),)+
        }

        impl Overlay {
            /// The overlay with its heading.
            pub fn overlaid(&self) -> &dyn Overlaid {
                match self { $(Self::$variant(it) => it.as_ref(),)+ }
            }

            /// The overlay as a layer.
            pub fn layer(&self) -> &dyn Layer {
                match self { $(Self::$variant(it) => it.as_ref(),)+ }
            }

            /// The overlay as a layer that may change.
            pub fn layer_mut(&mut self) -> &mut dyn Layer {
                match self { $(Self::$variant(it) => it.as_mut(),)+ }
            }

            /// How much of the screen it takes.
            pub const fn extent(&self) -> Extent {
                match self { $(Self::$variant(_) => Extent::$extent,)+ }
            }
        }
    };
}

overlays! {
    Help(help::Help), Body;
    Palette(palette::Palette), Popup;
    Prompt(prompt::Prompt), Row;
    Log(log::Log), Body;
    Runs(runs::Runs), Popup;
    Check(check::Check), Popup;
    Patch(patch::Patch), Popup;
    Behind(behind::Behind), Popup;
    Computed(computed::Computed), Popup;
    Launch(launch::Launch), Popup;
    Formula(formula::Formula), Popup;
}

/// Every stack of contexts an overlay can have, for the conflict test.
pub const CONTEXTS: &[&[&str]] = &[
    &["help", "list"],
    &["filter", "input"],
    &["palette", "input"],
    &["prompt", "input"],
    &["log", "list"],
    &["runs", "list"],
    &["check", "list"],
    &["patch", "list"],
    &["behind", "list"],
    &["computed", "list"],
    &["launch", "input"],
    &["formula", "list"],
];
