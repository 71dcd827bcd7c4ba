//! Benchmark of a published encoder's forward pass, alternating with that of `candle-transformers` on the
//! same weights, tokens and mask.
//!
//! ```text
//! cargo bench -p softmark-kit --bench forward -- FOLDER [ROUNDS]
//! ```
//!
//! `FOLDER` contains a published `config.json` and `model.safetensors` of the BERT family. Batches have 32
//! texts of 36 tokens: first without padding, then with the lengths of TREC questions. `RAYON_NUM_THREADS`
//! sets the number of threads. Reported are medians of processor time, and of the ratios of each round.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark prints, and stops where something is wrong"
)]

use std::path::Path;

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::BertModel;
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use softmark_kit::pretrained::{PretrainedConfig, PretrainedEncoder, Weights};
use softmark_kit::rng::Stream;

const BATCH: usize = 32;
const LENGTH: usize = 36;

fn main() -> Result<()> {
    softmark_kit::in_pool(run)
}

/// Returns the mask of a batch, with text lengths as in the benchmark `prefix`.
fn mask(full: bool) -> Result<Tensor> {
    let real = |text: usize| if full { LENGTH } else { 7 + text * 5 % 13 };
    let bits = (0..BATCH).flat_map(|text| (0..LENGTH).map(move |at| u8::from(at < real(text))));
    Tensor::from_vec(bits.collect(), (BATCH, LENGTH), &Device::Cpu)
}

/// Measures the processor time of `work`, in milliseconds.
fn timed(work: impl FnOnce() -> Result<Tensor>) -> Result<(f64, Tensor)> {
    let now = || clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).unwrap().num_nanoseconds();
    let before = now();
    let output = work()?;
    Ok(((now() - before) as f64 / 1e6, output))
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

fn run() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let Some(folder) = args.first() else {
        println!("give FOLDER");
        return Ok(());
    };
    let rounds: usize = args.get(1).map_or(15, |n| n.parse().unwrap());
    let cpu = &Device::Cpu;
    let json = std::fs::read_to_string(Path::new(folder).join("config.json")).unwrap();
    let config = PretrainedConfig::from_json(&json).unwrap();
    let path = Path::new(folder).join("model.safetensors");
    let weights = Weights::read(&path, &config, cpu).unwrap();
    let ours = PretrainedEncoder::new(config, weights.builder())?;
    let bytes = std::fs::read(&path).unwrap();
    let vb = VarBuilder::from_buffered_safetensors(bytes, DType::F32, cpu)?;
    let theirs = BertModel::load(vb, &serde_json::from_str(&json).unwrap())?;
    let mut stream = Stream::derive(1, "ids", 0);
    let ids = (0..BATCH * LENGTH).map(|_| u32::try_from(stream.below(30_000)).unwrap());
    let ids = Tensor::from_vec(ids.collect::<Vec<_>>(), (BATCH, LENGTH), cpu)?;
    let types = ids.zeros_like()?;
    println!("| tokens | kit ms | candle-transformers ms | candle-transformers / kit |");
    println!("|---|---|---|---|");
    for full in [true, false] {
        let mask = mask(full)?;
        let (mut kit, mut peer, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..rounds + 2 {
            let (a, x) = timed(|| ours.forward(&ids, &mask, false))?;
            let (b, y) = timed(|| theirs.forward(&ids, &types, Some(&mask)))?;
            // Both outputs must agree at the first token; otherwise the comparison is meaningless.
            let away = (x.narrow(1, 0, 1)? - y.narrow(1, 0, 1)?)?.abs()?.max_all()?;
            assert!(away.to_scalar::<f32>()? < 1e-4);
            if round >= 2 {
                kit.push(a);
                peer.push(b);
                ratios.push(b / a);
            }
        }
        let name = if full { "all real" } else { "as TREC's" };
        let (kit, peer, ratio) = (median(kit), median(peer), median(ratios));
        println!("| {name} | {kit:.0} | {peer:.0} | **{ratio:.2}** |");
    }
    Ok(())
}
