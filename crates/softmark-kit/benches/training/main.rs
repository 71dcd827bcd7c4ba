//! Whole training steps of three models (forward, backward, Adam): the kit's layers, and plain candle.
//!
//! ```text
//! cargo bench -p softmark-kit --bench training -- MODEL LAYERS DROPOUT [STEPS]
//! ```
//!
//! `MODEL` is `a`, `b` or `c`; `LAYERS` is `kit` or `plain`; `DROPOUT` is `drop` or `nodrop`.
//! `RAYON_NUM_THREADS` says on how many threads. `benches/peer/run` runs it in turn with PyTorch.
//! It prints one line of JSON: milliseconds of each step by the wall clock and by the processor, and
//! the most memory that was ever in use.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a benchmark reads the clock, prints, and stops where something is wrong"
)]

mod kit;
mod model;
mod plain;

use std::time::Instant;

use candle_core::{Device, Result, Tensor};
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::rng::Stream;

use model::{Parameters, Sizes};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Processor time of the process in milliseconds.
fn used() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).unwrap();
    time.num_nanoseconds() as f64 / 1e6
}

/// The most memory that the process ever had, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().next()).and_then(|kb| kb.parse().ok());
    peak.unwrap_or(0_u64) / 1024
}

fn ids(n: usize, below: usize, name: &str) -> Vec<u32> {
    let mut stream = Stream::derive(1, name, 0);
    (0..n).map(|_| u32::try_from(stream.below(below as u64)).unwrap()).collect()
}

fn main() -> Result<()> {
    softmark_kit::in_pool(run)
}

fn run() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [name, layers, dropout, ..] = args.as_slice() else {
        println!("give MODEL (a, b, c), LAYERS (kit, plain) and DROPOUT (drop, nodrop)");
        return Ok(());
    };
    let steps: usize = args.get(3).map_or(10, |n| n.parse().expect("a number of steps"));
    let mut sizes = Sizes::of(name);
    if dropout == "nodrop" {
        sizes.dropout = 0.0;
    }
    let parameters = Parameters::new(&sizes, &Device::Cpu)?;
    let mut adam = Optimizer::new(Rule::ADAM, 0.0);
    let x = ids(sizes.batch * sizes.length, sizes.vocabulary, "ids");
    let x = Tensor::from_vec(x, (sizes.batch, sizes.length), &Device::Cpu)?;
    let rows = if sizes.every_token { sizes.batch * sizes.length } else { sizes.batch };
    let y = Tensor::from_vec(ids(rows, sizes.classes, "labels"), rows, &Device::Cpu)?;
    let (mut wall, mut cpu, mut losses) = (Vec::new(), Vec::new(), Vec::new());
    for step in 0..steps + 3 {
        let (start, before) = (Instant::now(), used());
        softmark_kit::nn::dropout::begin_step(1, step as u64);
        let loss = if layers == "kit" {
            kit::loss(&sizes, &parameters, &x, &y)?
        } else {
            plain::loss(&sizes, &parameters, &x, &y)?
        };
        adam.step(&parameters.all, &loss.backward()?, 1e-3)?;
        losses.push(loss.to_scalar::<f32>()?);
        if step >= 3 {
            wall.push(start.elapsed().as_secs_f64() * 1e3);
            cpu.push(used() - before);
        }
    }
    println!(
        "{{\"wall\": {wall:?}, \"cpu\": {cpu:?}, \"peak_mb\": {}, \"losses\": {losses:?}}}",
        peak()
    );
    Ok(())
}
