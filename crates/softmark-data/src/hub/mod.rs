//! Files of the Hugging Face Hub, at a pinned commit (feature `hub`).
//!
//! A file is named by repository, commit and path. It is fetched once through `hf-hub` into the cache that
//! all of Hugging Face's libraries share, and read from there by this crate's readers, within their limits. A
//! branch or a tag cannot name a file: it moves, and grades would move with it.
//!
//! ```no_run
//! use std::collections::BTreeMap;
//!
//! use softmark_data::hub::{Hub, HubFile, HubOptions, Kind, bar};
//! use softmark_data::trec;
//!
//! let environment: BTreeMap<String, String> = std::env::vars().collect();
//! let hub = Hub::new(HubOptions::from_environment(&environment))?.telling(bar());
//! let commit = "0123456789abcdef0123456789abcdef01234567";
//! let file = HubFile::new(Kind::Dataset, "owner/name", commit, "train_5500.label")?;
//! let questions = trec::read(&hub.fetch(&file)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The size of a file is not limited while it is fetched: use an endpoint that you trust.

mod fetch;
mod file;
mod options;
mod transfer;

pub use fetch::{Hub, HubError};
pub use file::{HubFile, Kind, NameError};
pub use options::{HubOptions, Network};
pub use transfer::{Transfer, bar};
