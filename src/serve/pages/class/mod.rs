//! The class: all submissions in a table, filters, and figures.

mod figures;
mod filter;
mod filter_form;
mod show;
mod table;

pub(in crate::serve) use show::show;
