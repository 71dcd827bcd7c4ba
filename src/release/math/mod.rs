//! Formulas of handouts: a small part of LaTeX, as Unicode text and as MathML.
//!
//! There is one reader and two writers, so a formula that the site shows is also in the `README.md`. Whatever the reader does
//! not know is an error with its place, never text in a release.
//!
//! The site has MathML Core, which browsers lay out by themselves: no script, no fonts, no style sheet from elsewhere. KaTeX
//! needs a script and twenty fonts in each release; `pulldown-latex` would be a second reader, which accepts other formulas
//! than the writer of Unicode text could be given, and its MathML needs a style sheet of its own.

mod alphabets;
mod block;
mod commands;
mod error;
mod mathml;
mod node;
mod parser;
mod scripts;
mod spacing;
mod symbols;
mod tokens;
mod unicode;

pub(super) use error::FormulaError;
pub(super) use mathml::mathml;
pub(super) use node::{Formula, Layout};
pub(super) use parser::parse;
pub(super) use unicode::unicode;
