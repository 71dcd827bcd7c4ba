//! How many unseen examples a part got right, and what it took the others for.

/// What came of asking a part about examples that it has never seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// Of examples of class `i`, `confusion[i][j]` were taken for class `j`.
    pub confusion: Vec<Vec<usize>>,
    /// Examples without an answer, because a number was not finite.
    pub unanswered: usize,
    /// The mean loss of each epoch, as the worker has it: to be shown; empty where nothing was trained.
    pub losses: Vec<f64>,
}

impl Counted {
    /// How many were right.
    pub fn right(&self) -> usize {
        self.confusion.iter().enumerate().filter_map(|(class, row)| row.get(class)).sum()
    }

    /// How many were asked about.
    pub fn asked(&self) -> usize {
        self.confusion.iter().flatten().sum::<usize>() + self.unanswered
    }

    /// The share of right answers.
    pub fn accuracy(&self) -> f64 {
        self.right() as f64 / self.asked().max(1) as f64
    }

    /// Which class was taken for another one most often.
    pub fn worst(&self) -> Option<Confused> {
        let pairs = self.confusion.iter().enumerate().flat_map(|(class, row)| {
            let all = row.iter().sum();
            let others = row.iter().enumerate().filter(move |(other, _)| *other != class);
            others.map(move |(taken_for, &count)| Confused { class, taken_for, count, all })
        });
        // Of those that are as frequent, the first.
        pairs.filter(|pair| pair.count > 0).fold(
            None,
            |worst: Option<Confused>, pair| match worst {
                Some(before) if before.count >= pair.count => Some(before),
                Some(_) | None => Some(pair),
            },
        )
    }
}

/// A class that was taken for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confused {
    /// What it is.
    pub class: usize,
    /// What it was taken for.
    pub taken_for: usize,
    /// How often.
    pub count: usize,
    /// Of how many of its class.
    pub all: usize,
}
