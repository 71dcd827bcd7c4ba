//! The protocol's version.

/// The version that both sides send in their first message; a worker of another version gets no further requests.
///
/// | version | what changed |
/// |---|---|
/// | 1 | construct, forward, gradients, parameters |
/// | 2 | train |
/// | 3 | detectors, and experiments that they make |
/// | 4 | parameters are read back, and changed in place |
/// | 5 | construct and another request in one message |
/// | 6 | a training may end early |
pub const PROTOCOL_VERSION: u32 = 6;
