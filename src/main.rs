//! The `vesta` program: a thin shell around the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    vesta::cli::main()
}
