//! Messages of bands, which no fixture is trained for here: made up from results that a training or a model
//! may have.

use softmark_exam::Suite;
use softmark_exam::check::Predictions;
use softmark_sandbox::Limits;

use crate::assignment::{Band, Take, TrainingRules};
use crate::audit::message::Message;
use crate::score::{Runs, band_outcome, outcome_of_model};

/// Names of the classes: two are enough to take one for the other.
const CLASSES: [&str; 2] = ["HUM", "LOC"];

/// Examples of each class.
const EACH: usize = 300;

/// A result in which that share of all examples is right.
fn counted(share: f64, losses: &[f64]) -> Predictions {
    let wrong = (0..=EACH).find(|wrong| right_of(*wrong) <= share).unwrap_or(EACH);
    Predictions {
        confusion: vec![vec![EACH - wrong, wrong], vec![wrong, EACH - wrong]],
        unanswered: 0,
        losses: losses.to_vec(),
    }
}

/// The share of right answers if that many of each class are wrong.
fn right_of(wrong: usize) -> f64 {
    1.0 - wrong as f64 / EACH as f64
}

/// One message of each kind that the bands of a suite may get.
pub(super) fn of_bands(suite: &Suite) -> Vec<Message> {
    let mut found = Vec::new();
    let Some(band) = Band::parse(0.97) else { return found };
    for training in suite.trainings {
        let rules = TrainingRules { runs: 1, take: Take::Best, limits: Limits::generous() };
        let mut tell = |name: &str, runs: &Runs| {
            let outcome = band_outcome((training, &rules), band, runs, &CLASSES);
            let name = format!("{name} ({:.2})", runs.accuracy(Take::Best));
            found.extend(Message::of(&name, training.task, 1, &outcome, None));
        };
        let runs = |counted: Predictions| Runs {
            counted: vec![counted],
            with_reference: false,
            doubted: None,
        };
        for (share, _) in training.levels {
            tell("learns slowly", &runs(counted(share + 0.05, &[1.8, 1.2])));
            tell("learns by heart", &runs(counted(share + 0.05, &[1.8, 0.01])));
        }
        let usual = || counted(0.5, &[1.8, 1.2]);
        tell("misses it with reference parts", &Runs { with_reference: true, ..runs(usual()) });
        let doubted = Some(counted(0.99, &[1.8, 0.01]));
        tell("answers by rules", &Runs { doubted, ..runs(usual()) });
        let silent = Predictions { unanswered: 1, ..usual() };
        tell("answers with NaN", &runs(silent));
    }
    for upload in suite.uploads {
        for (share, _) in upload.levels {
            let counted = counted(share + 0.05, &[]);
            let outcome = outcome_of_model(upload, band, &counted, &CLASSES);
            let name = format!("hands in a model ({:.2})", counted.accuracy());
            found.extend(Message::of(&name, upload.task, 1, &outcome, None));
        }
    }
    found
}
