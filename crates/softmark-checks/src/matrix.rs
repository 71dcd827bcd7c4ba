//! Which detector caught what: detectors × layers.

/// What a layer of the bank is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It has a bug.
    Mutant,
    /// It is right.
    Right,
    /// It is right, and stands among the mutants.
    Decoy,
}

impl Kind {
    /// As it stands in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mutant => "mutant",
            Self::Right => "right",
            Self::Decoy => "decoy",
        }
    }
}

/// What a detector made of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Nothing is wrong with it.
    Healthy,
    /// It has a bug.
    Bug,
    /// Now this, now that.
    Wavers,
    /// It panicked, returned an error, or ran out of what it may use.
    Failed,
    /// It was not run on this layer: it had objected to a right one, or ended its process.
    NotRun,
}

impl Cell {
    /// As it stands in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Bug => "bug",
            Self::Wavers => "wavers",
            Self::Failed => "failed",
            Self::NotRun => "not-run",
        }
    }
}

/// A layer, and what each detector made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub kind: Kind,
    /// What a person would notice of it, and never what its bug is.
    pub symptom: String,
    /// In the order of the detectors.
    pub cells: Vec<Cell>,
}

/// What came of a hunt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KillMatrix {
    /// What the detectors are called, by the student.
    pub detectors: Vec<String>,
    /// The layers.
    pub rows: Vec<Row>,
}

impl Row {
    fn cell(&self, detector: usize) -> Cell {
        self.cells.get(detector).copied().unwrap_or(Cell::Failed)
    }
}

impl KillMatrix {
    /// Whether a detector counts: it called every right layer healthy.
    pub fn counts(&self, detector: usize) -> bool {
        let mut right = self.rows.iter().filter(|row| row.kind != Kind::Mutant);
        right.all(|row| row.cell(detector) == Cell::Healthy)
    }

    /// Whether a detector that counts called the layer a bug.
    pub fn is_caught(&self, row: &Row) -> bool {
        (0..self.detectors.len()).any(|it| self.counts(it) && row.cell(it) == Cell::Bug)
    }

    /// The mutants.
    pub fn mutants(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.kind == Kind::Mutant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: Kind, cells: &[Cell]) -> Row {
        Row { kind, symptom: String::new(), cells: cells.to_vec() }
    }

    #[test]
    fn a_detector_that_objects_to_a_right_layer_catches_nothing() {
        use Cell::{Bug, Failed, Healthy, Wavers};
        let detectors = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let rows = vec![
            row(Kind::Right, &[Healthy, Bug, Healthy, Healthy]),
            row(Kind::Decoy, &[Healthy, Healthy, Wavers, Healthy]),
            row(Kind::Mutant, &[Healthy, Bug, Bug, Healthy]),
            row(Kind::Mutant, &[Bug, Healthy, Healthy, Failed]),
            row(Kind::Mutant, &[Wavers, Bug, Bug, Failed]),
        ];
        let matrix = KillMatrix { detectors, rows };
        let counting: Vec<bool> = (0..4).map(|it| matrix.counts(it)).collect();
        assert_eq!(counting, [true, false, false, true]);
        let caught: Vec<bool> = matrix.mutants().map(|row| matrix.is_caught(row)).collect();
        assert_eq!(caught, [false, true, false]);
    }
}
