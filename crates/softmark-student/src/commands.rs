//! The commands of the command line.

use std::path::{Path, PathBuf};

use softmark_checks::similar_names::{alternatives, similar_names};
use softmark_checks::{Check, Task};

use crate::args::{Command, HELP, Selection, is_selected};
use crate::change::{Change, NO_CHANGES};
use crate::classroom;
use crate::error::StudentError;
use crate::hints;
use crate::pack;
use crate::pages;
use crate::paper::{Ink, Paper};
use crate::printer::{Printer, printing};
use crate::progress::Progress;
use crate::results::{CheckResult, State, Tally};
use crate::setting::Setting;
use crate::text;
use crate::watch;

/// Carries out commands.
pub(crate) struct Commands<'a, 'b> {
    /// The assignment.
    pub(crate) setting: &'a Setting,
    /// Writer of the results.
    pub(crate) paper: &'a mut Paper<'b>,
}

type Done = Result<bool, StudentError>;

impl Commands<'_, '_> {
    /// Carries out a command; returns true if all is right.
    ///
    /// # Errors
    ///
    /// Fails if the command cannot be carried out.
    pub(crate) fn carry_out(mut self, command: Command) -> Done {
        match command {
            Command::Run(selection) => self.run(&selection),
            Command::List(filters) => self.list(&filters),
            Command::Hint(name) => self.hint(&name),
            Command::Explain(name) => self.explain(name.as_deref()),
            Command::Progress => self.progress(),
            Command::Watch(selection) => watch::watch(self.setting, &selection).map(|()| true),
            Command::Pack(path) => self.pack(path),
            Command::Help => self.write(HELP.trim_end()),
            // The main function has answered already.
            Command::Answer(_) => Ok(true),
        }
    }

    fn run(&mut self, selection: &Selection) -> Done {
        let setting = self.setting;
        let hand_in = setting.hand_in();
        text::hand_in(&hand_in, self.paper).map_err(printing)?;
        let checks = setting.selected(selection)?;
        let program =
            std::env::current_exe().map_err(StudentError::io("find", Path::new("the program")))?;
        let runner = setting.runner(selection, &program, Change::latest(&NO_CHANGES));
        // In this process, where the code may be stopped in a debugger, nothing more is asked of it.
        let asks = (!selection.is_same_process).then_some(&runner);
        let mut printer = Printer::new(setting, selection.seed, asks, self.paper);
        let mut tell = |result: CheckResult| printer.take(result);
        if selection.is_same_process {
            runner.run_here(&checks, setting.components, &mut tell)?;
        } else {
            runner.run(&checks, &mut tell)?;
        }
        let all = printer.finish()?;
        if let Some(path) = &selection.classroom {
            classroom::write(path, &all)?;
        }
        let changes = setting.keep(&all)?;
        text::changes(&changes, self.paper).map_err(printing)?;
        let tally = Tally::of(&all);
        text::summary(tally, hand_in.rejected.len(), self.paper).map_err(printing)?;
        Ok(tally.is_all_right() && hand_in.rejected.is_empty())
    }

    fn list(&mut self, filters: &[String]) -> Done {
        for task in self.setting.tasks {
            let checks: Vec<&Check> =
                task.checks.iter().filter(|check| is_selected(filters, check.id)).collect();
            if !checks.is_empty() {
                self.title(task)?;
            }
            for Check { id, title, .. } in checks {
                self.write(&format!("  {id}: {title}"))?;
            }
        }
        Ok(true)
    }

    fn hint(&mut self, name: &str) -> Done {
        let found: Vec<&'static Check> =
            self.setting.checks().filter(|check| check.id.contains(name)).collect();
        let exact = found.iter().copied().find(|check| check.id == name);
        let check = match (exact, found.as_slice()) {
            (Some(check), _) | (None, &[check]) => check,
            (None, []) => return Err(self.setting.unknown(name)),
            (None, several) => {
                let names: Vec<&str> = several.iter().map(|check| check.id).collect();
                let names = names.join(", ");
                let message = format!("`{name}` is in the names of more than one check: {names}");
                return Err(StudentError::Usage(message));
            }
        };
        let Some(hints) = self.setting.hints.get(check.id) else {
            let id = check.id;
            return self.write(&format!("there are no hints on `{id}`: ask a person"));
        };
        let mut progress = Progress::read(&self.setting.folder);
        let shown = progress.one_more_hint(check.id, hints::EACH);
        progress.write(&self.setting.folder)?;
        let title = self.paper.ink(Ink::Bold, check.title);
        self.write(&format!("{title}  ({})", check.id))?;
        for (title, hint) in hints.all().into_iter().take(shown) {
            let title = self.paper.ink(Ink::Bold, title);
            self.write(&format!("\n{title}"))?;
            self.paper.paragraph("  ", hint).map_err(printing)?;
        }
        let more = hints::EACH - shown;
        let next = match more {
            0 => "these are all hints".to_owned(),
            _ => format!("{more} more: the same command again"),
        };
        self.paper
            .inked(Ink::Dim, &format!("\nhint {shown} of {}; {next}", hints::EACH))
            .map_err(printing)?;
        Ok(true)
    }

    fn explain(&mut self, name: Option<&str>) -> Done {
        let pages = pages::read(&self.setting.folder);
        let Some(name) = name else {
            if pages.is_empty() {
                return self.write("this assignment came without pages about mistakes");
            }
            for (name, page) in &pages {
                self.write(name)?;
                self.paper.paragraph("    ", pages::summary(page)).map_err(printing)?;
            }
            return Ok(true);
        };
        if let Some(page) = pages.get(name) {
            return self.write(page.trim_end());
        }
        let close = similar_names(name, pages.keys().map(String::as_str));
        let hint = if close.is_empty() {
            "`--explain` without a name lists all".to_owned()
        } else {
            format!("did you mean {}?", alternatives(&close))
        };
        Err(StudentError::Usage(format!("there is no page about `{name}`: {hint}")))
    }

    fn progress(&mut self) -> Done {
        let progress = Progress::read(&self.setting.folder);
        let points = self.setting.assignment.points();
        let worth = |check: &Check| points.get(check.id).copied().unwrap_or_default();
        let (mut earned, mut all) = (0.0, 0.0);
        for task in self.setting.tasks {
            self.title(task)?;
            for check in task.checks {
                let state = progress.state(check.id);
                let (mark, ink) = state.map_or((" ", Ink::Dim), text::mark);
                let mark = self.paper.ink(ink, mark);
                let (points, title) = (worth(check), check.title);
                self.write(&format!("  {mark} {title}  ({})", text::points(points)))?;
                all += points;
                earned += if state == Some(State::Right) { points } else { 0.0 };
            }
        }
        let (earned, all) = (text::points(earned), text::points(all));
        self.write(&format!("\npublic checks, when they last ran: {earned} of {all} points"))
    }

    fn pack(&mut self, path: Option<PathBuf>) -> Done {
        let Setting { assignment, folder, .. } = self.setting;
        if !assignment.is_there() {
            let reason = "there is no assignment.toml in this folder, so nothing is handed in";
            return Err(StudentError::Assignment(reason.to_owned()));
        }
        let hand_in = self.setting.hand_in();
        let path = path.unwrap_or_else(|| folder.join(format!("{}.zip", assignment.id)));
        let packed = pack::write(&hand_in, &path)?;
        for (name, content) in &hand_in.files {
            self.write(&format!("{:>9}  {name}", content.len()))?;
        }
        text::hand_in(&hand_in, self.paper).map_err(printing)?;
        let (files, path) = (hand_in.files.len(), packed.path.display());
        self.write(&format!("\n{path}: {files} files, {} bytes", packed.bytes))
    }

    /// Writes the title of a task.
    fn title(&mut self, task: &Task) -> Done {
        let title = self.paper.ink(Ink::Bold, task.title);
        self.write(&format!("\n{title}  ({})", task.file))
    }

    fn write(&mut self, line: &str) -> Done {
        self.paper.line(line).map_err(printing)?;
        Ok(true)
    }
}
