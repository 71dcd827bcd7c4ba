//! A trained model that was handed in, in words.

use crate::model::ModelRecord;
use crate::report::text::line;

/// How well it did, in one line.
pub(super) fn reached(model: &ModelRecord) -> String {
    let reached = match model.accuracy {
        Some(accuracy) => {
            let (asked, examples, name) = (model.asked, &model.examples, &model.pseudonym);
            format!("{accuracy:.4} of {asked} unseen {examples}, leaderboard: {name}")
        }
        None => "not measured".to_owned(),
    };
    line(&format!("{}   {reached}", model.file))
}

/// What the checkpoint says of itself, in one line; `None` where it says nothing.
pub(super) fn says(model: &ModelRecord) -> Option<String> {
    let settings: Vec<String> =
        model.settings.iter().map(|(key, value)| line(&format!("{key} {value}"))).collect();
    (!settings.is_empty()).then(|| format!("says of itself: {}", settings.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_model_is_one_line_whatever_it_says() {
        let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let mut model = ModelRecord {
            task: "best-model".to_owned(),
            file: "best.safetensors".to_owned(),
            accuracy: Some(581.0 / 600.0),
            asked: 600,
            examples: "questions".to_owned(),
            settings: BTreeMap::new(),
            pseudonym: "quiet heron 17".to_owned(),
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
}
