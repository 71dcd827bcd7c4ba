//! Kill matrix for people: mutants that survived, and right layers that were called a bug.

use softmark_untrusted::Untrusted;

use crate::model::{DetectorVerdict, KillMatrix, LayerKind, LayerRow};
use crate::report::text::count;

/// Returns the sign of a verdict in a table.
pub(crate) fn sign(verdict: DetectorVerdict) -> &'static str {
    match verdict {
        DetectorVerdict::Bug => "●",
        DetectorVerdict::Healthy => "·",
        DetectorVerdict::Wavers => "~",
        DetectorVerdict::Failed => "!",
        DetectorVerdict::NotRun => "–",
    }
}

/// Legend of the signs.
pub(crate) const SIGNS: &str =
    "● calls it a bug, · calls it healthy, ~ now this and now that, ! failed, – not run";

/// Line of the table: a verdict per detector, and the layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Verdicts in the order of the detectors.
    pub(super) verdicts: Vec<DetectorVerdict>,
    /// Description of the layer.
    pub(super) about: String,
}

fn of(row: &LayerRow, about: String) -> Line {
    Line { verdicts: row.verdicts.clone(), about }
}

/// Returns the lines that matter if a mutant survived: right layers that were called a bug, equal ones
/// together, then the mutants that survived. Mutants that were caught are only counted.
pub(super) fn essence(matrix: &KillMatrix) -> Vec<Line> {
    let mut lines: Vec<(usize, Line)> = Vec::new();
    let objected = matrix.rows.iter().filter(|row| {
        let objects = |verdict: &DetectorVerdict| *verdict != DetectorVerdict::Healthy;
        row.kind != LayerKind::Mutant && row.verdicts.iter().any(objects)
    });
    for row in objected {
        match lines.iter_mut().find(|(_, line)| line.verdicts == row.verdicts) {
            Some((times, _)) => *times += 1,
            None => lines.push((1, of(row, String::new()))),
        }
    }
    let mut lines: Vec<Line> = lines
        .into_iter()
        .map(|(times, line)| Line { about: count(times, "right layer", "right layers"), ..line })
        .collect();
    let away = matrix.mutants().filter(|row| !matrix.is_caught(row));
    lines.extend(away.map(|row| of(row, format!("got away: {}", row.symptom))));
    lines
}

/// Returns the numbered names of the detectors, and which of them do not count.
pub(super) fn detectors(matrix: &KillMatrix) -> String {
    let name = |(at, name): (usize, &Untrusted)| {
        let void = if matrix.counts(at) { "" } else { " (counts for nothing)" };
        format!("{} {name}{void}", at + 1)
    };
    matrix.detectors.iter().enumerate().map(name).collect::<Vec<_>>().join(", ")
}

/// Returns the number of mutants that were caught: `9 of 10 caught`.
pub(crate) fn caught(matrix: &KillMatrix) -> String {
    let all = matrix.mutants().count();
    let caught = matrix.mutants().filter(|row| matrix.is_caught(row)).count();
    format!("{caught} of {all} caught")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> KillMatrix {
        use DetectorVerdict::{Bug, Failed, Healthy, Wavers};
        let row = |kind, symptom: &str, verdicts: [DetectorVerdict; 2]| LayerRow {
            kind,
            symptom: symptom.into(),
            verdicts: verdicts.to_vec(),
        };
        KillMatrix {
            detectors: vec!["padding".into(), "weights\u{1b}[2J".into()],
            rows: vec![
                row(LayerKind::Right, "a", [Healthy, Bug]),
                row(LayerKind::Right, "b", [Healthy, Healthy]),
                row(LayerKind::Decoy, "c", [Healthy, Bug]),
                row(LayerKind::Right, "d", [Healthy, Failed]),
                row(LayerKind::Mutant, "flat", [Healthy, Bug]),
                row(LayerKind::Mutant, "sharp", [Bug, Wavers]),
            ],
        }
    }

    #[test]
    fn what_got_away_is_told_and_what_was_objected_to() {
        let lines: Vec<String> = essence(&matrix())
            .iter()
            .map(|line| {
                let cells: Vec<&str> = line.verdicts.iter().map(|verdict| sign(*verdict)).collect();
                format!("{} {}", cells.join(""), line.about)
            })
            .collect();
        assert_eq!(lines, ["·● 2 right layers", "·! 1 right layer", "·● got away: flat"]);
        assert_eq!(caught(&matrix()), "1 of 2 caught");
        let named = detectors(&matrix());
        assert!(named.starts_with("1 padding, 2 weights"), "{named}");
        assert!(named.ends_with("(counts for nothing)") && !named.contains('\u{1b}'), "{named}");
    }
}
