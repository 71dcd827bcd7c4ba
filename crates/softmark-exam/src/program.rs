//! Worker programs that are linked with a submission.

/// Program to link with a submission.
#[derive(Debug, Clone)]
pub struct ProgramSpec {
    /// Name of the program: letters, digits and `_`.
    pub name: String,
    /// Text of the program's `main.rs`; the student's crate is called `submission` in it.
    pub main: String,
    /// Libraries of the pack that the text names, such as `softmark_worker`.
    pub libraries: Vec<String>,
    /// Libraries that the student's code names; the same for all programs of a submission.
    pub crates: StudentCrates,
}

/// Libraries of the pack that a student's code names `softmark_kit` and `candle_nn`.
///
/// They re-export what an assignment gives to its students, and nothing that it asks them to build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudentCrates {
    /// Library with the name `softmark_kit`.
    pub kit: String,
    /// Library with the name `candle_nn`.
    pub candle_nn: String,
}

impl Default for StudentCrates {
    /// The whole kit, and candle-nn as students get it if an assignment does not say otherwise.
    fn default() -> Self {
        Self { kit: "softmark_kit".to_owned(), candle_nn: "softmark_candle_nn".to_owned() }
    }
}

/// Returns the worker program `name` of the assignment `id`. It serves `components`, which is an expression over the
/// adapter of the assignment's specification and the crates `submission` and `solution`; only a program whose
/// expression names the solution contains it.
///
/// ```
/// let program = softmark_exam::program("prefix-tuning", "own", "components::<submission::Submission>");
/// assert_eq!(program.libraries, ["softmark_worker", "prefix_tuning_spec"]);
/// ```
pub fn program(id: &str, name: &str, components: &str) -> ProgramSpec {
    let id = id.replace('-', "_");
    let (spec, solution) = (format!("{id}_spec"), format!("{id}_solution"));
    let with_solution = components.contains("solution::");
    let import =
        if with_solution { format!("use {solution} as solution;\n") } else { String::new() };
    let main = format!(
        "{import}fn main() -> std::process::ExitCode {{ \
         softmark_worker::serve({spec}::adapter::{components}) }}"
    );
    let mut libraries = vec!["softmark_worker".to_owned(), spec.clone()];
    libraries.extend(with_solution.then_some(solution));
    let crates = StudentCrates { kit: spec, ..StudentCrates::default() };
    ProgramSpec { name: name.to_owned(), main, libraries, crates }
}
