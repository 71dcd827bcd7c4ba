//! Limits of a submission's files, and the messages about files that the grader refuses.
//!
//! The grader and a student's `cargo test` use the same limits and the same words.

/// Most bytes of a source file: twenty times the longest solution.
pub const MAX_FILE_BYTES: u64 = 256 * 1024;

/// Most bytes of all source files together.
pub const MAX_TOTAL_BYTES: u64 = 1024 * 1024;

/// Most bytes of a file with written answers.
pub const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// Says that the file at `path` is missing.
///
/// ```
/// assert_eq!(softmark_checks::hand_in::missing("src/pooling.rs"), "`src/pooling.rs` is missing");
/// ```
pub fn missing(path: &str) -> String {
    format!("`{path}` is missing")
}

/// Says that the file at `path` has more than `limit` bytes.
pub fn too_large(path: &str, limit: u64) -> String {
    format!("`{path}` has more than the {limit} bytes allowed")
}

/// Says that the source files have `total` bytes together, which is above [`MAX_TOTAL_BYTES`].
pub fn too_large_together(total: u64) -> String {
    format!("the files have {total} bytes together, at most {MAX_TOTAL_BYTES} are taken")
}

/// Says that the file at `path` is not text.
pub fn not_text(path: &str) -> String {
    format!("`{path}` is not UTF-8 text")
}

/// Says that something is not used; `names` lists it.
pub fn not_used(names: &str) -> String {
    format!("not used: {names}")
}
