//! Packages: what a platform needs to grade an assignment by itself.
//!
//! A packaged course is the course of one assignment without sources: the program with its checks, the assignment's files,
//! the course's secret, and the prebuilt libraries, which are named by their key (`softmark.pack`). It builds nothing, so
//! it needs a Rust toolchain of exactly the version that built the libraries, and no network.
//!
//! ```text
//! program, assignments/ID, secret, pack ─► contents ─┬─► gradescope: setup.sh, run_autograder ─► a zip archive
//!                                                    └─► github: a container and workflows ─► a folder
//! ```

mod archive;
mod contents;
mod error;
mod files;
mod github;
mod glibc;
mod gradescope;
mod metadata;
mod toolchain;

pub use contents::Contents;
pub use error::PackageError;
pub use github::Github;
pub use gradescope::{Gradescope, ToolchainSource};
pub use metadata::{Metadata, MetadataError};
