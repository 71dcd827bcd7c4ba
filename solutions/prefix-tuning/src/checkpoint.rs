//! Task 4: saving what was tuned.
//!
//! The specification is the documentation of [`TunedCheckpoint`].

use candle_core::bail;
use softmark_kit::prelude::*;

/// What was tuned, and no more.
#[derive(Debug)]
pub struct Checkpoint;

impl TunedCheckpoint for Checkpoint {
    fn save(model: &TunedModel<'_>) -> Result<Saved> {
        let tuned = model.parameters.iter().filter(|(name, _)| (model.learns)(name));
        Ok(Saved {
            tensors: tuned.map(|(name, tensor)| (name.clone(), tensor.clone())).collect(),
            base: model.base.to_owned(),
            labels: model.labels.to_vec(),
            settings: model.settings.clone(),
        })
    }

    fn load(saved: &Saved, model: &FreshModel<'_>) -> Result<Vec<String>> {
        if saved.base != model.base {
            bail!("the checkpoint was tuned on `{}`, and this is `{}`", saved.base, model.base)
        }
        for name in model.parameters.keys().filter(|name| (model.learns)(name)) {
            if !saved.tensors.contains_key(name) {
                bail!("the checkpoint lacks `{name}`")
            }
        }
        let mut fitting = Vec::new();
        for (name, tensor) in &saved.tensors {
            match model.parameters.get(name).filter(|_| (model.learns)(name)) {
                Some(var) if var.shape() == tensor.shape() => fitting.push((var, tensor)),
                Some(var) => bail!(
                    "the checkpoint's `{name}` is {:?}, and the model's {:?}",
                    tensor.shape(),
                    var.shape()
                ),
                None => bail!("the checkpoint has `{name}`, which is not tuned here"),
            }
        }
        for (var, tensor) in fitting {
            var.set(tensor)?;
        }
        Ok(saved.labels.clone())
    }
}
