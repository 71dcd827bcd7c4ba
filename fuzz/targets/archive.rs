#![no_main]

use libfuzzer_sys::fuzz_target;
use softmark_fuzz::{properties, read_archive};

fuzz_target!(|data: &[u8]| properties::archive::archive_by(data, read_archive));
