//! What has to hold of any bytes; a file for each reader.

pub mod archive;
mod assignment;
mod checkpoint;
mod manifest;
mod record;
mod wire;

pub use archive::archive;
pub use assignment::assignment;
pub use checkpoint::checkpoint;
pub use manifest::manifest;
pub use record::record;
pub use wire::wire;
