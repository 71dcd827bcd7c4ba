//! A suspect that runs in the grader's process.

use std::cell::Cell;

use candle_core::{Error, Result, Tensor, bail};
use encoder_spec::adapter::encoder_config;
use softmark_kit::component::{Experiments, Sizes};

use crate::debugging::{Allowance, LayerParameters, Observed, Suspect};
use crate::encoder::EncoderConfig;

/// A layer whose internals are not accessible from this process.
pub(crate) struct RemoteSuspect<'a> {
    config: EncoderConfig,
    experiments: &'a dyn Experiments,
    made: Cell<Allowance>,
}

impl<'a> RemoteSuspect<'a> {
    /// Returns a suspect of these sizes, which answers `experiments`.
    pub(crate) fn new(sizes: &Sizes, experiments: &'a dyn Experiments) -> Result<Self> {
        Ok(Self { config: encoder_config(sizes)?, experiments, made: Cell::default() })
    }
}

impl Suspect for RemoteSuspect<'_> {
    fn config(&self) -> EncoderConfig {
        self.config
    }

    fn forward(&self, parameters: &LayerParameters, x: &Tensor, mask: &Tensor) -> Result<Observed> {
        let mut made = self.made.get();
        let counted = made.count(x.dims());
        self.made.set(made);
        counted.map_err(Error::Msg)?;
        let parameters: Vec<_> = parameters.iter().collect();
        let mut seen = self.experiments.observe(&parameters, &[("x", x), ("mask", mask)])?;
        let mut take = |name: &str| match seen.remove(name) {
            Some(tensor) => Ok(tensor),
            None => bail!("the experiment came back without `{name}`"),
        };
        Ok(Observed { output: take("output")?, weights: take("weights")? })
    }
}
