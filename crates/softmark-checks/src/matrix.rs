//! Kill matrix of mutation testing: detectors × layers.

/// Kind of a layer in the mutant catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The layer has a bug.
    Mutant,
    /// The layer is correct.
    Right,
    /// The layer is correct, and is listed among the mutants.
    Decoy,
}

/// Result of one detector on one layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// The detector found no bug.
    Healthy,
    /// The detector reported a bug.
    Bug,
    /// The detector's verdicts differed between runs.
    Wavers,
    /// The detector panicked, returned an error, or exceeded a limit.
    Failed,
    /// The detector was not run on this layer: it had objected to a correct one, or ended its process.
    NotRun,
}

/// A layer, and the result of each detector on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Kind of the layer.
    pub kind: Kind,
    /// Observable symptom of the layer; it never names the bug.
    pub symptom: String,
    /// Results, in the order of the detectors.
    pub cells: Vec<Cell>,
}

/// Result of mutation testing: one row per layer, one column per detector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KillMatrix {
    /// Names that the student gave the detectors.
    pub detectors: Vec<String>,
    /// Layers, one row each.
    pub rows: Vec<Row>,
}

impl Row {
    fn cell(&self, detector: usize) -> Cell {
        self.cells.get(detector).copied().unwrap_or(Cell::Failed)
    }
}

impl KillMatrix {
    /// Returns true if a detector counts: it must call every correct layer healthy.
    pub fn counts(&self, detector: usize) -> bool {
        let mut right = self.rows.iter().filter(|row| row.kind != Kind::Mutant);
        right.all(|row| row.cell(detector) == Cell::Healthy)
    }

    /// Returns true if a detector that counts reported a bug in the layer.
    pub fn is_caught(&self, row: &Row) -> bool {
        (0..self.detectors.len()).any(|it| self.counts(it) && row.cell(it) == Cell::Bug)
    }

    /// Returns the rows of the mutants.
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
