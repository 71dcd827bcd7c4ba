//! Table of calibration results, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use crate::assignment::{Band, TrainingRules};
use crate::calibrate::measure::Trial;
use crate::calibrate::odds::{Odds, odds};
use crate::calibrate::variant::{Kind, Variant};

/// Chance of a miss that is acceptable for a class of any size.
const SMALL: f64 = 1e-3;

/// Results of one task.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Name of the task: `assignment/task`.
    pub task: String,
    /// Bands, the lowest first.
    pub bands: Vec<Band>,
    /// Rows in the order of the variants.
    pub rows: Vec<Row>,
}

/// Results of one variant over all seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Name of the variant.
    pub name: String,
    /// Expected result of the variant.
    pub kind: Kind,
    /// Accuracies, in the order of the seeds.
    pub accuracies: Vec<f64>,
    /// Mean processor time of a training, in seconds.
    pub cpu: f64,
    /// Number of trainings that ended without a model, and the reason of the first one.
    pub faults: (usize, Option<String>),
    /// Estimates, one for each band.
    pub odds: Vec<Odds>,
}

impl Row {
    fn mean(&self) -> f64 {
        self.accuracies.iter().sum::<f64>() / self.accuracies.len().max(1) as f64
    }

    fn least(&self) -> f64 {
        self.accuracies.iter().copied().fold(1.0, f64::min)
    }

    fn most(&self) -> f64 {
        self.accuracies.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the complaint about this variant, if any: correct work that misses a band too easily, or a
    /// mistake that reaches the highest one.
    pub fn complaint(&self, bands: &[Band]) -> Option<String> {
        let highest = bands.last()?;
        match self.kind {
            Kind::Solution | Kind::Accepted => {
                let mut all = bands.iter().zip(&self.odds);
                let (band, odds) = all.find(|(_, it)| it.missed > 0 || it.chance >= SMALL)?;
                Some(format!(
                    "misses {band} with a chance of {} ({} of {} seeds did)",
                    chance(odds.chance),
                    odds.missed,
                    odds.seeds
                ))
            }
            Kind::Mutant => {
                let odds = self.odds.last().filter(|odds| odds.missed < odds.seeds)?;
                let reached = odds.seeds - odds.missed;
                Some(format!("reaches {highest} on {reached} of {} seeds", odds.seeds))
            }
            Kind::Unmarked => None,
        }
    }
}

/// Returns the table of some trials.
pub fn table(
    task: &str,
    bands: &[Band],
    rules: &TrainingRules,
    variants: &[Variant],
    trials: &[Trial],
) -> Table {
    let row = |(at, variant): (usize, &Variant)| {
        let own: Vec<&Trial> = trials.iter().filter(|trial| trial.variant == at).collect();
        row_of(variant, &own, bands, rules)
    };
    let rows = variants.iter().enumerate().map(row).collect();
    Table { task: task.to_owned(), bands: bands.to_vec(), rows }
}

/// Returns the row of a variant, from its own trials.
fn row_of(variant: &Variant, own: &[&Trial], bands: &[Band], rules: &TrainingRules) -> Row {
    let accuracies: Vec<f64> = own.iter().map(|trial| trial.accuracy()).collect();
    let asked = own.first().map_or(0, |trial| trial.asked);
    let cpu: f64 = own.iter().map(|trial| trial.usage.cpu.as_secs_f64()).sum();
    let mut faults = own.iter().filter_map(|trial| trial.fault.clone());
    let first = faults.next();
    Row {
        name: variant.name.clone(),
        kind: variant.kind,
        cpu: cpu / own.len().max(1) as f64,
        faults: (faults.count() + usize::from(first.is_some()), first),
        odds: bands.iter().map(|band| odds(&accuracies, asked, *band, rules)).collect(),
        accuracies,
    }
}

/// Formats a chance in few characters.
fn chance(p: f64) -> String {
    if p >= 0.01 {
        format!("{:.0} %", p * 100.0)
    } else if p < 1e-9 {
        "< 1e-9".to_owned()
    } else {
        format!("{p:.0e}")
    }
}

/// Returns the table as text, with a line for each variant.
///
/// Writing to a string does not fail.
pub fn terminal(table: &Table) -> String {
    let widest = table.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(7);
    let seeds = table.rows.first().map_or(0, |row| row.accuracies.len());
    let mut text = format!("{}, {seeds} seeds\n\n", table.task);
    let mut head = format!("  {:widest$}  {:11}   mean    min    max   cpu s", "variant", "");
    for band in &table.bands {
        let band = format!("< {band}");
        write!(head, "  {band:>14}").ok();
    }
    text.push_str(&head);
    text.push('\n');
    for row in &table.rows {
        let (mean, least, most) = (row.mean(), row.least(), row.most());
        write!(
            text,
            "  {:widest$}  {:11}  {mean:.3}  {least:.3}  {most:.3}  {:6.1}",
            row.name,
            row.kind.as_str(),
            row.cpu
        )
        .ok();
        for odds in &row.odds {
            let cell = format!("{}/{}, {}", odds.missed, odds.seeds, chance(odds.chance));
            write!(text, "  {cell:>14}").ok();
        }
        text.push('\n');
        if let (count @ 1.., Some(fault)) = &row.faults {
            writeln!(text, "    {count} ended without a model: {fault}").ok();
        }
    }
    text.push_str(
        "\nUnder each band: how many seeds missed it, and the estimated chance of a miss.\n",
    );
    for row in &table.rows {
        if let Some(complaint) = row.complaint(&table.bands) {
            writeln!(text, "{} `{}` {complaint}.", row.kind.as_str(), row.name).ok();
        }
    }
    text
}

/// Returns the table as a JSON document.
pub fn json(table: &Table) -> String {
    let rows = table.rows.iter().map(|row| RowOf::of(row, &table.bands)).collect();
    let document = Document { format_version: 1, task: &table.task, rows };
    // Numbers and strings always serialise.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// Content of the JSON document.
#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    task: &'a str,
    rows: Vec<RowOf<'a>>,
}

#[derive(Serialize)]
struct RowOf<'a> {
    variant: &'a str,
    kind: &'a str,
    accuracies: &'a [f64],
    cpu_seconds: f64,
    faults: usize,
    bands: Vec<BandOf>,
    complaint: Option<String>,
}

#[derive(Serialize)]
struct BandOf {
    band: f64,
    missed: usize,
    chance: f64,
}

impl<'a> RowOf<'a> {
    fn of(row: &'a Row, bands: &[Band]) -> Self {
        Self {
            variant: &row.name,
            kind: row.kind.as_str(),
            accuracies: &row.accuracies,
            cpu_seconds: row.cpu,
            faults: row.faults.0,
            bands: bands
                .iter()
                .zip(&row.odds)
                .map(|(band, odds)| BandOf::of(*band, odds))
                .collect(),
            complaint: row.complaint(bands),
        }
    }
}

impl BandOf {
    fn of(band: Band, odds: &Odds) -> Self {
        Self { band: band.share(), missed: odds.missed, chance: odds.chance }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use softmark_sandbox::Limits;

    use super::*;
    use crate::assignment::Take;
    use crate::model::Usage;

    /// Table of a variant with these numbers of right answers to 10,000 questions.
    fn made(kind: Kind, right: &[usize]) -> Table {
        let variant = Variant { name: "it".to_owned(), kind, source: BTreeMap::new() };
        let trials: Vec<Trial> = right
            .iter()
            .zip(1..)
            .map(|(&right, seed)| Trial {
                variant: 0,
                seed,
                right,
                asked: 10_000,
                fault: None,
                usage: Usage { cpu: Duration::from_secs(2), ..Usage::default() },
            })
            .collect();
        let bands = [0.8, 0.97].map(|share| Band::parse(share).unwrap());
        let limits = Limits { wall: Duration::from_secs(1), ..Limits::generous() };
        let rules = TrainingRules { runs: 1, take: Take::Best, limits };
        table("encoder/training", &bands, &rules, &[variant], &trials)
    }

    #[test]
    fn right_work_that_may_miss_a_band_is_complained_of() {
        let good: Vec<usize> = (0..50).map(|i| 9950 + i % 40).collect();
        assert!(!terminal(&made(Kind::Solution, &good)).contains("misses"));
        let near: Vec<usize> = (0..50).map(|i| 9700 + 5 * (i % 40)).collect();
        let text = terminal(&made(Kind::Accepted, &near));
        assert!(text.contains("variant `it` misses 97 %"), "{text}");
        let document: serde_json::Value =
            serde_json::from_str(&json(&made(Kind::Accepted, &near))).unwrap();
        assert_eq!(document["rows"][0]["kind"], "variant");
    }

    #[test]
    fn a_mutant_that_reaches_the_highest_band_is_complained_of() {
        assert!(!terminal(&made(Kind::Mutant, &[5000, 9000])).contains("reaches"));
        let text = terminal(&made(Kind::Mutant, &[5000, 9900]));
        assert!(text.contains("mutant `it` reaches 97 % on 1 of 2 seeds"), "{text}");
        let document: serde_json::Value =
            serde_json::from_str(&json(&made(Kind::Mutant, &[5000, 9900]))).unwrap();
        assert_eq!(document["rows"][0]["bands"][1]["missed"], 1);
        assert_eq!(document["rows"][0]["cpu_seconds"], 2.0);
    }
}
