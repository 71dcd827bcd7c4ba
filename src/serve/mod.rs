//! `grade serve`: a web application on the ledger, for marking, reviewing and grading.
//!
//! ```text
//! connection ─► gate ─► routes ─► access ─► page ─► answer
//!               host,   path,     user,     reads the ledger,
//!               headers limits    role,     or makes one change
//!                                 CSRF
//! ```
//!
//! Invariants: no text of a submission gets into a page but through [`maud`], which escapes it; no part of a request is a path
//! of a file; every change is one `POST` of a known user with the token of the session, and is on the disk before it is
//! answered. A page is a function of a `Visit`, and runs where it may block.

mod access;
mod answer;
mod audit_log;
mod cache;
mod class;
mod code;
mod config;
mod connections;
mod context;
mod dispatch;
mod event_stream;
mod fields;
mod gate;
mod gradebook;
mod grading;
mod layout;
mod marking;
mod markup;
mod observed;
mod pages;
mod problem;
mod roster;
mod route;
mod routes;
mod server;
mod shared;
mod similarity;
mod stamp;
mod store_pool;
mod text;
mod visit;

pub use access::{ProxyHeader, Role, UserEntry, Users, UsersError, is_private, new_token};
pub use config::{AccessConfig, Config};
pub use roster::ReadRoster;
pub use server::{Listening, ServeError, listen};
