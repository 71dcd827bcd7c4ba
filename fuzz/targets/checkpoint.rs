#![no_main]

use libfuzzer_sys::fuzz_target;
use softmark_fuzz::{bounded, properties};

fuzz_target!(|data: &[u8]| bounded(data, 1024, properties::checkpoint));
