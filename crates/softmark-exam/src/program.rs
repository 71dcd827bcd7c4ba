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
    /// Library of the pack that the student's code names `softmark_kit`; the same for all programs of a submission.
    pub kit: String,
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
    ProgramSpec { name: name.to_owned(), main, libraries, kit: spec }
}
