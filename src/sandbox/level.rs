//! How far submissions are isolated.

/// The level that is in force, as it stands in records.
///
/// - `limits`: processor time, wall time, memory, files, descriptors and output are limited, and
///   nothing outlives its end; files, the network and other processes of the user are in reach.
/// - `full`: none of those is in reach either.
pub const LEVEL: &str = "limits";
