//! Lets your detectors loose on the buggy layer and on your repaired one:
//!
//! ```console
//! cargo run --release --example hunt
//! ```
//!
//! The grader's bank has other layers. What should be the same here is the last column: every right layer
//! is healthy to every detector, and the buggy one is a bug to one of them at least.

use std::process::ExitCode;

use debugging::Submission;
use softmark_kit::debugging::MAX_DETECTORS;
use softmark_kit::prelude::*;

type Buggy = <Submission as DebuggingAssignment>::Buggy;
type Repaired = <Submission as DebuggingAssignment>::Repaired;
type Detectors = <Submission as DebuggingAssignment>::Detectors;

fn main() -> ExitCode {
    match hunt() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A layer to experiment with.
fn specimen<L: EncoderLayer + 'static>(norm: NormPlacement, activation: Activation) -> Specimen {
    let config = EncoderConfig {
        d_model: 8,
        heads: 2,
        d_ff: 12,
        norm,
        activation,
        dropout: 0.0,
        ..EncoderConfig::reference()
    };
    Specimen::new(config, |config, hooks, vb| {
        Ok(Box::new(L::new(config, &Wiring::<Submission, L>::new(config, hooks), vb)?))
    })
}

fn hunt() -> Result<()> {
    let kinds = [
        ("post-norm, ReLU", NormPlacement::Post, Activation::Relu),
        ("post-norm, GELU", NormPlacement::Post, Activation::Gelu),
        ("pre-norm, ReLU", NormPlacement::Pre, Activation::Relu),
        ("pre-norm, GELU", NormPlacement::Pre, Activation::Gelu),
    ];
    let detectors = Detectors::all();
    if detectors.len() > MAX_DETECTORS {
        println!(
            "There are {} detectors, and the grader runs the first {MAX_DETECTORS}.\n",
            detectors.len()
        );
    }
    for detector in detectors {
        println!("{}", detector.name());
        for (kind, norm, activation) in kinds {
            let buggy = detector.detect(&specimen::<Buggy>(norm, activation))?;
            let repaired = detector.detect(&specimen::<Repaired>(norm, activation))?;
            println!("  {kind:<16} buggy layer: {}", words(&buggy));
            println!("  {:<16} your repair: {}", "", words(&repaired));
        }
    }
    Ok(())
}

fn words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Healthy => "healthy".to_owned(),
        Verdict::Bug { reason } => format!("a bug: {reason}"),
    }
}
