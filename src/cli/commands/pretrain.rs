//! `grade dev pretrain`: the encoder that is built in.

use std::fs;
use std::io;
use std::path::Path;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::PretrainPlan;
use crate::cli::printer::Printer;
use crate::pretrain::{Recipe, pretrain as train};
use crate::store::replace;

/// Of how many steps the mean loss is told.
const TOLD: u32 = 250;

/// Pretrains the encoder, and writes its files or compares them with those that are there.
///
/// # Errors
///
/// When the training fails, or the files cannot be written or read.
pub(crate) fn pretrain(plan: &PretrainPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let recipe = Recipe::SHIPPED;
    let mut sum = 0.0;
    let mut tell = |step: u32, loss: f32| {
        sum += f64::from(loss);
        if (step + 1).is_multiple_of(TOLD) {
            let mean = sum / f64::from(TOLD);
            sum = 0.0;
            printer.plain(format_args!("{} of {}: loss {mean:.4}\n", step + 1, recipe.steps));
        }
    };
    let files = train(&recipe, &mut tell).map_err(|error| {
        Failure::broken(format!("the pretraining failed: {error}"), "nothing was written")
    })?;
    let named: [(&str, &[u8]); 3] = [
        ("config.json", files.config.as_bytes()),
        ("vocab.txt", files.vocabulary.as_bytes()),
        ("model.safetensors", &files.weights),
    ];
    let failed = |path: &Path, error: &io::Error| {
        Failure::broken(
            format!("cannot use {}: {error}", path.display()),
            "`--out` names another folder",
        )
    };
    let mut exit = Exit::Success;
    for (name, bytes) in named {
        let path = plan.out.join(name);
        if !plan.check {
            fs::create_dir_all(&plan.out)
                .and_then(|()| replace(&path, bytes))
                .map_err(|error| failed(&path, &error))?;
            continue;
        }
        let there = fs::read(&path).map_err(|error| failed(&path, &error))?;
        if there != bytes {
            printer.warning(format_args!("{} is not what comes out", path.display()));
            exit = Exit::Unmet;
        }
    }
    Ok(exit)
}
