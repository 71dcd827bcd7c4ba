//! Components of the `prefix-tuning` assignment, as checks construct and call them.

mod checkpoint;
mod steps;
mod tuned;
mod values;

use std::marker::PhantomData;

use softmark_kit::component::{self, Components};

use crate::adapter::checkpoint::{Layout, Loading, Saving};
use crate::adapter::steps::Looping;
use crate::adapter::tuned::{Logits, Tuned, base, permille};
use crate::tuning::{PartialConfig, PartialTuning, PrefixConfig, PrefixTuning, TuningAssignment};

/// Returns all components of a submission.
pub fn components<S: TuningAssignment + 'static>() -> Components {
    Box::new(|part, sizes, vb| match part {
        "prefix" => {
            let config = PrefixConfig {
                base: base(sizes, "dropout_permille")?,
                prefix_length: Some(sizes.get("prefix_length")?).filter(|length| *length > 0),
                classes: sizes.get("classes")?,
            };
            let it = S::Prefix::new(config, vb)?;
            let logits: Logits = Box::new(move |ids, mask, train| it.forward(ids, mask, train));
            Ok(Box::new(Tuned::new(sizes, logits)?))
        }
        "partial" => {
            let config = PartialConfig {
                base: base(sizes, "base_dropout_permille")?,
                unfrozen: sizes.get("unfrozen")?,
                classes: sizes.get("classes")?,
                head_dropout: permille(sizes, "dropout_permille")?,
            };
            let it = S::Partial::new(config, vb)?;
            let logits: Logits = Box::new(move |ids, mask, train| it.forward(ids, mask, train));
            Ok(Box::new(Tuned::new(sizes, logits)?))
        }
        "loop" => Ok(Box::new(Looping::<S::Loop> {
            epochs: sizes.get("epochs")?,
            batches: sizes.get("batches")?,
            patience: sizes.get("patience")?,
            failing_loss: sizes.get("failing_loss")?,
            failing_validation: sizes.get("failing_validation")?,
            lowered_loss: sizes.get("lowered_loss")?,
            of: PhantomData,
        })),
        "save" => {
            let layout = Layout::new(sizes)?;
            Ok(Box::new(Saving::<S::Checkpoint> { layout, of: PhantomData }))
        }
        "load" => Ok(Box::new(Loading::<S::Checkpoint> {
            layout: Layout::new(sizes)?,
            other_base: sizes.get("other_base")?,
            stranger: sizes.get("stranger")? == 1,
            misshapen: sizes.get("misshapen")?,
            misfit: sizes.get("misfit")?,
            of: PhantomData,
        })),
        other => Err(component::unknown(other)),
    })
}
