//! Confusion matrix of a component's answers to unseen examples.

/// Counts of a component's answers to unseen examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// Confusion matrix: `confusion[i][j]` examples of class `i` were taken for class `j`.
    pub confusion: Vec<Vec<usize>>,
    /// Number of examples without an answer, because a logit was not finite.
    pub unanswered: usize,
    /// Mean loss of each epoch, as the worker reports it, for display only; empty if nothing was
    /// trained.
    pub losses: Vec<f64>,
}

impl Predictions {
    /// Returns the number of right answers.
    pub fn right(&self) -> usize {
        self.confusion.iter().enumerate().filter_map(|(class, row)| row.get(class)).sum()
    }

    /// Returns the number of examples.
    pub fn asked(&self) -> usize {
        self.confusion.iter().flatten().sum::<usize>() + self.unanswered
    }

    /// Returns the share of right answers.
    pub fn accuracy(&self) -> f64 {
        self.right() as f64 / self.asked().max(1) as f64
    }

    /// Returns the most frequent confusion of two classes.
    pub fn worst(&self) -> Option<Confused> {
        let pairs = self.confusion.iter().enumerate().flat_map(|(class, row)| {
            let all = row.iter().sum();
            let others = row.iter().enumerate().filter(move |(other, _)| *other != class);
            others.map(move |(taken_for, &count)| Confused { class, taken_for, count, all })
        });
        // Of equally frequent confusions, the first is returned.
        pairs.filter(|pair| pair.count > 0).fold(
            None,
            |worst: Option<Confused>, pair| match worst {
                Some(before) if before.count >= pair.count => Some(before),
                Some(_) | None => Some(pair),
            },
        )
    }
}

/// Confusion of one class with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confused {
    /// Class of the examples.
    pub class: usize,
    /// Class that they were taken for.
    pub taken_for: usize,
    /// Number of such confusions.
    pub count: usize,
    /// Number of answered examples of the class.
    pub all: usize,
}
