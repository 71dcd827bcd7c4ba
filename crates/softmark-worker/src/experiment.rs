//! A suspect that runs in the grader's process.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use candle_core::{Device, Error, Result, Tensor, bail};
use softmark_kit::debugging::{Allowance, LayerParameters, Observed, Suspect};
use softmark_kit::encoder::EncoderConfig;
use softmark_wire::{Reply, Request, Tensor as WireTensor};

use crate::convert::{to_candle, to_wire};
use crate::dispatch::Sizes;
use crate::encoder::encoder_config;

/// Sends an experiment to the requester and returns its result; `None` if the requester does not answer.
pub type AskBack<'a> = &'a mut dyn FnMut(&Reply) -> Option<Request>;

/// A layer whose internals are not accessible from this process.
pub(crate) struct RemoteSuspect<'a> {
    config: EncoderConfig,
    back: RefCell<AskBack<'a>>,
    made: Cell<Allowance>,
}

impl<'a> RemoteSuspect<'a> {
    /// Returns a suspect of these sizes.
    pub(crate) fn new(sizes: &Sizes, back: AskBack<'a>) -> Result<Self> {
        let config = encoder_config(sizes)?;
        Ok(Self { config, back: RefCell::new(back), made: Cell::default() })
    }
}

fn sent(name: &str, tensor: &Tensor) -> Result<(String, WireTensor)> {
    let tensor = to_wire(name, tensor).map_err(|failure| Error::Msg(failure.message))?;
    Ok((name.to_owned(), tensor))
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
        let experiment = Reply::Experiment {
            parameters: parameters
                .iter()
                .map(|(name, it)| sent(name, it))
                .collect::<Result<_>>()?,
            inputs: vec![sent("x", x)?, sent("mask", mask)?],
        };
        match (self.back.borrow_mut())(&experiment) {
            Some(Request::Observed(Ok(tensors))) => observed(tensors),
            Some(Request::Observed(Err(message))) => Err(Error::Msg(message)),
            Some(_) | None => bail!("nobody answers experiments here"),
        }
    }
}

fn observed(tensors: Vec<(String, WireTensor)>) -> Result<Observed> {
    let tensors: BTreeMap<String, WireTensor> = tensors.into_iter().collect();
    let get = |name: &str| match tensors.get(name) {
        Some(tensor) => to_candle(tensor, &Device::Cpu),
        None => bail!("the experiment came back without `{name}`"),
    };
    Ok(Observed { output: get("output")?, weights: get("weights")? })
}
