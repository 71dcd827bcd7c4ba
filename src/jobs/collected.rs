//! Work of which all results are needed, and kept until the last is there.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use softmark_untrusted::Untrusted;

use crate::jobs::error::JobsError;
use crate::jobs::work::Work;

/// Results of a run that is worth nothing if one of them is missing.
pub struct Collected<'a, T> {
    names: &'a [Untrusted],
    results: BTreeMap<usize, T>,
    tell: &'a mut dyn FnMut(&T),
}

impl<T> std::fmt::Debug for Collected<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collected").field("names", &self.names).finish_non_exhaustive()
    }
}

impl<'a, T> Collected<'a, T> {
    /// Returns a collection of the results of units with these names; `tell` is called with each.
    pub fn new(names: &'a [Untrusted], tell: &'a mut dyn FnMut(&T)) -> Self {
        Self { names, results: BTreeMap::new(), tell }
    }

    /// Returns the results in the order of the units.
    pub fn into_results(self) -> Vec<T> {
        self.results.into_values().collect()
    }
}

impl<T: Serialize + DeserializeOwned> Work for Collected<'_, T> {
    type Output = T;

    fn take(&mut self, place: usize, output: T) -> Result<(), JobsError> {
        (self.tell)(&output);
        self.results.insert(place, output);
        Ok(())
    }

    fn give_up(&mut self, place: usize, reason: String) -> Result<(), JobsError> {
        let unit = self.names.get(place).cloned().unwrap_or_default();
        Err(JobsError::NoResult { unit, reason })
    }
}
