//! Descriptions of trained models and of trainings.

use crate::model::{ModelRecord, Record, TrainingRecord};

/// Returns a line about the accuracy of a model.
pub(super) fn reached(model: &ModelRecord) -> String {
    let reached = match model.accuracy {
        Some(accuracy) => {
            let (asked, examples, name) = (model.asked, &model.examples, &model.pseudonym);
            format!("{accuracy:.4} of {asked} unseen {examples}, leaderboard: {name}")
        }
        None => "not measured".to_owned(),
    };
    format!("{}   {reached}", model.file)
}

/// Returns a line with the settings that a checkpoint states; `None` if it states none.
pub(super) fn says(model: &ModelRecord) -> Option<String> {
    let settings: Vec<String> =
        model.settings.iter().map(|(key, value)| format!("{key} {value}")).collect();
    (!settings.is_empty()).then(|| format!("says of itself: {}", settings.join(", ")))
}

/// Returns a line about a trained part: its accuracy, and which parts were the grader's own.
pub(super) fn trained(training: &TrainingRecord) -> String {
    let TrainingRecord { task, accuracy, asked, examples, references, runs: _ } = training;
    let parts = match references.as_slice() {
        [] => "the submission's own parts".to_owned(),
        names => {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            format!("the grader's own {}", names.join(", "))
        }
    };
    format!("{task}: {accuracy:.4} of {asked} unseen {examples}, with {parts}")
}

/// Returns a line about each training and each model of a record.
pub(crate) fn lines(record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = record.trainings.iter().map(trained).collect();
    for model in &record.models {
        let own = if model.own.is_empty() { String::new() } else { format!(" ({})", model.own) };
        let says = says(model).map(|says| format!("; {says}")).unwrap_or_default();
        lines.push(format!("{}{own}{says}", reached(model)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use softmark_untrusted::Untrusted;

    use super::*;

    #[test]
    fn a_model_is_one_line_whatever_it_says() {
        let setting = |key: &str, value: &str| (key.into(), value.into());
        let mut model = ModelRecord {
            task: "best-model".into(),
            file: "best.safetensors".into(),
            accuracy: Some(581.0 / 600.0),
            asked: 600,
            examples: "questions".into(),
            settings: BTreeMap::new(),
            pseudonym: "quiet heron 17".into(),
            own: Untrusted::EMPTY,
        };
        assert_eq!(
            reached(&model),
            "best.safetensors   0.9683 of 600 unseen questions, leaderboard: quiet heron 17"
        );
        assert_eq!(says(&model), None);
        model.settings =
            BTreeMap::from([setting("method", "prefix\u{1b}[2J\n"), setting("length", "5")]);
        assert_eq!(says(&model).as_deref(), Some("says of itself: length 5, method prefix␛[2J␊"));
        model.accuracy = None;
        assert_eq!(reached(&model), "best.safetensors   not measured");
    }

    #[test]
    fn a_training_says_which_parts_were_the_graders() {
        let mut training = TrainingRecord {
            task: "training".into(),
            accuracy: 0.995,
            asked: 600,
            examples: "questions".into(),
            references: Vec::new(),
            runs: Vec::new(),
        };
        let start = "training: 0.9950 of 600 unseen questions, with ";
        assert_eq!(trained(&training), format!("{start}the submission's own parts"));
        training.references = ["encoder-layer", "encoder"].map(Untrusted::from).to_vec();
        assert_eq!(trained(&training), format!("{start}the grader's own encoder-layer, encoder"));
    }
}
