//! What the pure program asks of runtime, as values. Nobody else acts on the world.

use std::path::PathBuf;

use crate::app::jobs::{Job, JobId};

/// One request to runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum Cmd {
    /// Leave the program.
    Quit,
    /// Give the terminal back until the shell continues us.
    Suspend,
    /// Forget what is on the screen and draw all of it.
    Redraw,
    /// Put a text on the terminal's clipboard.
    Copy(String),
    /// Write the screen as it stands into a file: a picture, or text, by its ending.
    Picture(PathBuf),
    /// Ring the terminal's bell.
    Bell,
    /// Start a job.
    Start(JobId, Job),
    /// Let the user edit a text in an editor of their own: a name for its file, the text. The reply is that of a job.
    Edit(JobId, String, String),
    /// Nobody waits for this job any more; it may stop early.
    Cancel(JobId),
}
