//! What happens when the program has a fault.
//!
//! On the UI thread: the terminal is given back first, then the message and the way there are printed.
//! On any other thread the screen is alive and not touched: the message goes to the log, and the job
//! that failed is reported like any other failed job.

use std::backtrace::Backtrace;
use std::io::Write as _;
use std::panic::PanicHookInfo;
use std::thread;

use tokio::sync::mpsc::Sender;

use crate::app::msg::Msg;
use crate::app::notice::Level;
use crate::base::text;
use crate::runtime::terminal;

/// Puts our hook in place of any other. Call it on the UI thread before the terminal is taken.
pub fn install(log: Sender<Msg>) {
    let ui = thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if thread::current().id() == ui {
            let left = terminal::leave();
            let report = format!("vesta: {}\n{}", message(info), Backtrace::force_capture());
            let mut err = std::io::stderr().lock();
            let _ = writeln!(err, "{}", text::print_safe(&report));
            if let Err(cause) = left {
                let _ = writeln!(err, "vesta: the terminal could not be given back: {cause}");
            }
        } else {
            // A full queue or a loop that has ended loses the line, never the screen.
            let _ = log.try_send(Msg::Log(Level::Error, message(info)));
        }
    }));
}

/// What went wrong and where in the source, in one line.
fn message(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let what = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let at = info.location().map_or(String::new(), |at| {
        format!(" at {}:{}", at.file(), at.line())
    });
    format!("fault in the program{at}: {what}")
}
