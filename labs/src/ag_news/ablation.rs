//! The compared configurations: the ablation, and the trials of the random search.

use softmark_kit::sweep::{Range, Space, Trial, TrialError};

use crate::ag_news::model::{Architecture, Attention, Norm, Pooled, Positions};

/// Numbers of heads that are compared.
pub(super) const HEADS: [usize; 6] = [1, 2, 10, 25, 50, 100];

/// Learning rate of the ablation.
const LEARNING_RATE: f64 = 1e-3;

/// A configuration to train.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Configuration {
    /// Name in file names: lowercase letters, digits and hyphens.
    pub(super) name: String,
    /// Description in tables and pictures.
    pub(super) title: String,
    /// Architecture of the classifier.
    pub(super) architecture: Architecture,
    /// Learning rate of Adam.
    pub(super) learning_rate: f64,
    /// Number of texts per step.
    pub(super) batch_size: usize,
}

/// The attention to which all others are compared.
const PLAIN: Attention =
    Attention { heads: 1, positions: Positions::Sinusoidal, norm: Norm::Absent };

/// The architecture to which all others with attention are compared.
const ONE_HEAD: Architecture =
    Architecture { attention: Some(PLAIN), pooled: Pooled::Max, dropout: 0.1 };

fn of(name: &str, title: &str, architecture: Architecture) -> Configuration {
    Configuration {
        name: name.to_owned(),
        title: title.to_owned(),
        architecture,
        learning_rate: LEARNING_RATE,
        batch_size: 32,
    }
}

fn with_heads(heads: usize) -> Configuration {
    let plural = if heads == 1 { "head" } else { "heads" };
    let attention = Some(Attention { heads, ..PLAIN });
    let title = format!("attention, {heads} {plural}");
    of(&format!("heads-{heads}"), &title, Architecture { attention, ..ONE_HEAD })
}

/// Returns the configurations of the ablation, the baseline first. Each of those after the numbers of heads
/// differs from the attention with one head in one aspect.
pub(super) fn ablation() -> Vec<Configuration> {
    let attention = |attention| Architecture { attention: Some(attention), ..ONE_HEAD };
    let baseline = Architecture { attention: None, pooled: Pooled::Mean, ..ONE_HEAD };
    let mut all = vec![of("baseline", "mean of the embeddings", baseline)];
    all.extend(HEADS.map(with_heads));
    all.push(of("cls", "1 head, [CLS] pooling", Architecture { pooled: Pooled::Cls, ..ONE_HEAD }));
    let learned = Attention { positions: Positions::Learned, ..PLAIN };
    all.push(of("learned-positions", "1 head, learned positions", attention(learned)));
    let norm = Attention { norm: Norm::Layer, ..PLAIN };
    all.push(of("layer-norm", "1 head, layer norm", attention(norm)));
    all
}

/// Names of the settings that are drawn.
mod setting {
    pub(super) const LEARNING_RATE: &str = "learning_rate";
    pub(super) const BATCH_SIZE: &str = "batch_size";
    pub(super) const HEADS: &str = "heads";
    pub(super) const DROPOUT: &str = "dropout";
    pub(super) const POOLED: &str = "pooled";
    pub(super) const POSITIONS: &str = "positions";
    pub(super) const NORM: &str = "norm";
}

/// Returns `budget` configurations drawn at random.
pub(super) fn random(budget: usize, seed: u64) -> Result<Vec<Configuration>, TrialError> {
    let ranges = [
        (setting::LEARNING_RATE, Range::LogUniform(3e-4, 3e-3)),
        (setting::BATCH_SIZE, Range::Choice(vec![32.0, 64.0, 128.0])),
        (setting::HEADS, Range::Choice(HEADS.map(|heads| heads as f64).to_vec())),
        (setting::DROPOUT, Range::Uniform(0.0, 0.5)),
        (setting::POOLED, Range::Choice(vec![0.0, 1.0, 2.0])),
        (setting::POSITIONS, Range::Choice(vec![0.0, 1.0])),
        (setting::NORM, Range::Choice(vec![0.0, 1.0])),
    ];
    Space::random(&ranges, budget, seed).iter().map(drawn).collect()
}

/// Returns the configuration with the settings of a trial.
fn drawn(trial: &Trial) -> Result<Configuration, TrialError> {
    let pooled = match whole(trial, setting::POOLED)? {
        0 => Pooled::Mean,
        1 => Pooled::Max,
        _ => Pooled::Cls,
    };
    let positions = match whole(trial, setting::POSITIONS)? {
        0 => Positions::Sinusoidal,
        _ => Positions::Learned,
    };
    let norm = if whole(trial, setting::NORM)? == 0 { Norm::Absent } else { Norm::Layer };
    let heads = whole(trial, setting::HEADS)?;
    let number = trial.id + 1;
    Ok(Configuration {
        name: format!("search-{number:02}"),
        title: format!("random search, trial {number}"),
        architecture: Architecture {
            attention: Some(Attention { heads, positions, norm }),
            pooled,
            dropout: share(trial.get(setting::DROPOUT)?),
        },
        learning_rate: trial.get(setting::LEARNING_RATE)?,
        batch_size: whole(trial, setting::BATCH_SIZE)?,
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a drawn whole number")]
fn whole(trial: &Trial, name: &str) -> Result<usize, TrialError> {
    Ok(trial.get(name)? as usize)
}

#[expect(clippy::cast_possible_truncation, reason = "a probability of four digits")]
fn share(of: f64) -> f32 {
    of as f32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ag_news::model::WIDTH;

    #[test]
    fn each_configuration_has_a_name_of_its_own() {
        let mut all = ablation();
        all.extend(random(30, 1).unwrap());
        let names: BTreeSet<&str> = all.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        assert_eq!(all.len(), 1 + 6 + 3 + 30);
    }

    #[test]
    fn heads_divide_the_width() {
        for configuration in ablation().into_iter().chain(random(30, 2).unwrap()) {
            let heads = configuration.architecture.attention.map_or(1, |it| it.heads);
            assert_eq!(WIDTH % heads, 0, "{}", configuration.name);
        }
    }

    #[test]
    fn a_larger_budget_starts_with_the_same_trials() {
        let (few, many) = (random(4, 3).unwrap(), random(9, 3).unwrap());
        assert_eq!(few, many[..4]);
        assert_ne!(few, random(4, 4).unwrap());
    }
}
