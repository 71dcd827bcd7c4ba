//! The leaderboard: how well the models did that were handed in, best first, and no student's name.
//!
//! It is made to be shown to the class: a row a model, under the pseudonym that stands in the student's
//! own record. What is equal as it is shown shares a rank. The last column is what the checkpoint says
//! of its method, in the words of whoever made it: shown, and never believed.

use std::cmp::Ordering;
use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{ModelRecord, Record};
use crate::report::csv::cell;
use crate::report::text::fit;

/// Most columns of what a checkpoint says.
const METHOD: usize = 40;

/// Setting in which a checkpoint names its method.
const SETTING: &str = "method";

/// True if a record belongs to an assignment that asks for a model.
pub fn has_any(records: &[Record]) -> bool {
    records.iter().any(|record| !record.models.is_empty())
}

/// Result of a model.
struct Row<'a> {
    assignment: &'a Untrusted,
    model: &'a ModelRecord,
    /// Accuracy as it is shown.
    shown: String,
}

impl Row<'_> {
    /// Compares two rows by assignment and task, then by accuracy, then by pseudonym.
    fn order(&self, other: &Self) -> Ordering {
        (self.assignment, &self.model.task)
            .cmp(&(other.assignment, &other.model.task))
            // Shares of 1 with four decimals: as texts, in the order of the numbers.
            .then_with(|| other.shown.cmp(&self.shown))
            .then_with(|| self.model.pseudonym.cmp(&other.model.pseudonym))
    }
}

/// Writes the leaderboard of all models that were measured: by assignment and task, then by accuracy,
/// then by pseudonym.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(records: &[Record], out: &mut dyn io::Write) -> io::Result<()> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for record in records {
        rows.extend(record.models.iter().filter_map(|model| row(&record.assignment, model)));
    }
    rows.sort_by(Row::order);
    let mut csv = ::csv::Writer::from_writer(out);
    csv.write_record(["rank", "pseudonym", "accuracy", "assignment", "task", SETTING])?;
    let mut before: Option<&Row<'_>> = None;
    let (mut place, mut rank) = (0_usize, 0_usize);
    for row in &rows {
        let same =
            before.filter(|it| it.assignment == row.assignment && it.model.task == row.model.task);
        place = if same.is_some() { place + 1 } else { 1 };
        if same.is_none_or(|it| it.shown != row.shown) {
            rank = place;
        }
        before = Some(row);
        let method = row.model.settings.iter().find(|(name, _)| **name == SETTING);
        let method = method.map(|(_, method)| method.clone()).unwrap_or_default();
        csv.write_record([
            rank.to_string(),
            cell(&row.model.pseudonym),
            row.shown.clone(),
            cell(row.assignment),
            cell(&row.model.task),
            fit(&cell(method), METHOD),
        ])?;
    }
    csv.flush()
}

fn row<'a>(assignment: &'a Untrusted, model: &'a ModelRecord) -> Option<Row<'a>> {
    let accuracy = accuracy(model)?;
    Some(Row { assignment, model, shown: format!("{accuracy:.4}") })
}

/// Returns the accuracy of a model with the four decimals that leaderboards show; `None` if it was not measured.
pub(super) fn accuracy(model: &ModelRecord) -> Option<f64> {
    // A record that was read may hold anything.
    let accuracy = model.accuracy.filter(|accuracy| (0.0..=1.0).contains(accuracy))?;
    Some((accuracy * 10_000.0).round() / 10_000.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::{Points, RecordOutcome};

    fn record(name: &str, pseudonym: &str, accuracy: Option<f64>, method: &str) -> Record {
        let model = ModelRecord {
            task: "best-model".into(),
            file: "best.safetensors".into(),
            accuracy,
            asked: 600,
            examples: "questions".into(),
            settings: BTreeMap::from([(SETTING.into(), method.into())]),
            pseudonym: pseudonym.into(),
            own: Untrusted::EMPTY,
        };
        Record {
            submission: name.into(),
            entry: Untrusted::EMPTY,
            submitted: None,
            sha256: Untrusted::EMPTY,
            assignment: "prefix-tuning".into(),
            outcome: RecordOutcome::Graded,
            reason: None,
            points: Points::ZERO,
            max_points: Points::ZERO,
            tasks: Vec::new(),
            written: Vec::new(),
            models: vec![model],
            trainings: Vec::new(),
            notes: Vec::new(),
            log: Untrusted::EMPTY,
            usage: None,
        }
    }

    fn table(records: &[Record]) -> String {
        let mut out = Vec::new();
        write(records, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_best_comes_first_and_equals_share_a_rank() {
        let records = [
            record("amara", "quiet heron 17", Some(0.9), "prefix"),
            record("ben", "bold owl 3", Some(0.968_333), "partial"),
            record("chidi", "amber wren 8", Some(0.9), ""),
            record("dora", "keen fox 1", Some(0.5), "prefix"),
            record("emre", "calm lynx 2", None, "prefix"),
        ];
        let expected = "rank,pseudonym,accuracy,assignment,task,method\n\
                        1,bold owl 3,0.9683,prefix-tuning,best-model,partial\n\
                        2,amber wren 8,0.9000,prefix-tuning,best-model,\n\
                        2,quiet heron 17,0.9000,prefix-tuning,best-model,prefix\n\
                        4,keen fox 1,0.5000,prefix-tuning,best-model,prefix\n";
        assert_eq!(table(&records), expected);
        for record in &records {
            assert!(!expected.contains(record.submission.as_raw()));
        }
        let mut turned = records.to_vec();
        turned.reverse();
        assert_eq!(table(&turned), expected);
    }

    #[test]
    fn each_assignment_has_a_first() {
        let one = record("amara", "quiet heron 17", Some(0.9), "");
        let other = Record { assignment: "another".into(), ..one.clone() };
        let text = table(&[one, other]);
        let ranks: Vec<&str> = text.lines().skip(1).filter_map(|line| line.get(..2)).collect();
        assert_eq!(ranks, ["1,", "1,"]);
        assert!(text.contains("\n1,quiet heron 17,0.9000,another,"), "{text}");
    }

    #[test]
    fn what_a_checkpoint_says_is_no_formula_and_no_novel() {
        let long = format!("=1+1{}", "x".repeat(1000));
        let text = table(&[record("amara", "quiet heron 17", Some(1.0), &long)]);
        let last = text.lines().last().unwrap();
        let method = last.rsplit(',').next().unwrap();
        assert!(method.starts_with("'=1+1") && method.chars().count() == METHOD, "{last}");
        for odd in [f64::NAN, f64::INFINITY, -0.5, 1e300] {
            assert_eq!(table(&[record("amara", "a", Some(odd), "")]).lines().count(), 1);
        }
    }

    #[test]
    fn there_is_one_where_a_model_was_asked_for() {
        let asked = record("amara", "quiet heron 17", None, "");
        let other = Record { models: Vec::new(), ..asked.clone() };
        assert!(has_any(&[other.clone(), asked]));
        assert!(!has_any(&[other]));
    }
}
