//! A limit of memory that hangs on the size of the input, not on what the input says.

use std::alloc::System;

use cap::Cap;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// What may be allocated whatever the input: messages, tables, buffers of fixed size.
const BASE: usize = 1 << 20;

/// Puts `data` to `property`, which may allocate a megabyte and `factor` bytes for each byte of
/// `data` at a time. More than that is refused, which ends the program.
pub fn bounded(data: &[u8], factor: usize, property: fn(&[u8])) {
    let most = ALLOCATOR.allocated().saturating_add(BASE).saturating_add(data.len() * factor);
    // Refused only where more is already in use.
    assert!(ALLOCATOR.set_limit(most).is_ok());
    property(data);
    assert!(ALLOCATOR.set_limit(usize::MAX).is_ok());
}
