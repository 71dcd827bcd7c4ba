//! Command that runs one check of one submission again.

use std::path::Path;

/// Submission, assignment and seed for the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Replay<'a> {
    /// Path of the submission, as the user typed it.
    pub(crate) path: &'a Path,
    /// Assignment, if the user had to name it.
    pub(crate) assignment: Option<&'a str>,
    /// Seed of all random inputs.
    pub(crate) seed: u64,
}

impl Replay<'_> {
    /// Returns the command for `check`, quoted for a shell.
    pub(crate) fn command(self, check: &str) -> String {
        let path = self.path.to_string_lossy();
        // With a `/`, the path is taken neither for an option nor for a subcommand.
        let path = if path.contains('/') { path.into_owned() } else { format!("./{path}") };
        let assignment =
            self.assignment.map(|id| format!(" --assignment {}", quote(id))).unwrap_or_default();
        let (path, check) = (quote(&path), quote(check));
        format!("grade {path}{assignment} --only {check} --seed {}", self.seed)
    }
}

/// Returns `text` as one word of a shell.
pub(crate) fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_pasted_into_a_shell() {
        let command = |path: &str, assignment| {
            let replay = Replay { path: Path::new(path), assignment, seed: 7 };
            replay.command("multi-head/parameters")
        };
        let rest = "--only multi-head/parameters --seed 7";
        assert_eq!(command("class/amara", None), format!("grade class/amara {rest}"));
        assert_eq!(command("show", None), format!("grade ./show {rest}"));
        assert_eq!(command("--seed", None), format!("grade ./--seed {rest}"));
        assert_eq!(
            command("my class/o'neil", Some("attention")),
            format!(r"grade 'my class/o'\''neil' --assignment attention {rest}")
        );
        assert_eq!(command("a/$(reboot)", None), format!("grade 'a/$(reboot)' {rest}"));
    }
}
