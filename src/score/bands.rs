//! Accuracy of a trained component, and the accuracy thresholds that it reaches.

use softmark_checks::Outcome;
use softmark_checks::outcome::Evidence;
use softmark_exam::check::Predictions;
use softmark_exam::{Training, Upload};

use crate::assignment::{Band, Take, TrainingRules};

/// Check that requires a share of right answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BandCheck {
    /// Check id: `task/check`.
    pub id: String,
    /// Required accuracy.
    pub band: Band,
}

/// Results of all runs of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// Counts of the runs, in order.
    pub counted: Vec<Predictions>,
    /// True if the component was trained on the grader's own dependencies.
    pub with_reference: bool,
    /// The submission's own count in a run whose answers did not come from the learned parameters,
    /// so that the grader's own classifier with the same parameters was counted instead.
    pub doubted: Option<Predictions>,
}

impl Runs {
    /// Returns the accuracy that counts.
    pub fn accuracy(&self, take: Take) -> f64 {
        let all = self.counted.iter().map(Predictions::accuracy);
        match take {
            Take::Best => all.fold(0.0, f64::max),
            Take::Mean => all.sum::<f64>() / self.counted.len().max(1) as f64,
        }
    }

    /// Returns the run for messages: the best one.
    fn shown(&self) -> Option<&Predictions> {
        self.counted.iter().fold(None, |best: Option<&Predictions>, run| match best {
            Some(before) if before.accuracy() >= run.accuracy() => Some(before),
            Some(_) | None => Some(run),
        })
    }
}

/// Returns the title of a band's check, where `examples` names what is asked about.
pub fn title(examples: &str, band: Band) -> String {
    format!("at least {band} of unseen {examples} are answered right")
}

/// Computes the outcome of a band's check; `classes` are the names of the classes.
pub fn outcome(
    (training, rules): (&Training, &TrainingRules),
    band: Band,
    runs: &Runs,
    classes: &[&str],
) -> Outcome {
    let accuracy = runs.accuracy(rules.take);
    if band.is_reached(accuracy) {
        return Outcome::Pass;
    }
    let message = [
        reached(training, rules, runs, accuracy),
        format!(" This check asks for {band}."),
        runs.doubted.as_ref().map_or_else(String::new, doubted),
        runs.shown().map_or_else(String::new, |run| confused(run, classes)),
        learned(runs),
        meaning(training.levels, runs, accuracy),
    ]
    .concat();
    let evidence = Evidence {
        case: runs.shown().map(|run| format!("{} unseen {}", run.asked(), training.examples)),
        got: Some(accuracy),
        expected: Some(band.share()),
        ..Evidence::default()
    };
    Outcome::Wrong { message, evidence }
}

/// Computes the outcome of a band's check for a trained model that was handed in; `classes` are the
/// names of the classes.
pub fn outcome_of_model(
    upload: &Upload,
    band: Band,
    counted: &Predictions,
    classes: &[&str],
) -> Outcome {
    let accuracy = counted.accuracy();
    if band.is_reached(accuracy) {
        return Outcome::Pass;
    }
    let Upload { file, examples, .. } = upload;
    let (right, asked, wanted) = (counted.right(), counted.asked(), band.share());
    let message = [
        format!("The model in `{file}` answered {right} of {asked} unseen {examples} right: "),
        format!("{accuracy:.4}. This check asks for {wanted:.4}."),
        confused(counted, classes),
        level(upload.levels, accuracy),
    ]
    .concat();
    let evidence = Evidence {
        case: Some(format!("{asked} unseen {examples}")),
        got: Some(accuracy),
        expected: Some(wanted),
        ..Evidence::default()
    };
    Outcome::Wrong { message, evidence }
}

/// Formats a share in per cent, with four decimals of the share.
fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn reached(training: &Training, rules: &TrainingRules, runs: &Runs, accuracy: f64) -> String {
    let (what, below) = (
        training.examples,
        if runs.with_reference {
            " with the grader's own parts below it, which did better than yours"
        } else {
            ""
        },
    );
    match (runs.counted.as_slice(), rules.take) {
        ([run], _) => format!(
            "Trained{below}, the classifier answered {} of {} unseen {what} right: {}.",
            run.right(),
            run.asked(),
            percent(accuracy)
        ),
        (all, take) => {
            let each: Vec<String> = all.iter().map(|run| percent(run.accuracy())).collect();
            let counts = match take {
                Take::Best => "the best",
                Take::Mean => "their mean",
            };
            format!(
                "Trained {} times{below}, the classifier answered {} of unseen {what} right; {counts} \
                 counts: {}.",
                all.len(),
                each.join(", "),
                percent(accuracy)
            )
        }
    }
}

/// Returns the message about answers that do not come from the learned parameters.
fn doubted(own: &Predictions) -> String {
    format!(
        " That is the score of the trained parameters in the grader's own classifier. Yours answered {} right \
         with them: answers that do not come from what was learned do not count. Look at the checks of what you \
         wrote, and at whether each parameter is used for what its name says.",
        percent(own.accuracy())
    )
}

fn confused(run: &Predictions, classes: &[&str]) -> String {
    let name = |class: usize| classes.get(class).copied().unwrap_or("?");
    let unanswered = match run.unanswered {
        0 => String::new(),
        n => format!(" In {n} of {} answers, logits are not finite numbers.", run.asked()),
    };
    let worst = run.worst().map_or_else(String::new, |it| {
        let (class, taken_for) = (name(it.class), name(it.taken_for));
        format!(" Most often {class} was taken for {taken_for} ({} of {}).", it.count, it.all)
    });
    unanswered + &worst
}

/// Returns the message about the training loss that the worker reported.
fn learned(runs: &Runs) -> String {
    let losses = runs.shown().map(|run| run.losses.as_slice()).unwrap_or_default();
    match losses {
        [first, .., last] => {
            format!(" The training loss went from {first:.3} in the first epoch to {last:.3}.")
        }
        _ => String::new(),
    }
}

/// Returns the meaning of reaching this accuracy and no higher one, if it is known.
fn meaning(levels: &[(f64, &str)], runs: &Runs, accuracy: f64) -> String {
    // Answers of the grader's classifier say nothing about how the submission's own learned.
    if runs.doubted.is_some() {
        return String::new();
    }
    runs.shown().and_then(learned_by_heart).unwrap_or_else(|| level(levels, accuracy))
}

/// Returns the message about a run that answered far more of its training examples right than
/// unseen ones.
///
/// Each wrong answer has a loss of at least ln 2, so a mean loss `l` allows at most a share of
/// `l / ln 2` wrong answers. The loss is that of the last epoch, during which the model still learned,
/// so the final accuracy is no worse. A tenth is five standard deviations of a share of 600.
fn learned_by_heart(run: &Predictions) -> Option<String> {
    let least = 1.0 - run.losses.last()? / std::f64::consts::LN_2;
    let is_far = least > run.accuracy() + 0.1;
    if !is_far {
        return None;
    }
    Some(format!(
        " With that loss, at least {:.0} % of the examples to learn from were answered right in the last \
         epoch, and far fewer of the unseen ones: they were learned by heart, or the model computes \
         something else outside of training. Look at what your model does in training alone, and at what \
         it can tell an example by besides its words and their order.",
        (100.0 * least).floor()
    ))
}

/// Returns the meaning of the highest level that `accuracy` reaches.
fn level(levels: &[(f64, &str)], accuracy: f64) -> String {
    let reached = levels.iter().rev().find(|(share, _)| accuracy >= *share);
    reached.map_or_else(String::new, |(_, means)| format!(" {means}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use softmark_exam::Program;
    use softmark_exam::check::Plan;
    use softmark_sandbox::Limits;

    use super::*;

    fn never(_: u64) -> Plan {
        panic!("nothing is trained here")
    }

    const TRAINING: Training = Training {
        task: "training",
        examples: "questions",
        program: Program::Own,
        with_reference: None,
        parts: &[],
        below: &[],
        least_learned: None,
        plan: never,
        levels: &[(0.0, "That is chance."), (0.45, "That is a bag of words.")],
    };

    fn rules(take: Take) -> TrainingRules {
        let limits = Limits { wall: Duration::from_secs(1), ..Limits::generous() };
        TrainingRules { runs: 2, take, limits }
    }

    fn run(right: usize) -> Predictions {
        Predictions {
            confusion: vec![vec![right, 60 - right], vec![0, 40]],
            unanswered: 0,
            losses: vec![1.5, 0.5],
        }
    }

    fn runs(right: &[usize]) -> Runs {
        let counted = right.iter().map(|&right| run(right)).collect();
        Runs { counted, with_reference: false, doubted: None }
    }

    fn of(runs: &Runs, take: Take, band: f64) -> Outcome {
        let band = Band::parse(band).unwrap();
        outcome((&TRAINING, &rules(take)), band, runs, &["HUM", "LOC"])
    }

    #[test]
    fn a_band_is_reached_or_missed_by_one_answer() {
        // The accuracy is (52 + 40) / 100.
        assert!(of(&runs(&[52]), Take::Best, 0.92).is_pass());
        assert!(!of(&runs(&[51]), Take::Best, 0.92).is_pass());
        assert!(of(&runs(&[10, 52]), Take::Best, 0.92).is_pass());
        assert!(!of(&runs(&[10, 52]), Take::Mean, 0.92).is_pass());
        assert!(of(&runs(&[50, 54]), Take::Mean, 0.92).is_pass());
    }

    #[test]
    fn a_missed_band_says_how_far_it_got() {
        let Outcome::Wrong { message, evidence } = of(&runs(&[10]), Take::Best, 0.92) else {
            panic!("not missed")
        };
        assert_eq!(
            message,
            "Trained, the classifier answered 50 of 100 unseen questions right: 50.00 %. This check \
             asks for 92 %. Most often HUM was taken for LOC (50 of 60). The training loss went from \
             1.500 in the first epoch to 0.500. That is a bag of words."
        );
        assert_eq!((evidence.got, evidence.expected), (Some(0.5), Some(0.92)));
    }

    #[test]
    fn what_was_learned_by_heart_is_not_called_slow_or_nothing() {
        let told = |losses: &[f64], right: usize| {
            let counted = vec![Predictions { losses: losses.to_vec(), ..run(right) }];
            let runs = Runs { counted, with_reference: false, doubted: None };
            let Outcome::Wrong { message, .. } = of(&runs, Take::Best, 0.97) else { panic!() };
            message
        };
        for right in [0, 10] {
            let message = told(&[1.8, 0.02], right);
            assert!(message.contains("at least 97 % of the examples to learn from"), "{message}");
            assert!(!message.contains("bag of words") && !message.contains("chance"), "{message}");
        }
        // A loss of 0.25 allows 36 % wrong answers: 64 % is within a tenth of 60 %.
        for (losses, right) in [([1.8, 0.25], 20), ([1.8, f64::NAN], 10), ([1.8, 1.5], 10)] {
            assert!(told(&losses, right).ends_with("That is a bag of words."));
        }
    }

    #[test]
    fn what_is_not_finite_is_not_right() {
        let silent =
            Predictions { unanswered: 60, confusion: vec![vec![0, 0], vec![0, 40]], ..run(0) };
        let runs = Runs { counted: vec![silent], with_reference: true, doubted: None };
        let Outcome::Wrong { message, .. } = of(&runs, Take::Best, 0.41) else { panic!() };
        assert!(message.contains("In 60 of 100 answers, logits are not finite"), "{message}");
        assert!(message.contains("the grader's own parts below"), "{message}");
        assert!(of(&runs, Take::Best, 0.4).is_pass());
    }

    #[test]
    fn a_model_that_was_handed_in_reaches_a_band_or_says_how_far_it_got() {
        const UPLOAD: Upload = Upload {
            task: "best-model",
            file: "best.safetensors",
            examples: "questions",
            program: Program::Own,
            plan: |_, _| Err(String::new()),
            levels: &[(0.0, "That is chance."), (0.45, "That is a head alone.")],
        };
        let of = |right: usize, band: f64| {
            let counted = Predictions { losses: Vec::new(), ..run(right) };
            outcome_of_model(&UPLOAD, Band::parse(band).unwrap(), &counted, &["HUM", "LOC"])
        };
        assert!(of(52, 0.92).is_pass() && !of(51, 0.92).is_pass());
        let Outcome::Wrong { message, evidence } = of(51, 0.92) else { panic!("not missed") };
        assert_eq!(
            message,
            "The model in `best.safetensors` answered 91 of 100 unseen questions right: 0.9100. This \
             check asks for 0.9200. Most often HUM was taken for LOC (9 of 60). That is a head alone."
        );
        assert_eq!((evidence.got, evidence.expected), (Some(0.91), Some(0.92)));
    }
}
