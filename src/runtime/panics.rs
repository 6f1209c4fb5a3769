//! What happens when the program has a fault.
//!
//! On the UI thread: the terminal is given back first, then the message and the way there are printed.
//! On any other thread the screen is alive and not touched: the message goes to the log, and the job
//! that failed is reported like any other failed job.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write as _;
use std::panic::PanicHookInfo;
use std::thread;

use tokio::sync::mpsc::Sender;

use crate::app::msg::Msg;
use crate::app::notice::Level;
use crate::base::text;
use crate::llm::key::scrub_loaded;
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

/// Puts our hook in place of any other, for commands without a screen: the message goes to standard error, with the way
/// there where `RUST_BACKTRACE` asks for it.
pub fn install_headless() {
    std::panic::set_hook(Box::new(|info| {
        let way = Backtrace::capture();
        let way = if way.status() == BacktraceStatus::Captured {
            format!("\n{way}")
        } else {
            String::new()
        };
        let report = format!("vesta: {}{way}", message(info));
        let _ = writeln!(std::io::stderr().lock(), "{}", text::print_safe(&report));
    }));
}

/// What went wrong and where in the source, in one line, without any key that was loaded.
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
    scrub_loaded(&format!("fault in the program{at}: {what}"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::llm::key::Key;

    const CANARY: &str = "sk-canary-90b7d1c45e6f2a38";

    /// Set in the child only: the hook is one for the whole process.
    const CHILD: &str = "VESTA_TEST_PANICS";

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "the child is told so by its parent"
    )]
    fn the_panicking_child() {
        let Ok(how) = std::env::var(CHILD) else {
            return;
        };
        let key = Key::of_variable("TEST_KEY", CANARY).unwrap();
        let (to, mut log) = tokio::sync::mpsc::channel(4);
        if how == "screen" {
            install(to);
        } else {
            install_headless();
        }
        let fails = move || panic!("no header: Bearer {CANARY} of {key:?}");
        assert!(thread::spawn(fails).join().is_err());
        if how == "screen" {
            let Ok(Msg::Log(Level::Error, told)) = log.try_recv() else {
                panic!("nothing is logged")
            };
            assert!(
                told.ends_with("no header: Bearer [key] of set, not shown"),
                "{told}"
            );
        }
        let _ = std::panic::take_hook();
    }

    #[test]
    fn a_key_that_is_loaded_is_in_no_message_of_a_fault() {
        for how in ["screen", "headless"] {
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["the_panicking_child", "--test-threads=1", "--nocapture"])
                .env(CHILD, how)
                .env("RUST_BACKTRACE", "full")
                .output()
                .unwrap();
            let all = [child.stdout, child.stderr].concat();
            let all = String::from_utf8_lossy(&all);
            assert!(child.status.success() && all.contains("1 passed"), "{all}");
            assert!(!all.contains("90b7d1") && !all.contains("2a38"), "{all}");
            let told = all.contains("no header: Bearer [key] of set, not shown");
            assert_eq!(told, how == "headless", "{all}");
        }
    }
}
