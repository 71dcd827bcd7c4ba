//! Static checks of a submission's text: what the grader refuses before it compiles anything.
//!
//! The grader and a student's `cargo test` call the same functions, so a student reads the same words
//! before handing in. Tokens come from rustc's own lexer, and a file's beginning is stripped as rustc
//! strips it (`token.rs`).
//!
//! - [`compile_time_reads`] finds code that reads files or the environment while it is compiled.
//! - [`unsafe_code`] finds `unsafe`.
//!
//! Library items that an assignment asks for need no such check: the libraries that its students get do not
//! contain them.

mod compile_time;
mod token;

use std::collections::BTreeMap;

pub use compile_time::{compile_time_reads, unsafe_code};

/// The files of a submission: path below `src/`, and text.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A place in a submission that the grader refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Path of the file below `src/`.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// The refused name and the reason, for the student; begins with `src/FILE:LINE: `.
    pub message: String,
}

impl Refusal {
    fn new(file: &str, line: usize, why: &str) -> Self {
        Self { file: file.to_owned(), line, message: format!("src/{file}:{line}: {why}") }
    }
}
