//! What a test has to say although it passes.

use std::io::Write;

/// Says loudly that something is not tested here: past the capture of the test's output.
pub(crate) fn skipped(what: &str) {
    writeln!(std::io::stderr().lock(), "\nSKIPPED: {what}\n").unwrap();
}
