//! What tests share.

pub(crate) mod pack;
pub(crate) mod records;
