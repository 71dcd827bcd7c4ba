//! Marking of written answers: one question at a time, across the class.
//!
//! ```text
//! /marking ─► question ─► answer ─► POST: mark ─► the same answer, the next one, or the next that is open
//!                 │          └────► POST: undo
//!                 ├─► rubric item ─► preview ─► POST: change
//!                 ├─► groups of similar answers ─► POST: mark together
//!                 └─► disagreements ─► answer, in the role that decides
//! ```
//!
//! Pages are functions of a [`Snapshot`](snapshot::Snapshot) of the ledger. Each form names the marking that its user saw, and
//! each `POST` adds rows in one transaction ([`crate::marking`] says which counts). Plain forms do everything; the script adds
//! keys and saves without loading the page.

mod answer;
mod assets;
mod choice;
mod context;
mod disagreements;
mod form;
mod group;
mod help;
mod mark_view;
mod overview;
mod questions;
mod route_list;
mod rubric_page;
mod save;
mod snapshot;

pub(super) use route_list::routes;
pub(super) use snapshot::{MarkingCache, Snapshot};
