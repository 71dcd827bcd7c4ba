//! The copy model of the solution learns the copying task.

use std::error::Error;
use std::result::Result;

use modern_checks::copying::{SYMBOLS, VOCABULARY, generate};
use modern_solution::Submission;
use softmark_kit::adapter;
use softmark_kit::component::Sizes;
use softmark_kit::init::Parameters;
use softmark_kit::optim::Rule;
use softmark_kit::prelude::*;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Recipe, evaluate, fit};

const SIZES: [(&str, u64); 6] = [
    ("vocabulary", VOCABULARY as u64),
    ("classes", SYMBOLS as u64),
    ("d_model", 32),
    ("heads", 4),
    ("kv_heads", 2),
    ("d_ff", 64),
];

/// Trains the model on 3000 texts, and returns the share of right answers to 600 others.
fn accuracy(seed: u64) -> Result<f64, Box<dyn Error>> {
    let parameters = Parameters::new(seed, &Device::Cpu);
    let sizes = Sizes::new(SIZES.map(|(name, size)| (name.to_owned(), size)).into());
    let components = adapter::components::<Submission>();
    let part = components("copy-model", &sizes, parameters.builder())?;
    // As in grading, embeddings begin with a deviation of 0.3.
    let table = parameters.vars().remove("token_embedding.weight").ok_or("no embedding")?;
    table.set(&table.affine(0.3, 0.0)?)?;
    let recipe = Recipe {
        epochs: 6,
        optimizer: Rule::ADAM_W,
        learning_rate: 1e-2,
        schedule: Schedule::cosine(0.1),
        clip_norm: Some(1.0),
        seed,
        ..Recipe::default()
    };
    let model = |ids: &Tensor, mask: &Tensor, train: bool| part.logits(ids, mask, train);
    let all = generate(seed, 3600);
    let [train, unseen] = [0..3000, 3000..3600].map(|of| all.subset(&of.collect::<Vec<_>>()));
    fit(&model, &parameters.vars(), &train, None, &recipe, &mut ())?;
    Ok(evaluate(&model, &unseen, &recipe, &Device::Cpu)?.accuracy)
}

#[test]
fn copy_model_learns_to_copy() {
    for seed in [1, 2] {
        let accuracy = accuracy(seed).unwrap();
        assert!(accuracy >= 0.98, "seed {seed}: {accuracy}");
    }
}
