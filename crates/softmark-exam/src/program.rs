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
}

/// Returns a worker program that serves the components of `table`, an expression over the worker
/// and the crate `solution`; only a program with a reference has that crate.
pub fn program(name: &str, table: &str, solution: Option<&str>) -> ProgramSpec {
    let libraries = std::iter::once("softmark_worker").chain(solution);
    ProgramSpec {
        name: name.to_owned(),
        main: format!(
            "fn main() -> std::process::ExitCode {{ softmark_worker::serve(softmark_worker::{table}) }}"
        ),
        libraries: libraries.map(str::to_owned).collect(),
    }
}
