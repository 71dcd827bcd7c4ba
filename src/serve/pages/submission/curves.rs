//! Losses of the trainings of a record, as curves and as numbers.

use std::fmt::Write as _;

use maud::{Markup, html};
use softmark_checks::array::short;

use crate::model::{TrainingRecord, TrainingRun};

/// Largest number of epochs that is drawn. Assignments train for fewer; a record that somebody edited may list any
/// number.
const MOST_EPOCHS: usize = 1000;

/// Largest number of trainings that is drawn: an `assignment.toml` can ask for nine.
const MOST_RUNS: usize = 9;

/// Place of the curves in the picture, in its units: right of the numbers of the losses, above those of the epochs.
const LEFT: f64 = 60.0;
const TOP: f64 = 12.0;
const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 130.0;

/// Returns the losses of each epoch; nothing if the record has none.
pub(super) fn curves(training: &TrainingRecord) -> Markup {
    let is_drawn = |run: &&TrainingRun| (2..=MOST_EPOCHS).contains(&run.losses.len());
    let runs: Vec<&TrainingRun> = training.runs.iter().filter(is_drawn).take(MOST_RUNS).collect();
    let scale = Scale::of(&runs);
    html! {
        @if let Some(scale) = scale {
            figure {
                figcaption { "Mean loss of each epoch of " (training.task) ", as the training reported it" }
                div.scroll tabindex="0" role="region" aria-label={ "Losses of " (training.task) } {
                    (picture(&runs, &scale))
                    (numbers(&runs))
                }
            }
        }
    }
}

/// Scale of a picture: from zero to the largest loss, over the longest training.
struct Scale {
    most: f64,
    epochs: usize,
}

impl Scale {
    /// Returns the scale for these trainings; `None` if no loss is a finite number.
    fn of(runs: &[&TrainingRun]) -> Option<Self> {
        let losses = runs.iter().flat_map(|run| &run.losses).copied();
        let most = losses.filter(|loss| loss.is_finite()).reduce(f64::max)?;
        let epochs = runs.iter().map(|run| run.losses.len()).max()?;
        // A loss below zero is drawn at the bottom.
        Some(Self { most: if most > 0.0 { most } else { 1.0 }, epochs })
    }

    fn x(&self, epoch: usize) -> f64 {
        let last = self.epochs.saturating_sub(1).max(1);
        LEFT + WIDTH * epoch as f64 / last as f64
    }

    fn y(&self, loss: f64) -> f64 {
        TOP + HEIGHT * (1.0 - (loss / self.most).clamp(0.0, 1.0))
    }
}

fn picture(runs: &[&TrainingRun], scale: &Scale) -> Markup {
    let bottom = TOP + HEIGHT;
    html! {
        svg.picture role="img" aria-label=(summary(runs)) width="420" height="170" viewBox="0 0 420 170" {
            @for loss in [0.0, scale.most / 2.0, scale.most] {
                line.axis x1=(LEFT) x2=(LEFT + WIDTH) y1=(scale.y(loss)) y2=(scale.y(loss)) {}
                text x=(LEFT - 8.0) y=(scale.y(loss) + 4.0) text-anchor="end" { (label(loss)) }
            }
            text x=(LEFT) y=(bottom + 18.0) { "epoch 1" }
            text x=(LEFT + WIDTH) y=(bottom + 18.0) text-anchor="end" { (scale.epochs) }
            @for run in runs {
                @for line in lines(run, scale) { polyline.curve points=(line) {} }
            }
        }
    }
}

/// Returns the points of the lines of a training; a loss that is not finite separates two of them.
fn lines(run: &TrainingRun, scale: &Scale) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for (epoch, loss) in run.losses.iter().enumerate() {
        if loss.is_finite() {
            // Writing to a string does not fail.
            write!(line, "{:.1},{:.1} ", scale.x(epoch), scale.y(*loss)).ok();
        } else if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
    }
    lines.extend(Some(line).filter(|line| !line.is_empty()));
    lines
}

/// Returns the losses as a table, for readers of numbers.
fn numbers(runs: &[&TrainingRun]) -> Markup {
    html! {
        details {
            summary { "Losses as numbers" }
            table {
                thead { tr { th scope="col" { "training" } th scope="col" { "accuracy" } th scope="col" { "losses" } } }
                tbody {
                    @for (number, run) in (1..).zip(runs) {
                        tr {
                            th scope="row" { (number) }
                            td { (format!("{:.4}", run.accuracy)) }
                            td { (run.losses.iter().copied().map(label).collect::<Vec<_>>().join(", ")) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the first and the last loss of each training, for readers that cannot see the picture.
fn summary(runs: &[&TrainingRun]) -> String {
    let one = |(number, run): (usize, &&TrainingRun)| {
        let ends = run.losses.first().zip(run.losses.last());
        let ends = ends.map(|(first, last)| format!("from {} to {}", label(*first), label(*last)));
        format!("training {number} {}", ends.unwrap_or_default())
    };
    (1..).zip(runs).map(one).collect::<Vec<_>>().join("; ")
}

/// Returns a loss with at most four digits.
fn label(loss: f64) -> String {
    format!("{loss:.3e}").parse().map_or_else(|_| short(loss), short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training(losses: &[&[f64]]) -> TrainingRecord {
        let run = |losses: &&[f64]| TrainingRun { accuracy: 0.9, losses: losses.to_vec() };
        TrainingRecord {
            task: "<training>".into(),
            accuracy: 0.9,
            asked: 600,
            examples: "questions".into(),
            references: Vec::new(),
            runs: losses.iter().map(run).collect(),
        }
    }

    fn shown(losses: &[&[f64]]) -> String {
        curves(&training(losses)).into_string()
    }

    #[test]
    fn each_training_is_a_line_on_the_scale_of_all() {
        let shown = shown(&[&[2.0, 1.0, 0.0], &[1.0, 0.5]]);
        assert!(shown.contains("points=\"60.0,12.0 230.0,77.0 400.0,142.0 \""), "{shown}");
        assert!(shown.contains("points=\"60.0,77.0 230.0,109.5 \""), "{shown}");
        assert!(shown.contains("training 1 from 2 to 0; training 2 from 1 to 0.5"), "{shown}");
        assert!(shown.contains("&lt;training&gt;"), "{shown}");
    }

    #[test]
    fn a_loss_that_is_not_finite_interrupts_the_line() {
        let shown = shown(&[&[2.0, f64::NAN, 1.0, f64::INFINITY]]);
        assert_eq!(shown.matches("<polyline").count(), 2, "{shown}");
        assert!(shown.contains("2, NaN, 1, inf"), "{shown}");
    }

    #[test]
    fn records_without_losses_and_edited_ones_have_no_picture() {
        let many = vec![1.0; MOST_EPOCHS + 1];
        for losses in
            [&[][..], &[&[][..]], &[&[1.0][..]], &[&[f64::NAN, f64::NAN][..]], &[&many[..]]]
        {
            assert_eq!(shown(losses), "");
        }
        assert!(shown(&[&[-1.0, -2.0]]).contains("<polyline"));
    }
}
