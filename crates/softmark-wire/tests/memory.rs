//! Decoding allocates memory for the bytes present, not for the sizes that a message claims.
//!
//! This test has a program of its own, since memory is counted for the whole process, and is the only test in
//! it, since tests run in parallel.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::io::{self, Read};

use softmark_wire::{MAX_FRAME_BYTES, Reply, Request, read_frame};

/// Returns the peak size of the address space, in KiB, as reported by the kernel.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmPeak:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn shaped(kind: u8, shape: &[u64]) -> Vec<u8> {
    // One entry without a name.
    let mut bytes = vec![kind, 1, 0, 0, 0, 0, 0, 0, 0, 2, u8::try_from(shape.len()).unwrap()];
    for size in shape {
        bytes.extend(size.to_le_bytes());
    }
    bytes
}

#[test]
fn claims_allocate_nothing() {
    let before = peak();
    for shape in [[1_u64 << 60].as_slice(), &[1 << 40], &[1 << 30, 1 << 30], &[1 << 33]] {
        assert!(Reply::decode(&shaped(2, shape)).is_err());
        assert!(Request::decode(&shaped(2, shape)).is_err());
    }
    for count in [u32::MAX, 1 << 30, 4096] {
        for kind in 0..6 {
            let message = [[kind].as_slice(), &count.to_le_bytes()].concat();
            drop(Reply::decode(&message));
            drop(Request::decode(&message));
        }
    }
    let length = u32::try_from(MAX_FRAME_BYTES).unwrap();
    for claimed in [length, length + 1, u32::MAX] {
        let header = [b"SMK\x01".as_slice(), &claimed.to_le_bytes()].concat();
        let mut cut = header.chain(&[7_u8; 100][..]);
        assert!(read_frame(&mut cut, MAX_FRAME_BYTES).is_err());
    }
    // The address space is measured: memory that is reserved and never touched counts too.
    assert!(peak() - before < 4096, "{} KiB", peak() - before);
    // An endless stream is read up to the limit and no further.
    let header = [b"SMK\x01".as_slice(), &length.to_le_bytes()].concat();
    let mut endless = header.chain(io::repeat(0));
    assert_eq!(read_frame(&mut endless, MAX_FRAME_BYTES).unwrap().len(), MAX_FRAME_BYTES);
    let most = 4 * (MAX_FRAME_BYTES as u64 >> 10);
    assert!(peak() - before < most, "{} KiB", peak() - before);
}
