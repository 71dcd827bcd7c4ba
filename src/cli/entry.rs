//! Entry point: runs a command line and returns its exit status.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use crate::cli::args::{Args, COMMAND, MAX_WIDTH};
use crate::cli::commands::{
    appeal, attach, audit, autograde, calibrate, chunk, course_check, course_grades, diff, doctor,
    explain, feedback, log, mark, new, override_points, package, regrade, release, run, serve,
    shell, show, similar, stats,
};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::help::by_purpose;
use crate::cli::plan::{CoursePlan, Plan, plan};
use crate::cli::printer::Printer;
use crate::report::Style;
use crate::suite::Catalog;

/// Runs the command line `args`, whose first element is the name of the program, with the exams of `catalog`.
pub fn main(args: Vec<OsString>, catalog: Catalog) -> ExitCode {
    let env = Env::read(catalog);
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let mut printer = Printer::new(&mut out, &mut err, &env);
    exit(args, &env, &mut printer).into()
}

fn exit(args: Vec<OsString>, env: &Env, printer: &mut Printer<'_>) -> Exit {
    let width = printer.layout.width;
    let command = by_purpose(Args::command(), width.min(MAX_WIDTH)).term_width(width);
    let parsed = command
        .try_get_matches_from(with_command(args))
        .and_then(|matches| Args::from_arg_matches(&matches));
    let done = match parsed {
        Ok(args) => plan(args, env).and_then(|plan| carry_out(plan, env, printer)),
        Err(error) => return told(&error, printer),
    };
    done.unwrap_or_else(|failure| {
        printer.failure(&failure);
        failure.exit
    })
}

/// Joins `--on command CMD` to one option: its value has two words.
fn with_command(args: Vec<OsString>) -> Vec<OsString> {
    let mut joined = Vec::new();
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        if arg == "--on" && args.peek().is_some_and(|next| next == COMMAND) {
            let mut value = OsString::from("--on=");
            value.push(args.next().unwrap_or_default());
            if let Some(command) = args.next() {
                value.push(" ");
                value.push(command);
            }
            joined.push(value);
        } else {
            joined.push(arg);
        }
    }
    joined
}

fn carry_out(plan: Plan, env: &Env, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    match plan {
        Plan::Run(plan) => run::run(&plan, env, printer),
        Plan::Chunk(file) => chunk::chunk(&file, env),
        Plan::Attach(folder) => attach::attach(&folder, env, printer),
        Plan::Package(plan) => package::package(&plan, env, printer),
        Plan::Autograde(plan) => autograde::autograde(&plan, env, printer),
        Plan::Show(plan) => show::show(&plan, env.catalog, printer),
        Plan::Mark(plan) => mark::mark(&plan, printer),
        Plan::Feedback(plan) => feedback::feedback(&plan, env.catalog, printer),
        Plan::Similar(plan) => similar::similar(&plan, printer),
        Plan::Override(plan) => override_points::override_points(&plan, printer),
        Plan::Appeal(plan) => appeal::appeal(&plan, printer),
        Plan::Regrade(mut plan) => regrade::regrade(&mut plan, env, printer),
        Plan::Log(plan) => log::log(&plan, printer),
        Plan::Diff(plan) => diff::diff(&plan, printer),
        Plan::Stats(plan) => stats::stats(&plan, printer),
        Plan::Serve(plan) => serve::serve(&plan, env, printer),
        Plan::Explain(mistake) => explain::explain(mistake.as_deref(), env.catalog, printer),
        Plan::Calibrate(plan) => calibrate::calibrate(&plan, env, printer),
        Plan::Audit(plan) => audit::audit(&plan, env, printer),
        Plan::Doctor(plan) => doctor::doctor(&plan, env, printer),
        Plan::Course(CoursePlan::Check(plan)) => course_check::check(&plan, printer),
        Plan::Course(CoursePlan::Grades(plan)) => course_grades::grades(&plan, printer),
        Plan::New(plan) => new::new(&plan, printer),
        Plan::Release(plan) => release::release(&plan, env.catalog, printer),
        Plan::Completions(shell) => shell::completions(shell, printer),
        Plan::Man(out) => shell::man(&out, printer),
    }
}

/// Prints the parser's output: help, the version, or a usage error.
fn told(error: &clap::Error, printer: &mut Printer<'_>) -> Exit {
    let text = error.render();
    let shown = |style| match style {
        Style::Colored => text.ansi().to_string(),
        Style::Plain => text.to_string(),
    };
    let is_data = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !is_data {
        let text = shown(printer.style);
        printer.plain(text);
        return Exit::Usage;
    }
    let text = shown(printer.layout.style);
    match printer.data(|_, out| out.write_all(text.as_bytes())) {
        Ok(()) => Exit::Success,
        Err(failure) => {
            printer.failure(&failure);
            failure.exit
        }
    }
}
