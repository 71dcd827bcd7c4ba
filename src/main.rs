//! The `grade` program.
fn main() {}
