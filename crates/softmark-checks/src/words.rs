//! Formatting of counts in sentences.

/// Formats a count with its noun, in the singular if `n` is 1.
///
/// ```
/// use softmark_checks::words::count;
///
/// assert_eq!(count(1, "epoch", "epochs"), "1 epoch");
/// assert_eq!(count(0, "batch", "batches"), "0 batches");
/// ```
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
