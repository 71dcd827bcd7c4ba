//! Similarity of submissions: finds pairs that agree beyond the skeleton and beyond what the class shares.
//!
//! The method is winnowing (Schleimer, Wilkerson and Aiken, *Winnowing: Local Algorithms for Document
//! Fingerprinting*, SIGMOD 2003) on the tokens of Rust, in which all names are the same and all literals are.
//!
//! ```text
//! survey ─► classes ─► tokens ─► fingerprints ─► shared ─► index ─► passages ─► Comparison ─► terminal, json, html
//!           reading    names and   k-grams that   skeleton   pairs     where they
//!                      literals    are kept       and class            agree
//! ```
//!
//! Invariants: nothing of a submission is run, and the text is read by a lexer alone, which accepts any text. Time and
//! memory are linear in the text, of which intake reads a mebibyte of a submission at most, apart from one step for each
//! fingerprint that two submissions have in common. The result depends on the texts and names alone.

mod classes;
mod comparison;
mod findings;
mod fingerprints;
mod format;
mod html;
mod index;
mod json;
mod listing;
mod passages;
mod prepared;
mod shared;
mod terminal;
mod threshold;
mod tokens;
mod words;

#[cfg(test)]
mod tests;

pub use classes::{Class, ClassSource, Classes, LeftOut, Material, read};
pub use comparison::{Comparison, Member, Pair, compare};
pub use findings::Findings;
pub use format::write;
pub use passages::{LineRange, Passage};
pub use threshold::Threshold;
pub(crate) use tokens::KEYWORDS;
