//! Labeled token sequences.

/// Token ids and a label for each example.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examples {
    /// The token ids of each example, without padding.
    pub ids: Vec<Vec<u32>>,
    /// The class of each example, numbered from 0.
    pub labels: Vec<u32>,
}

impl Examples {
    /// Returns the number of examples.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns true if there are no examples.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the examples with the given numbers, in that order; numbers out of range are ignored.
    #[must_use]
    pub fn subset(&self, numbers: &[usize]) -> Self {
        let ids = numbers.iter().filter_map(|&i| self.ids.get(i).cloned()).collect();
        let labels = numbers.iter().filter_map(|&i| self.labels.get(i).copied()).collect();
        Self { ids, labels }
    }
}
