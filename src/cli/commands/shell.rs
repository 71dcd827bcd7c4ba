//! `grade completions` and `grade man`: what a shell and a manual know of the command line.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::args::Args;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::printer::Printer;

/// Prints the completions of commands and options for a shell.
///
/// # Errors
///
/// Fails if stdout cannot be written to.
pub(crate) fn completions(shell: Shell, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "grade", &mut script);
    printer.data(|_, out| out.write_all(&script))?;
    Ok(Exit::Success)
}

/// Writes a manual page for the program and for each command into the folder `out`, which is created if needed.
///
/// # Errors
///
/// Fails if a file cannot be written.
pub(crate) fn man(out: &Path, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let failed = |error| Failure::unwritten(out, &error);
    fs::create_dir_all(out).map_err(failed)?;
    clap_mangen::generate_to(Args::command(), out).map_err(failed)?;
    printer.plain(format_args!("written    {}\n", out.display()));
    Ok(Exit::Success)
}
