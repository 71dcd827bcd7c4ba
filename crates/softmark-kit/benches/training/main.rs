//! Benchmark of whole training steps of three models (forward, backward, Adam): the kit's layers and plain candle.
//!
//! ```text
//! cargo bench -p softmark-kit --bench training -- MODEL LAYERS DROPOUT [STEPS [DEVICE]]
//! ```
//!
//! `MODEL` is `a`, `b` or `c`; `LAYERS` is `kit` or `plain`; `DROPOUT` is `drop` or `nodrop`; `DEVICE` is `cpu` or,
//! with `--features cuda`, `cuda`.
//! `RAYON_NUM_THREADS` sets the number of threads. `benches/peer/run` alternates this program with PyTorch.
//! The program prints one line of JSON: milliseconds of each step by the wall clock and by the processor, and
//! the peak memory.
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
#[path = "../support/mod.rs"]
mod support;

use candle_core::{Result, Tensor};
use softmark_kit::optim::{Optimizer, Rule};

use model::{Parameters, Sizes};
use support::{ids, time};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    let device = softmark_kit::device(args.get(4).map_or("cpu", String::as_str))?;
    let mut sizes = Sizes::of(name);
    if dropout == "nodrop" {
        sizes.dropout = 0.0;
    }
    let parameters = Parameters::new(&sizes, &device)?;
    let mut adam = Optimizer::new(Rule::ADAM, 0.0);
    let x = ids(sizes.batch * sizes.length, sizes.vocabulary, "ids");
    let x = Tensor::from_vec(x, (sizes.batch, sizes.length), &device)?;
    let rows = if sizes.every_token { sizes.batch * sizes.length } else { sizes.batch };
    let y = Tensor::from_vec(ids(rows, sizes.classes, "labels"), rows, &device)?;
    time(steps, |step| {
        softmark_kit::nn::dropout::begin_step(1, step);
        let loss = if layers == "kit" {
            kit::loss(&sizes, &parameters, &x, &y)?
        } else {
            plain::loss(&sizes, &parameters, &x, &y)?
        };
        adam.step(&parameters.all, &loss.backward()?, 1e-3)?;
        loss.to_scalar()
    })
}
