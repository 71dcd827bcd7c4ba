//! Help of the program: its commands by purpose.

use std::fmt::Write;

use clap::Command;

use crate::report::text::{pad, width, wrap};

/// Commands by purpose. Each command is in one of them.
const PURPOSES: [(&str, &[&str]); 5] = [
    ("Grade submissions", &["run", "show", "explain", "mark", "feedback"]),
    (
        "Run a course",
        &["serve", "course", "regrade", "log", "diff", "override", "appeal", "stats", "similar"],
    ),
    ("Make assignments", &["new", "release", "audit", "calibrate"]),
    ("Grade on other machines", &["package", "autograde", "attach", "chunk"]),
    ("Set up", &["doctor", "completions", "man"]),
];

/// Returns the command line with help that lists its commands by purpose, in lines of `columns` columns.
pub(crate) fn by_purpose(command: Command, columns: usize) -> Command {
    let header = *command.get_styles().get_header();
    let mut text = String::new();
    let names = PURPOSES.iter().flat_map(|(_, names)| *names);
    let widest = names.map(|name| width(name)).max().unwrap_or(0);
    let room = columns.saturating_sub(widest + 4).max(20);
    for (purpose, names) in PURPOSES {
        writeln!(text, "{header}{purpose}:{header:#}").ok();
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let mut lead = pad(name, widest);
            for line in wrap(&about, room) {
                writeln!(text, "  {lead}  {line}").ok();
                lead = " ".repeat(widest);
            }
        }
        text.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{header}Arguments:{header:#}\n{{positionals}}\n\n\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::cli::args::Args;

    #[test]
    fn each_command_has_one_purpose() {
        let command = Args::command();
        let all: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let listed: Vec<&str> =
            PURPOSES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(listed.len(), all.len(), "a command is listed twice");
    }
}
