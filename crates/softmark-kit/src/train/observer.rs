//! Who wants to know how a training goes.

use crate::train::history::{EpochRecord, History, StepRecord};

/// What a training will be, if nothing ends it early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Epochs.
    pub epochs: usize,
    /// Steps of each.
    pub steps_an_epoch: usize,
    /// Steps that an earlier run has done already.
    pub done: u64,
    /// Numbers that the trainable parameters consist of.
    pub parameters: usize,
}

impl Plan {
    /// Steps of all epochs.
    pub fn steps(&self) -> u64 {
        (self.epochs * self.steps_an_epoch) as u64
    }
}

/// Is told how a training goes. It changes nothing about it.
///
/// `()` is an observer that does not look.
pub trait Observer {
    /// Before the first step.
    fn begins(&mut self, plan: &Plan) {
        let _ = plan;
    }

    /// After each step.
    fn step(&mut self, record: &StepRecord) {
        let _ = record;
    }

    /// After each epoch's validation.
    fn epoch(&mut self, record: &EpochRecord) {
        let _ = record;
    }

    /// At the end, unless that is an error.
    fn ends(&mut self, history: &History) {
        let _ = history;
    }
}

impl Observer for () {}
