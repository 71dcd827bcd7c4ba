//! What tests share.

pub(crate) mod records;
