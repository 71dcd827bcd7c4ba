//! Built-in data sets, written by grammars of our own: they need no download, and any number of
//! examples can be had from any seed.
//!
//! Both are made so that words alone do not give the answer. Every text names things of several
//! classes, and which of them counts is told by the order of the words. A mean of embeddings sees
//! all the things and none of the order.
//!
//! | set | classes | what decides |
//! |---|---|---|
//! | [`questions`] | six, as TREC has them | the noun that the question word belongs to |
//! | [`topics`] | four, as AG News has them | the noun that no word such as `not` belongs to |
//!
//! For pretraining there is a [`corpus`] of texts without labels.
//!
//! ```
//! use softmark_kit::data::questions;
//!
//! let questions = questions::generate(1, 3);
//! assert_eq!(questions.len(), 3);
//! assert_eq!(questions, questions::generate(1, 3));
//! for question in &questions {
//!     assert!(question.text.ends_with(" ?"));
//! }
//! ```

pub mod corpus;
mod pick;
pub mod questions;
pub mod topics;
pub mod vocabulary;

pub use vocabulary::Vocabulary;

/// A text and its class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Labelled {
    /// Words and punctuation, with single spaces between.
    pub text: String,
    /// The class's number, in the order of the set's `CLASSES`.
    pub label: u32,
    /// A finer label, which must never become part of the text.
    pub fine: &'static str,
}
