//! The `tengen` binary: parse arguments, call the library, map errors to exit codes.

use std::process::ExitCode;

fn main() -> ExitCode {
    tengen::cli::main()
}
