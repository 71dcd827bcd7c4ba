//! Kill matrix of a check of detectors: detectors × layers.

use serde::{Deserialize, Serialize};
use softmark_checks::matrix;
use softmark_untrusted::Untrusted;

use super::named;

/// Kind of a layer that detectors are run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerKind {
    /// Layer with a bug.
    Mutant,
    /// Layer without a bug.
    Right,
    /// Layer without a bug among the mutants.
    Decoy,
}

named!(LayerKind, "kind of layer", Mutant => "mutant", Right => "right", Decoy => "decoy");

impl From<matrix::Kind> for LayerKind {
    fn from(kind: matrix::Kind) -> Self {
        match kind {
            matrix::Kind::Mutant => Self::Mutant,
            matrix::Kind::Right => Self::Right,
            matrix::Kind::Decoy => Self::Decoy,
        }
    }
}

/// Verdict of a detector about a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DetectorVerdict {
    /// The layer has no bug.
    Healthy,
    /// The layer has a bug.
    Bug,
    /// The two runs gave different verdicts.
    Wavers,
    /// The detector panicked, returned an error or exceeded a limit.
    Failed,
    /// The detector was not run on this layer: it had objected to a right layer, or its process had ended.
    NotRun,
}

named!(
    DetectorVerdict,
    "verdict",
    Healthy => "healthy",
    Bug => "bug",
    Wavers => "wavers",
    Failed => "failed",
    NotRun => "not-run",
);

impl From<matrix::Cell> for DetectorVerdict {
    fn from(cell: matrix::Cell) -> Self {
        match cell {
            matrix::Cell::Healthy => Self::Healthy,
            matrix::Cell::Bug => Self::Bug,
            matrix::Cell::Wavers => Self::Wavers,
            matrix::Cell::Failed => Self::Failed,
            matrix::Cell::NotRun => Self::NotRun,
        }
    }
}

/// Layer and the verdict of each detector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerRow {
    /// Kind of the layer.
    pub kind: LayerKind,
    /// Behaviour of the layer that a person would notice; never the name of its bug.
    pub symptom: Untrusted,
    /// Verdicts in the order of the detectors.
    pub verdicts: Vec<DetectorVerdict>,
}

impl LayerRow {
    fn verdict(&self, detector: usize) -> DetectorVerdict {
        self.verdicts.get(detector).copied().unwrap_or(DetectorVerdict::Failed)
    }
}

impl From<matrix::Row> for LayerRow {
    fn from(row: matrix::Row) -> Self {
        let verdicts = row.cells.into_iter().map(DetectorVerdict::from).collect();
        Self { kind: row.kind.into(), symptom: row.symptom.into(), verdicts }
    }
}

/// Verdict of each detector about each layer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KillMatrix {
    /// Names of the detectors, which the student chose.
    pub detectors: Vec<Untrusted>,
    /// The layers.
    #[serde(rename = "layers")]
    pub rows: Vec<LayerRow>,
}

impl KillMatrix {
    /// Returns true if the detector counts: it called every right layer healthy.
    pub fn counts(&self, detector: usize) -> bool {
        let mut right = self.rows.iter().filter(|row| row.kind != LayerKind::Mutant);
        right.all(|row| row.verdict(detector) == DetectorVerdict::Healthy)
    }

    /// Returns true if a detector that counts called the layer a bug.
    pub fn is_caught(&self, row: &LayerRow) -> bool {
        let catches = |it| self.counts(it) && row.verdict(it) == DetectorVerdict::Bug;
        (0..self.detectors.len()).any(catches)
    }

    /// Returns the rows of the mutants.
    pub fn mutants(&self) -> impl Iterator<Item = &LayerRow> {
        self.rows.iter().filter(|row| row.kind == LayerKind::Mutant)
    }
}

impl From<matrix::KillMatrix> for KillMatrix {
    fn from(matrix: matrix::KillMatrix) -> Self {
        let rows = matrix.rows.into_iter().map(LayerRow::from).collect();
        let detectors = matrix.detectors.into_iter().map(Untrusted::from).collect();
        Self { detectors, rows }
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::matrix::{Cell, Kind, Row};

    use super::*;

    #[test]
    fn a_stored_matrix_counts_as_the_check_counted() {
        use Cell::{Bug, Failed, Healthy, NotRun, Wavers};
        let row =
            |kind, cells: [Cell; 4]| Row { kind, symptom: String::new(), cells: cells.to_vec() };
        let judged = matrix::KillMatrix {
            detectors: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            rows: vec![
                row(Kind::Right, [Healthy, Bug, Healthy, Healthy]),
                row(Kind::Decoy, [Healthy, Healthy, Wavers, Healthy]),
                row(Kind::Mutant, [Healthy, NotRun, Bug, Healthy]),
                row(Kind::Mutant, [Bug, Healthy, Healthy, Failed]),
                row(Kind::Mutant, [Wavers, Bug, Bug, Failed]),
            ],
        };
        let stored = KillMatrix::from(judged.clone());
        for detector in 0..4 {
            assert_eq!(stored.counts(detector), judged.counts(detector), "{detector}");
        }
        for (stored_row, row) in stored.rows.iter().zip(&judged.rows) {
            assert_eq!(stored.is_caught(stored_row), judged.is_caught(row), "{row:?}");
        }
        assert_eq!(stored.mutants().count(), judged.mutants().count());
    }
}
