//! Streams of random numbers: they never change, are independent of one another, and are unbiased.

use proptest::prelude::*;
use softmark_common::rng::{Stream, key};

fn bits(seed: u64, name: &str, case: u64) -> [u64; 4] {
    let mut stream = Stream::derive(seed, name, case);
    std::array::from_fn(|_| stream.bits())
}

proptest! {
    #[test]
    fn a_stream_depends_on_each_of_its_names(
        seed: u64,
        name in "[a-z/-]{0,20}",
        case: u64,
        other in "[a-z/-]{0,20}",
    ) {
        let here = bits(seed, &name, case);
        prop_assert_eq!(bits(seed, &name, case), here);
        prop_assert_ne!(bits(seed.wrapping_add(1), &name, case), here);
        prop_assert_ne!(bits(seed, &name, case.wrapping_add(1)), here);
        prop_assert_eq!(bits(seed, &other, case) == here, other == name);
        prop_assert_ne!(bits(case, &name, seed) == here, case != seed);
    }

    #[test]
    fn drawing_from_one_stream_does_not_move_another(seed: u64, draws in 0_usize..50) {
        let mut one = Stream::derive(seed, "one", 0);
        let mut two = Stream::derive(seed, "two", 0);
        for _ in 0..draws {
            one.bits();
        }
        prop_assert_eq!(two.bits(), bits(seed, "two", 0)[0]);
    }

    #[test]
    fn a_number_below_n_is_below_n(seed: u64, n in 1_u64..) {
        let mut stream = Stream::derive(seed, "below", 0);
        for _ in 0..20 {
            prop_assert!(stream.below(n) < n);
        }
        prop_assert_eq!(Stream::derive(seed, "below", 0).below(0), 0);
        prop_assert_eq!(Stream::derive(seed, "below", 0).below(1), 0);
    }

    #[test]
    fn a_uniform_number_is_in_range_and_exact(seed: u64) {
        let mut stream = Stream::derive(seed, "uniform", 0);
        for _ in 0..20 {
            let x = stream.uniform();
            prop_assert!((0.0..1.0).contains(&x));
            prop_assert_eq!((x * 16_777_216.0).fract(), 0.0);
        }
    }
}

#[test]
fn every_number_below_n_comes_up_as_often() {
    let mut stream = Stream::derive(1, "dice", 0);
    let mut counts = [0_u32; 6];
    for _ in 0..60_000 {
        counts[usize::try_from(stream.below(6)).unwrap()] += 1;
    }
    // Five standard deviations: √(60000 · 1/6 · 5/6) ≈ 91.
    assert!(counts.iter().all(|count| count.abs_diff(10_000) < 460), "{counts:?}");
}

/// Expected numbers that must never change, because recorded seeds, golden files and replays depend on them.
///
/// Another program computed them from the definitions of `ChaCha` with 8 rounds (counter and nonce
/// zero) and of FNV-1a.
#[test]
fn the_streams_are_what_they_always_were() {
    assert_eq!(
        bits(0, "", 0),
        [
            0x12ea_6867_b29d_78ad,
            0xc7b7_d866_0be5_daff,
            0x79f4_b076_10b6_cee1,
            0xa9c9_88c0_faae_e2f0
        ]
    );
    assert_eq!(
        bits(1, "attention/query", 0),
        [
            0x6b18_8f43_6b20_6d19,
            0x5b9a_06e0_1780_6328,
            0x8bbc_1da5_73ae_5f8b,
            0x1650_8169_0a2c_0398
        ]
    );
    assert_eq!(
        bits(1, "attention/query", 1),
        [
            0xc790_0011_de3a_a56b,
            0xbe46_f8ad_e5d2_5e92,
            0x593a_4c98_0307_b779,
            0xc942_461d_2462_c52a
        ]
    );
    assert_eq!(
        bits(u64::MAX, "masked-pooling/matches-reference", 7),
        [
            0x1d8d_eb37_9465_c677,
            0xc9bc_12b4_d9b6_61c0,
            0xf5b3_d68d_32a2_7ea7,
            0xb9fa_e5eb_9ea9_fdcd
        ]
    );
    let mut stream = Stream::derive(7, "uniform", 0);
    assert_eq!([stream.uniform(), stream.uniform()].map(f32::to_bits), [0x3e9f_79c0, 0x3f12_14ff]);
    let mut stream = Stream::derive(7, "below", 0);
    let drawn = [stream.below(10), stream.below(10), stream.below(1 << 40)];
    assert_eq!(drawn, [9, 3, 0x0000_003d_98d5_c39b]);
    let name = u64::from_le_bytes(key(1, "attention/query", 2)[8..16].try_into().unwrap());
    assert_eq!(name, 0x2935_f80f_6695_b06e);
}
