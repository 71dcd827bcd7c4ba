//! Pages; one file each.

pub(super) mod assets;
pub(super) mod class;
pub(super) mod login;
