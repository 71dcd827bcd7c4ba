//! What has to hold of any bytes; a file for each reader.

mod assignment;
mod manifest;
mod record;
mod wire;

pub use assignment::assignment;
pub use manifest::manifest;
pub use record::record;
pub use wire::wire;
