//! The public checks of an assignment, as a student's `cargo test` runs them.
//!
//! ```text
//! args ─► run ─► Check ─► ChildSession ─► process: serve_at ─► the student's code
//!          │                    ▲
//!          │                 Monitor (processor time, memory, printed text)
//!          ▼
//!      results ─► text, watch, progress
//! ```
//!
//! Each check asks the code in a process of its own, with the limits that `assignment.toml` states for the grader, so a loop,
//! an abort or memory that grows without end is the result of that check, and the others still run. The program of the checks
//! starts itself for this, with [`softmark_worker::serve_at`].
//!
//! Nothing here is trusted: the grader runs the same checks again, on its own side.

mod args;
mod assignment;
mod change;
mod child;
mod classroom;
mod clock;
mod commands;
mod error;
mod hand_in;
mod hints;
mod known_mistake;
mod limits;
mod monitor;
mod pack;
mod pages;
mod paper;
mod printed;
mod printer;
mod progress;
mod results;
mod run;
mod setting;
mod text;
mod watch;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use softmark_checks::Task;
use softmark_kit::component::Components;

use args::Command;
use commands::Commands;
use paper::Paper;
use setting::Setting;

/// Exit status if a command cannot be carried out.
const FAILED: u8 = 2;

/// Runs the public checks of `tasks` on the code behind `components`, or carries out another command of the command line. It
/// is the `main` of an assignment's `tests/public.rs`; `--help` lists all commands.
///
/// The exit status is 0 if all is right, 1 if a check does not pass, and 2 if a command cannot be carried out.
pub fn main(tasks: &'static [Task], components: fn() -> Components) -> ExitCode {
    let command = match args::read(std::env::args_os().skip(1)) {
        Ok(Command::Answer(port)) => return softmark_worker::serve_at(components, port),
        command => command,
    };
    let mut out = io::stdout().lock();
    let has_color =
        out.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    let done = command.and_then(|command| {
        let setting = Setting::read(tasks, components)?;
        Commands { setting: &setting, paper: &mut Paper::new(&mut out, has_color) }
            .carry_out(command)
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // If writing this fails too, nothing is left to do.
            drop(writeln!(out, "{error}"));
            ExitCode::from(FAILED)
        }
    }
}
