//! A suspect made from a layer of one's own, to try a detector on.

use std::cell::Cell;
use std::fmt;

use candle_core::{Error, Result, Tensor, bail};
use candle_nn::VarBuilder;

use crate::debugging::{Allowance, LayerParameters, Observed, Suspect};
use crate::encoder::{EncoderConfig, EncoderLayer};
use softmark_kit::hooks::{AttentionRecorder, Hooks};

/// Constructs a layer whose attention reports its weights at the point `self_attn`.
type Make = Box<dyn Fn(EncoderConfig, &Hooks, VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>>>;

/// Capacity for the weights of one call, in bytes: far more than the limits on experiments allow.
const ROOM: usize = 1 << 24;

/// A suspect whose layer runs in the same process.
pub struct Specimen {
    config: EncoderConfig,
    make: Make,
    made: Cell<Allowance>,
}

impl fmt::Debug for Specimen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Specimen").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Specimen {
    /// Returns a suspect with the layer that `make` constructs, whose attention reports its weights at the
    /// point `self_attn`.
    pub fn new(
        config: EncoderConfig,
        make: impl Fn(EncoderConfig, &Hooks, VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>> + 'static,
    ) -> Self {
        Self { config, make: Box::new(make), made: Cell::default() }
    }
}

impl Suspect for Specimen {
    fn config(&self) -> EncoderConfig {
        self.config
    }

    fn forward(&self, parameters: &LayerParameters, x: &Tensor, mask: &Tensor) -> Result<Observed> {
        let mut made = self.made.get();
        let counted = made.count(x.dims());
        self.made.set(made);
        counted.map_err(Error::Msg)?;
        let hooks = Hooks::new();
        let layer = (self.make)(self.config, &hooks, parameters.builder())?;
        let mut recorder = AttentionRecorder::new(ROOM);
        recorder.watch(&hooks, "self_attn")?;
        let output = layer.forward(x, mask, false)?.detach();
        let Some(record) = recorder.records().pop() else {
            bail!("the layer never called its attention")
        };
        Ok(Observed { output, weights: record.weights })
    }
}
