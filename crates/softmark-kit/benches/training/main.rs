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

mod adam;
mod kit;
mod model;
mod plain;

use std::time::Instant;

use candle_core::{Device, Result, Tensor};
use softmark_kit::rng::Stream;

use adam::Adam;
use model::{Parameters, Sizes};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Processor time of the main thread in milliseconds, and the peak memory of the process in MB.
fn usage() -> (f64, u64) {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let ran = read("/proc/self/schedstat");
    let ran = ran.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0);
    let status = read("/proc/self/status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().next()).and_then(|kb| kb.parse().ok());
    (ran / 1e6, peak.unwrap_or(0_u64) / 1024)
}

fn ids(n: usize, below: usize, name: &str) -> Vec<u32> {
    let mut stream = Stream::derive(1, name, 0);
    (0..n).map(|_| u32::try_from(stream.below(below as u64)).unwrap()).collect()
}

fn main() -> Result<()> {
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
    let mut adam = Adam::new(&parameters, 1e-3)?;
    let x = ids(sizes.batch * sizes.length, sizes.vocabulary, "ids");
    let x = Tensor::from_vec(x, (sizes.batch, sizes.length), &Device::Cpu)?;
    let rows = if sizes.every_token { sizes.batch * sizes.length } else { sizes.batch };
    let y = Tensor::from_vec(ids(rows, sizes.classes, "labels"), rows, &Device::Cpu)?;
    let (mut wall, mut cpu, mut losses) = (Vec::new(), Vec::new(), Vec::new());
    for step in 0..steps + 3 {
        let (start, (used, _)) = (Instant::now(), usage());
        softmark_kit::nn::dropout::begin_step(1, step as u64);
        let loss = if layers == "kit" {
            kit::loss(&sizes, &parameters, &x, &y)?
        } else {
            plain::loss(&sizes, &parameters, &x, &y)?
        };
        adam.step(&parameters, &loss.backward()?)?;
        losses.push(loss.to_scalar::<f32>()?);
        if step >= 3 {
            wall.push(start.elapsed().as_secs_f64() * 1e3);
            cpu.push(usage().0 - used);
        }
    }
    println!(
        "{{\"wall\": {wall:?}, \"cpu\": {cpu:?}, \"peak_mb\": {}, \"losses\": {losses:?}}}",
        usage().1
    );
    Ok(())
}
