//! The GPU of the tests, and their output.

use std::io::Write;
use std::sync::OnceLock;

use candle_core::{Device, Error};

/// Returns the first GPU; says `SKIPPED` if there is none.
pub(crate) fn gpu() -> Option<Device> {
    // One device for all tests: each would compile its kernels again.
    static GPU: OnceLock<Result<Device, String>> = OnceLock::new();
    let found = GPU.get_or_init(|| softmark_kit::device("cuda").map_err(first_line));
    match found {
        Ok(device) => Some(device.clone()),
        Err(error) => {
            // Past the capture of the test's output.
            writeln!(std::io::stderr().lock(), "\nSKIPPED: no GPU ({error})\n").unwrap();
            None
        }
    }
}

/// Returns the message without the backtrace that candle may add.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` calls it")]
fn first_line(error: Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Prints the largest difference that a test found beside the one that it allows.
#[expect(clippy::print_stdout, reason = "output of a test")]
pub(crate) fn report(what: &str, largest: f64, allowed: f64) {
    println!("{what}: differences up to {largest:.1e}, {allowed:.1e} are allowed");
}

#[test]
fn a_gpu_is_found_by_its_name() {
    let Some(gpu) = gpu() else { return };
    for name in ["auto", "cuda", "cuda:0"] {
        assert!(softmark_kit::device(name).unwrap().is_cuda(), "{name}");
    }
    assert!(softmark_kit::device("cpu").unwrap().is_cpu());
    assert!(softmark_kit::device("cuda:99").is_err());
    assert!(gpu.is_cuda());
}
