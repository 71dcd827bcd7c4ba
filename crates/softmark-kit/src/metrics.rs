//! Metrics of predictions: accuracy, precision, recall, F1 and the confusion matrix.
//!
//! Everything is derived from a [`ConfusionMatrix`]. A ratio of 0/0 counts as 0, such as the precision of a
//! class that is never predicted and the recall of a class that never occurs. This is scikit-learn's
//! `zero_division=0`; the metrics are tested against scikit-learn.

use std::fmt;

/// Returns the share of the predictions that equal the label; 0 if there are none.
///
/// A prediction without a label, or a label without a prediction, is wrong.
///
/// ```
/// assert_eq!(softmark_kit::metrics::accuracy(&[0, 1, 2, 2], &[0, 1, 1, 2]), 0.75);
/// ```
pub fn accuracy(predictions: &[u32], labels: &[u32]) -> f64 {
    let right = predictions.iter().zip(labels).filter(|(p, l)| p == l).count();
    ratio(right, predictions.len().max(labels.len()))
}

/// Returns `part / whole`, or 0 if `whole` is 0.
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Counts of predictions by label and predicted class: `count(label, prediction)`.
///
/// ```
/// use softmark_kit::metrics::ConfusionMatrix;
///
/// let matrix = ConfusionMatrix::new(&[0, 1, 1], &[0, 0, 1], 2)?;
/// assert_eq!(matrix.rows().collect::<Vec<_>>(), [[1, 1], [0, 1]]);
/// assert_eq!(matrix.scores(1).precision, 0.5);
/// # Ok::<(), softmark_kit::metrics::MetricError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfusionMatrix {
    /// Counts in row-major order, with a row per label and a column per prediction.
    counts: Vec<usize>,
    classes: usize,
}

/// Errors in the inputs of a metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// The numbers of predictions and labels differ.
    #[error("{predictions} predictions for {labels} labels: there has to be one for each")]
    Lengths {
        /// Number of predictions.
        predictions: usize,
        /// Number of labels.
        labels: usize,
    },
    /// A class number is too large.
    #[error("{what} {index} is {class}, but the {classes} classes are numbered from 0")]
    Class {
        /// `label` or `prediction`.
        what: &'static str,
        /// Index of the example, counted from 0.
        index: usize,
        /// Class number given.
        class: u32,
        /// Number of classes.
        classes: usize,
    },
}

/// Scores of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scores {
    /// Share of the predictions of this class that are correct: `TP / (TP + FP)`.
    pub precision: f64,
    /// Share of the examples of this class that are predicted correctly: `TP / (TP + FN)`.
    pub recall: f64,
    /// Harmonic mean of precision and recall: `2 TP / (2 TP + FP + FN)`.
    pub f1: f64,
    /// Number of examples of this class: `TP + FN`.
    pub support: usize,
}

impl ConfusionMatrix {
    /// Counts `predictions` against `labels`, with classes numbered `0 .. classes`.
    ///
    /// # Errors
    ///
    /// Fails if the numbers of predictions and labels differ, or if one of them is not a class.
    pub fn new(predictions: &[u32], labels: &[u32], classes: usize) -> Result<Self, MetricError> {
        if predictions.len() != labels.len() {
            let (predictions, labels) = (predictions.len(), labels.len());
            return Err(MetricError::Lengths { predictions, labels });
        }
        let mut counts = vec![0; classes * classes];
        let below = |what, index, class: u32| match usize::try_from(class) {
            Ok(at) if at < classes => Ok(at),
            _ => Err(MetricError::Class { what, index, class, classes }),
        };
        for (index, (&prediction, &label)) in predictions.iter().zip(labels).enumerate() {
            let label = below("label", index, label)?;
            let prediction = below("prediction", index, prediction)?;
            if let Some(count) = counts.get_mut(label * classes + prediction) {
                *count += 1;
            }
        }
        Ok(Self { counts, classes })
    }

    /// Returns the number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Returns the number of examples of `label` predicted as `prediction`; 0 if there is no such class.
    pub fn count(&self, label: usize, prediction: usize) -> usize {
        if label >= self.classes || prediction >= self.classes {
            return 0;
        }
        self.counts.get(label * self.classes + prediction).copied().unwrap_or_default()
    }

    /// Returns a row for each label with the counts of each predicted class.
    pub fn rows(&self) -> impl Iterator<Item = &[usize]> {
        // Without classes there are no rows, but the chunk size must not be 0.
        self.counts.chunks(self.classes.max(1))
    }

    /// Returns the number of examples.
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Returns the accuracy: the share of the diagonal.
    pub fn accuracy(&self) -> f64 {
        let right = (0..self.classes).map(|class| self.count(class, class)).sum();
        ratio(right, self.total())
    }

    /// Returns the scores of `class`.
    pub fn scores(&self, class: usize) -> Scores {
        let right = self.count(class, class);
        let support = (0..self.classes).map(|other| self.count(class, other)).sum();
        let predicted = (0..self.classes).map(|other| self.count(other, class)).sum();
        Scores {
            precision: ratio(right, predicted),
            recall: ratio(right, support),
            f1: ratio(2 * right, predicted + support),
            support,
        }
    }

    /// Returns the unweighted mean of the classes' scores; a class that neither occurs nor is predicted
    /// counts with scores of 0.
    pub fn macro_average(&self) -> Scores {
        self.average(|_| 1.0)
    }

    /// Returns the mean of the classes' scores, weighted by their numbers of examples.
    pub fn weighted_average(&self) -> Scores {
        self.average(|scores| scores.support as f64)
    }

    /// Returns precision, recall and F1 over all decisions together. Since every example has one label and
    /// one prediction, all three equal the accuracy.
    pub fn micro_average(&self) -> Scores {
        let accuracy = self.accuracy();
        Scores { precision: accuracy, recall: accuracy, f1: accuracy, support: self.total() }
    }

    /// Returns the unweighted mean of the classes' F1.
    pub fn macro_f1(&self) -> f64 {
        self.macro_average().f1
    }

    /// Returns F1 over all decisions together.
    pub fn micro_f1(&self) -> f64 {
        self.micro_average().f1
    }

    /// Returns the mean of the classes' F1, weighted by their numbers of examples.
    pub fn weighted_f1(&self) -> f64 {
        self.weighted_average().f1
    }

    fn average(&self, weight: impl Fn(&Scores) -> f64) -> Scores {
        let all: Vec<Scores> = (0..self.classes).map(|class| self.scores(class)).collect();
        let weights: f64 = all.iter().map(&weight).sum();
        let mean = |of: fn(&Scores) -> f64| {
            let sum: f64 = all.iter().map(|scores| weight(scores) * of(scores)).sum();
            if weights == 0.0 { 0.0 } else { sum / weights }
        };
        Scores {
            precision: mean(|scores| scores.precision),
            recall: mean(|scores| scores.recall),
            f1: mean(|scores| scores.f1),
            support: self.total(),
        }
    }

    /// Returns the scores as a table in scikit-learn's layout; `names` are the classes' names in order, and a
    /// class without a name is shown by its number.
    ///
    /// ```
    /// use softmark_kit::metrics::ConfusionMatrix;
    ///
    /// let matrix = ConfusionMatrix::new(&[0, 1, 1], &[0, 0, 1], 2)?;
    /// println!("{}", matrix.report(&["animal", "plant"]));
    /// # Ok::<(), softmark_kit::metrics::MetricError>(())
    /// ```
    pub fn report<'a>(&'a self, names: &'a [&'a str]) -> ClassificationReport<'a> {
        ClassificationReport { matrix: self, names }
    }
}

/// A table of each class's scores and their averages, created by [`ConfusionMatrix::report`].
#[derive(Debug, Clone, Copy)]
pub struct ClassificationReport<'a> {
    matrix: &'a ConfusionMatrix,
    names: &'a [&'a str],
}

impl fmt::Display for ClassificationReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |class: usize| self.names.get(class).map_or(class.to_string(), |&it| it.into());
        let classes = 0..self.matrix.classes;
        let longest = classes.clone().map(|class| name(class).chars().count()).max();
        let width = longest.unwrap_or_default().max("weighted avg".len());
        let (blank, support) = ("", self.matrix.total());
        writeln!(f, "{blank:>width$}  precision    recall  f1-score   support\n")?;
        for class in classes {
            row(f, width, &name(class), self.matrix.scores(class))?;
        }
        let accuracy = self.matrix.accuracy();
        writeln!(f, "\n{:>width$}  {blank:>19} {accuracy:>9.4} {support:>9}", "accuracy")?;
        row(f, width, "macro avg", self.matrix.macro_average())?;
        row(f, width, "weighted avg", self.matrix.weighted_average())
    }
}

fn row(f: &mut fmt::Formatter<'_>, width: usize, name: &str, scores: Scores) -> fmt::Result {
    let Scores { precision, recall, f1, support } = scores;
    writeln!(f, "{name:>width$}  {precision:>9.4} {recall:>9.4} {f1:>9.4} {support:>9}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: [u32; 14] = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3];
    const PREDICTIONS: [u32; 14] = [0, 0, 1, 2, 1, 1, 0, 0, 0, 3, 3, 1, 3, 3];

    /// Returns an example where class 2 is never predicted correctly, and class 4 neither occurs nor is predicted.
    fn example() -> ConfusionMatrix {
        ConfusionMatrix::new(&PREDICTIONS, &LABELS, 5).unwrap()
    }

    #[test]
    fn counts_and_scores_are_those_of_scikit_learn() {
        let matrix = example();
        let rows = [[2, 1, 1, 0, 0], [1, 2, 0, 0, 0], [2, 0, 0, 0, 0], [0, 1, 0, 4, 0], [0; 5]];
        assert_eq!(matrix.rows().collect::<Vec<_>>(), rows);
        // precision_recall_fscore_support(labels, predictions, labels=range(5), zero_division=0)
        let want = [
            (2.0 / 5.0, 0.5, 4.0 / 9.0, 4),
            (0.5, 2.0 / 3.0, 4.0 / 7.0, 3),
            (0.0, 0.0, 0.0, 2),
            (1.0, 0.8, 8.0 / 9.0, 5),
            (0.0, 0.0, 0.0, 0),
        ];
        for (class, (precision, recall, f1, support)) in want.into_iter().enumerate() {
            assert_eq!(matrix.scores(class), Scores { precision, recall, f1, support });
        }
        let near = |got: f64, want: f64| assert!((got - want).abs() < 1e-15, "{got} for {want}");
        near(matrix.accuracy(), 0.571_428_571_428_571_4);
        near(accuracy(&PREDICTIONS, &LABELS), 0.571_428_571_428_571_4);
        near(matrix.micro_f1(), 0.571_428_571_428_571_4);
        near(matrix.macro_f1(), 0.380_952_380_952_380_93);
        near(matrix.macro_average().precision, 0.38);
        near(matrix.macro_average().recall, 0.393_333_333_333_333_3);
        near(matrix.weighted_f1(), 0.566_893_424_036_281_2);
        near(matrix.weighted_average().precision, 0.578_571_428_571_428_5);
    }

    /// `print(classification_report(…, digits=4))`
    #[test]
    fn the_report_is_scikit_learns() {
        let want = "\
              precision    recall  f1-score   support

           0     0.4000    0.5000    0.4444         4
           1     0.5000    0.6667    0.5714         3
           2     0.0000    0.0000    0.0000         2
           3     1.0000    0.8000    0.8889         5
           4     0.0000    0.0000    0.0000         0

    accuracy                         0.5714        14
   macro avg     0.3800    0.3933    0.3810        14
weighted avg     0.5786    0.5714    0.5669        14
";
        // A line that ends in a backslash removes the leading blanks of the next line.
        let want = format!("              {want}");
        assert_eq!(example().report(&[]).to_string(), want);
        let named = example().report(&["a rather long name of a class"]).to_string();
        assert!(named.contains("\na rather long name of a class     0.4000"), "{named}");
    }

    #[test]
    fn nothing_scores_nothing_and_is_never_nan() {
        let empty = ConfusionMatrix::new(&[], &[], 3).unwrap();
        assert_eq!([empty.accuracy(), empty.macro_f1(), empty.weighted_f1()], [0.0; 3]);
        assert_eq!(accuracy(&[], &[]), 0.0);
        assert_eq!(accuracy(&[1], &[1, 1]), 0.5);
        let none = ConfusionMatrix::new(&[], &[], 0).unwrap();
        assert_eq!((none.rows().count(), none.macro_f1()), (0, 0.0));
    }

    #[test]
    fn what_is_no_class_is_named() {
        let error = |predictions: &[u32], labels: &[u32]| {
            ConfusionMatrix::new(predictions, labels, 2).unwrap_err().to_string()
        };
        assert_eq!(
            error(&[0], &[0, 1]),
            "1 predictions for 2 labels: there has to be one for each"
        );
        let want = "label 1 is 2, but the 2 classes are numbered from 0";
        assert_eq!(error(&[0, 0], &[0, 2]), want);
        assert!(error(&[7], &[0]).starts_with("prediction 0 is 7"));
    }
}
