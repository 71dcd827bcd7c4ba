//! Shared helpers of the benchmarks of training steps: clocks, memory, ids.

use std::time::Instant;

use candle_core::Result;
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use softmark_kit::rng::Stream;

/// Number of steps before measurement starts; the first steps allocate buffers that later ones reuse.
const WARM_UP: usize = 3;

/// Returns the processor time of the process, in milliseconds.
fn used() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).unwrap();
    time.num_nanoseconds() as f64 / 1e6
}

/// Returns the peak memory of the process, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().next()).and_then(|kb| kb.parse().ok());
    peak.unwrap_or(0_u64) / 1024
}

/// Returns `n` ids less than `below`, from the stream called `name`.
pub(crate) fn ids(n: usize, below: usize, name: &str) -> Vec<u32> {
    let mut stream = Stream::derive(1, name, 0);
    (0..n).map(|_| u32::try_from(stream.below(below as u64)).unwrap()).collect()
}

/// Times `steps` training steps, each of which returns its loss, and prints one line of JSON: milliseconds of
/// each step by the wall clock and by the processor, the losses, and the peak memory.
pub(crate) fn time(steps: usize, mut train: impl FnMut(u64) -> Result<f32>) -> Result<()> {
    let (mut wall, mut cpu, mut losses) = (Vec::new(), Vec::new(), Vec::new());
    for step in 0..steps + WARM_UP {
        let (start, before) = (Instant::now(), used());
        losses.push(train(step as u64)?);
        if step >= WARM_UP {
            wall.push(start.elapsed().as_secs_f64() * 1e3);
            cpu.push(used() - before);
        }
    }
    let peak = peak();
    println!(
        "{{\"wall\": {wall:?}, \"cpu\": {cpu:?}, \"peak_mb\": {peak}, \"losses\": {losses:?}}}"
    );
    Ok(())
}
