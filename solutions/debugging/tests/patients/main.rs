//! The patients of the assignment: what each of them shows, and that mending its one line makes it well.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop; helpers are not covered by clippy.toml"
)]

#[path = "../../../../assignments/debugging/examples/patients/course.rs"]
mod course;
#[path = "../../../../assignments/debugging/examples/patients/draw.rs"]
mod draw;
mod ill;
mod lines;
mod mended;
mod symptoms;
