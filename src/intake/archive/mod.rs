//! Archives: read where they lie, and never unpacked.
//!
//! Invariant: nothing is decompressed before the whole list of entries has been judged, and nothing
//! but the files that were asked for afterwards.
//!
//! ```text
//! bytes ── zip, tar ──► Index (a tree of names) ── judged ──► the files asked for
//! ```
//!
//! The lists are read by the code here, and not by a library: what makes an archive dangerous is
//! two readers that see two things in it, and libraries are built to make the best of what they
//! find (of two entries with one name the last, of two ends the one that works, of a size too large
//! to believe its lower half). Here an archive has one meaning or is rejected. Decompressing is
//! `flate2`'s.
//!
//! [`read_bytes`] is all of it as a function of bytes.
//!
//! # Litter
//!
//! Packing a whole folder packs what tools keep in it. Below `target/`, `__MACOSX/` and whatever
//! begins with a dot, links and names that differ in case only are passed over, as they are in a
//! folder: nothing there is used. Names that lead elsewhere, or stand twice, are rejected there
//! too, and limits count everything.

mod fault;
mod format;
mod index;
mod limits;
mod offence;
mod open;
mod path;
mod source;
mod tar;
mod zip;

pub(crate) use fault::Fault;
pub(crate) use format::{is_archive, stem};
pub(crate) use index::Node;
pub use limits::Limits;
pub use offence::{EntryName, Offence};
pub(crate) use open::Archive;
pub use open::{Contents, read_bytes};
pub(crate) use source::Source;
