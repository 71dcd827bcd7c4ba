//! No archive brings more than it may, and none is believed.

use softmark::intake::archive::{Limits, Offence};

use super::{all_kinds, offence, taken, taken_within};
use crate::support::archive::{ZipEntry, deflated, gzipped, tar, tar_entry, zip};

#[test]
fn every_limit_holds_from_both_sides() {
    let files: Vec<(String, String)> =
        (0..8).map(|i| (format!("d{i}/f"), "x".repeat(100))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    for (kind, bytes) in all_kinds(&files) {
        let size = bytes.len() as u64;
        // Of tar, headers count as well.
        let total = match kind {
            "tar" | "tar.gz" => 8 * 1024 + 1024,
            _ => 800,
        };
        let just =
            Limits { archive_bytes: size, entries: 16, total_bytes: total, ..Limits::SUBMISSION };
        taken_within(&bytes, &just).unwrap_or_else(|offence| panic!("{kind}: {offence}"));
        let within = |limits| taken_within(&bytes, &limits).unwrap_err();
        let large = Offence::Large { bytes: size, limit: size - 1 };
        assert_eq!(within(Limits { archive_bytes: size - 1, ..just }), large);
        assert_eq!(within(Limits { entries: 15, ..just }), Offence::Entries { limit: 15 });
        let less = total - 1;
        assert_eq!(within(Limits { total_bytes: less, ..just }), Offence::Total { limit: less });
    }
}

#[test]
fn the_ratio_counts_above_what_is_small_anyway() {
    let small = usize::try_from(Limits::SMALL).unwrap();
    let zeros = |size: usize| zip(&[ZipEntry::packed("x", &vec![0; size])]);
    assert!(taken(&zeros(small)).is_ok(), "a thousandfold, and small");
    assert_eq!(offence(&zeros(small + 1)), Offence::Ratio { limit: 200 });
    // The archive padded by what does not shrink, to just the ratio and just below.
    let noise = |bytes: usize| {
        let mut state = 1_u32;
        let noise: Vec<u8> = (0..bytes)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_be_bytes()[0]
            })
            .collect();
        zip(&[ZipEntry::packed("x", &vec![0; 4 * small]), ZipEntry::stored("n", &noise)])
    };
    let others = noise(0).len();
    let enough = (4 * small).div_ceil(200) + 200;
    assert!(taken(&noise(enough - others)).is_ok());
    assert!(taken(&noise(enough - others - 600)).is_err());
    let packed = |size: usize| gzipped(&tar(&[tar_entry(b"x", b'0', &vec![0; size])]));
    assert!(taken(&packed(small - 1536)).is_ok());
    assert_eq!(offence(&packed(small)), Offence::Ratio { limit: 200 });
}

#[test]
fn bombs_are_refused_by_their_lists() {
    // Ten thousand files of a gigabyte, of which not one is inflated.
    let kernel = deflated(&vec![0; 1 << 20]);
    let bomb = |name: String| ZipEntry {
        packed: kernel.clone(),
        size: 1 << 30,
        crc: 0,
        ..ZipEntry::packed(&name, b"")
    };
    let bytes = zip(&(0..9000).map(|i| bomb(format!("src/{i}.rs"))).collect::<Vec<_>>());
    assert!(bytes.len() > 9 << 20);
    let limit = Limits::SUBMISSION.total_bytes;
    assert_eq!(offence(&bytes), Offence::Total { limit });
    // One that says it is small: no more is inflated than it says.
    let liar = ZipEntry { size: 100, ..ZipEntry::packed("src/one.rs", &vec![0; 50 << 20]) };
    assert!(offence(&zip(&[liar])).to_string().contains("not as long as it says"));
    // Tar tells sizes one by one.
    let zeros = vec![0; 64 << 10];
    let many: Vec<Vec<u8>> =
        (0..1000).map(|i| tar_entry(format!("src/{i}.rs").as_bytes(), b'0', &zeros)).collect();
    let bytes = gzipped(&tar(&many));
    assert!(bytes.len() < 300 << 10, "{}", bytes.len());
    assert_eq!(offence(&bytes), Offence::Ratio { limit: 200 });
    let header = tar_entry(b"x", b'L', &vec![b'a'; 2 << 20]);
    assert!(offence(&gzipped(&tar(&[header]))).to_string().contains("extended header is too long"));
}
