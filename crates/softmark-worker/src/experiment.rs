//! Experiments of a detector, which the requester answers.

use std::cell::RefCell;
use std::collections::BTreeMap;

use candle_core::{Device, Error, Result, Tensor, bail};
use softmark_kit::component::Experiments;
use softmark_wire::{Reply, Request, Tensor as WireTensor};

use crate::convert::{to_candle, to_wire};

/// Sends an experiment to the requester and returns its result; `None` if the requester does not answer.
pub type AskBack<'a> = &'a mut dyn FnMut(&Reply) -> Option<Request>;

/// Experiments that are sent to the requester.
pub(crate) struct AskedBack<'a>(RefCell<AskBack<'a>>);

impl<'a> AskedBack<'a> {
    /// Returns experiments that `back` answers.
    pub(crate) fn new(back: AskBack<'a>) -> Self {
        Self(RefCell::new(back))
    }
}

fn sent(tensors: &[(&str, &Tensor)]) -> Result<Vec<(String, WireTensor)>> {
    let one = |(name, tensor): &(&str, &Tensor)| {
        let tensor = to_wire(name, tensor).map_err(|failure| Error::Msg(failure.message))?;
        Ok(((*name).to_owned(), tensor))
    };
    tensors.iter().map(one).collect()
}

impl Experiments for AskedBack<'_> {
    fn observe(
        &self,
        parameters: &[(&str, &Tensor)],
        inputs: &[(&str, &Tensor)],
    ) -> Result<BTreeMap<String, Tensor>> {
        let experiment = Reply::Experiment { parameters: sent(parameters)?, inputs: sent(inputs)? };
        match (self.0.borrow_mut())(&experiment) {
            Some(Request::Observed(Ok(tensors))) => {
                let tensors = tensors.into_iter();
                tensors.map(|(name, it)| Ok((name, to_candle(&it, &Device::Cpu)?))).collect()
            }
            Some(Request::Observed(Err(message))) => Err(Error::Msg(message)),
            Some(_) | None => bail!("nobody answers experiments here"),
        }
    }
}
