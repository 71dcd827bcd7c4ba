//! Observers of trainings.

use crate::train::history::History;
use crate::train::record::{EpochRecord, StepRecord};

/// Planned size of a training, if it does not end early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Number of epochs.
    pub epochs: usize,
    /// Number of steps per epoch.
    pub steps_an_epoch: usize,
    /// Number of steps completed by an earlier run.
    pub done: u64,
    /// Number of elements of the trainable parameters.
    pub parameters: usize,
}

impl Plan {
    /// Returns the number of steps of all epochs.
    pub fn steps(&self) -> u64 {
        (self.epochs * self.steps_an_epoch) as u64
    }
}

/// Receives events of a training and cannot influence it.
///
/// `()` is an observer that ignores all events.
pub trait Observer {
    /// Called before the first step.
    fn begins(&mut self, plan: &Plan) {
        let _ = plan;
    }

    /// Called after each step.
    fn step(&mut self, record: &StepRecord) {
        let _ = record;
    }

    /// Called after each epoch's validation.
    fn epoch(&mut self, record: &EpochRecord) {
        let _ = record;
    }

    /// Called at the end, unless the training ends with an error.
    fn ends(&mut self, history: &History) {
        let _ = history;
    }
}

impl Observer for () {}
