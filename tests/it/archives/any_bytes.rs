//! Whatever the bytes are, they are read or refused.

use std::path::Path;

use proptest::prelude::*;

use super::{all_kinds, taken};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_the_bytes_are_they_are_read_or_refused(
        head in prop::sample::select(vec![&b""[..], b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08\0"]),
        bytes in prop::collection::vec(any::<u8>(), 0..2000),
    ) {
        let bytes = [head, &bytes].concat();
        if let Err(offence) = taken(&bytes) {
            prop_assert!(!offence.to_string().contains(char::is_control), "{offence:?}");
        }
    }

    #[test]
    fn one_byte_changed_is_no_danger(
        kind in 0_usize..5,
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let files = [("src/one.rs", "one one one"), ("src/deep/two.rs", "two"), ("x/y", "")];
        let (_, mut bytes) = all_kinds(&files).swap_remove(kind);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        match taken(&bytes) {
            // Whatever was changed, it was not what is taken: that has checksums, but for tar.
            Ok(contents) if kind < 4 => {
                for (path, held) in contents.files {
                    let real = files.iter().find(|(name, _)| Path::new(name) == path);
                    prop_assert_eq!(real.map(|(_, text)| text.as_bytes()), Some(held.as_slice()));
                }
            }
            Ok(_) => {}
            Err(offence) => {
                prop_assert!(!offence.to_string().contains(char::is_control), "{offence:?}");
            }
        }
    }
}
