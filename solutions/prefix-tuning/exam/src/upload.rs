//! The best model: a checkpoint that is handed in, put onto the encoder that is built in, and asked.

use std::sync::Arc;

use prefix_tuning_checks::signatures;
use softmark_checks::Signature;
use softmark_common::data::questions;
use softmark_common::pretrained::BUILTIN;
use softmark_exam::check::{Checkpoint, Initial, Plan, StoredTensor};
use softmark_exam::{Program, Upload};

use crate::encoder::{Encoder, builtin};
use crate::training::{PARTIAL, TOKENS, UNSEEN, examples};

/// The task.
pub(crate) const UPLOAD: Upload = Upload {
    task: "best-model",
    file: "best.safetensors",
    examples: "questions",
    program: Program::Own,
    plan,
    levels: &[
        (
            0.0,
            "A guess is right in 17 of 100. Ask the model yourself on questions that it was not tuned \
             on, after it was loaded from the file: does it answer as it did before it was saved?",
        ),
        (
            0.3,
            "That is about what a head alone gets out of an encoder that stays as it is. Look at what \
             learns beside it.",
        ),
        (
            0.7,
            "Look at how the validation loss went: was it still falling at the end, or already rising?",
        ),
    ],
};

/// How the classifier of a checkpoint is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// With a prefix of that length, at most that of the longest text; 0 for the head alone.
    Prefix(usize),
    /// With so many layers that learned.
    Partial(usize),
}

impl Method {
    fn of(saved: &Checkpoint, encoder: &Encoder) -> Result<Self, String> {
        let said = |key: &str| saved.description.settings.get(key).map(String::as_str);
        let number = |key: &str, most: usize| {
            let number = said(key).and_then(|text| text.parse::<usize>().ok());
            let number = number.filter(|number| *number <= most);
            let told = said(key).map_or("nothing".to_owned(), |text| format!("`{}`", shown(text)));
            number.ok_or_else(|| {
                format!("its settings say {told} of `{key}`, where a number from 0 to {most} is asked for")
            })
        };
        match said("method") {
            Some("prefix") => number("prefix_length", encoder.config.max_len).map(Self::Prefix),
            Some("partial") => number("unfrozen", encoder.config.layers).map(Self::Partial),
            Some(other) => Err(format!(
                "its settings call its method `{}`, which is neither `prefix` nor `partial`",
                shown(other)
            )),
            None => Err("its settings do not say its `method`, `prefix` or `partial`".to_owned()),
        }
    }

    fn signature(self) -> &'static Signature {
        match self {
            Self::Prefix(_) => &signatures::PREFIX,
            Self::Partial(_) => &signatures::PARTIAL,
        }
    }

    /// What is tuned by it, with its shapes.
    fn tuned(self, encoder: &Encoder) -> Vec<(String, Vec<usize>)> {
        let (d, classes) = (encoder.config.d_model, questions::CLASSES.len());
        let head = [("classifier.weight", vec![classes, d]), ("classifier.bias", vec![classes])];
        let mut all: Vec<(String, Vec<usize>)> =
            head.map(|(name, shape)| (name.to_owned(), shape)).into();
        match self {
            Self::Prefix(0) => {}
            Self::Prefix(length) => all.push(("prefix".to_owned(), vec![length, d])),
            Self::Partial(unfrozen) => {
                let deep = [
                    ("linear1.weight", vec![d, d]),
                    ("linear1.bias", vec![d]),
                    ("norm.weight", vec![d]),
                    ("norm.bias", vec![d]),
                ];
                all.extend(deep.map(|(name, shape)| (name.to_owned(), shape)));
                let layers = encoder.config.layers;
                for layer in layers - unfrozen..layers {
                    let under = format!("base.layers.{layer}.");
                    let those =
                        encoder.parameters.iter().filter(|(name, _)| name.starts_with(&under));
                    all.extend(those.map(|(name, (shape, _))| (name.clone(), shape.clone())));
                }
            }
        }
        all
    }
}

/// A text of the student's that a message can hold.
fn shown(text: &str) -> String {
    text.chars().filter(|it| !it.is_control()).take(40).collect()
}

/// The plan by which a checkpoint is measured, or what is wrong with it.
fn plan(seed: u64, saved: &Checkpoint) -> Result<Plan, String> {
    // Without the encoder it is the grader that is broken, and nobody's checkpoint: a plan that trains is
    // none to measure by, and an error of the grader.
    let Ok(encoder) = builtin() else { return Ok((PARTIAL.plan)(seed)) };
    let described = &saved.description;
    if described.base != BUILTIN {
        let base = shown(&described.base);
        return Err(format!("it was tuned on `{base}`, and the encoder here is `{BUILTIN}`"));
    }
    let method = Method::of(saved, encoder)?;
    let tuned = method.tuned(encoder);
    let rows = places_of_classes(&described.labels)?;
    if let Some(name) = saved.tensors.keys().find(|name| !tuned.iter().any(|(of, _)| of == *name)) {
        return Err(format!(
            "it has a tensor `{}`, which {} does not tune",
            shown(name),
            said_of(method)
        ));
    }
    let mut parameters = encoder.parameters.clone();
    for (name, shape) in tuned {
        let tensor = saved.tensors.get(&name).ok_or_else(|| {
            format!("it lacks the tensor `{name}`, which {} tunes", said_of(method))
        })?;
        if tensor.shape != shape || !tensor.is_f32() {
            let StoredTensor { shape: is, dtype, .. } = tensor;
            return Err(format!(
                "its `{name}` is {is:?} in {dtype}; {shape:?} in f32 is asked for"
            ));
        }
        let of_classes = name.starts_with("classifier.");
        let values = numbers(tensor, of_classes.then_some(&rows));
        parameters.insert(name, (shape, Initial::Given(values)));
    }
    let (prefix_length, unfrozen) = match method {
        Method::Prefix(length) => (length, 0),
        Method::Partial(unfrozen) => (0, unfrozen),
    };
    let mut config = encoder.sizes();
    config.extend([
        ("dropout_permille", 0),
        ("classes", questions::CLASSES.len()),
        ("prefix_length", prefix_length),
        ("unfrozen", unfrozen),
        ("train", 0),
    ]);
    let [train, unseen] = examples(seed, 0, UNSEEN);
    Ok(Plan {
        signature: method.signature(),
        config,
        parameters,
        rows_of_ids: vec![TOKENS.to_owned()],
        rows_of_classes: ["classifier.weight", "classifier.bias"].map(str::to_owned).into(),
        frozen: Vec::new(),
        recipe: None,
        train,
        unseen,
        classes: &questions::CLASSES,
        vocabulary: u32::try_from(encoder.config.vocabulary).unwrap_or(u32::MAX),
    })
}

fn said_of(method: Method) -> String {
    match method {
        Method::Prefix(0) => "a head alone".to_owned(),
        Method::Prefix(length) => format!("a prefix of {length}"),
        Method::Partial(1) => "a head with the last layer".to_owned(),
        Method::Partial(unfrozen) => format!("a head with the last {unfrozen} layers"),
    }
}

/// For each class, in the order of the questions', its row in the checkpoint's head.
fn places_of_classes(labels: &[String]) -> Result<Vec<usize>, String> {
    let classes = questions::CLASSES;
    let place = |class: &&str| {
        let mut places = labels.iter().enumerate().filter(|(_, label)| label == class);
        let (first, second) = (places.next(), places.next());
        first.filter(|_| second.is_none()).map(|(place, _)| place)
    };
    let places: Option<Vec<usize>> = classes.iter().map(place).collect();
    places.filter(|_| labels.len() == classes.len()).ok_or_else(|| {
        format!(
            "its labels are not the {} classes {}, each once, in any order",
            classes.len(),
            classes.join(", ")
        )
    })
}

/// The numbers of a tensor, its rows as `rows` says where it does.
fn numbers(tensor: &StoredTensor, rows: Option<&Vec<usize>>) -> Arc<[f32]> {
    let flat = &tensor.values;
    let Some(rows) = rows else { return Arc::clone(flat) };
    let width = flat.len() / rows.len().max(1);
    let row = |row: &usize| flat.chunks(width.max(1)).nth(*row).unwrap_or_default().to_vec();
    rows.iter().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use softmark_common::checkpoint::Description;

    use super::*;

    /// A checkpoint of zeros, but for the head's bias, which counts its rows.
    fn saved(settings: &[(&str, &str)]) -> Checkpoint {
        let settings =
            settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let labels = questions::CLASSES.map(str::to_owned).into();
        let description = Description { base: BUILTIN.to_owned(), labels, settings };
        let mut saved = Checkpoint { description, ..Checkpoint::default() };
        let encoder = builtin().unwrap();
        for (name, shape) in Method::of(&saved, encoder).unwrap().tuned(encoder) {
            let zeros = vec![0.0; shape.iter().product()];
            saved.tensors.insert(name, StoredTensor::f32(&shape, zeros));
        }
        let bias = StoredTensor::f32(&[6], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        saved.tensors.insert("classifier.bias".to_owned(), bias);
        saved
    }

    const PARTIAL: [(&str, &str); 2] = [("method", "partial"), ("unfrozen", "2")];

    fn problem(saved: &Checkpoint) -> String {
        plan(1, saved).unwrap_err()
    }

    #[test]
    fn what_was_tuned_takes_the_place_of_what_was_pretrained() {
        let pretrained = &builtin().unwrap().parameters;
        let plan = plan(1, &saved(&PARTIAL)).unwrap();
        assert_eq!((plan.part(), plan.unseen.len(), plan.recipe), ("partial", 600, None));
        let zeros = |name: &str| {
            let (_, Initial::Given(values)) = &plan.parameters[name] else { panic!("{name}") };
            values.iter().all(|x| *x == 0.0)
        };
        assert!(zeros("base.layers.3.norm1.weight") && zeros("linear1.weight"));
        for name in ["base.layers.1.norm1.weight", TOKENS] {
            assert_eq!(plan.parameters[name], pretrained[name], "{name}");
        }
    }

    #[test]
    fn a_prefix_and_a_head_alone_are_taken_too() {
        let of = |length: &str| plan(1, &saved(&[("method", "prefix"), ("prefix_length", length)]));
        assert_eq!(of("5").unwrap().parameters["prefix"].0, [5, 96]);
        assert!(!of("0").unwrap().parameters.contains_key("prefix"));
    }

    /// Row 5 of the head is `NUM`; where the labels say that it stands first, so does its row.
    #[test]
    fn rows_of_the_head_go_by_the_names_of_the_classes() {
        let mut turned = saved(&PARTIAL);
        turned.description.labels.reverse();
        let plan = plan(1, &turned).unwrap();
        let (_, Initial::Given(bias)) = &plan.parameters["classifier.bias"] else { panic!() };
        assert_eq!(&**bias, [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    }

    #[test]
    fn what_makes_no_classifier_is_told() {
        let told = |change: &dyn Fn(&mut Checkpoint)| {
            let mut changed = saved(&PARTIAL);
            change(&mut changed);
            problem(&changed)
        };
        let set = |key: &str, value: &str| {
            let (key, value) = (key.to_owned(), value.to_owned());
            told(&move |it| drop(it.description.settings.insert(key.clone(), value.clone())))
        };
        assert!(set("method", "lora").contains("neither `prefix` nor `partial`"));
        assert!(set("unfrozen", "5").contains("from 0 to 4"));
        assert!(set("unfrozen", "two").contains("`two`"));
        assert!(told(&|it| it.description.settings.clear()).contains("do not say its `method`"));
        assert!(
            told(&|it| it.description.base = "bert\u{7}".to_owned()).contains("tuned on `bert`")
        );
        assert!(told(&|it| drop(it.description.labels.pop())).contains("each once"));
        assert!(told(&|it| it.description.labels[0] = "NUM".to_owned()).contains("each once"));
        let lacks = told(&|it| drop(it.tensors.remove("norm.bias")));
        assert!(lacks.contains("lacks the tensor `norm.bias`"), "{lacks}");
        let one = || StoredTensor::f32(&[1], [1.0]);
        let alien = told(&|it| drop(it.tensors.insert("prefix".to_owned(), one())));
        assert!(alien.contains("`prefix`, which a head with the last 2 layers"), "{alien}");
        let other = told(&|it| drop(it.tensors.insert("norm.bias".to_owned(), one())));
        assert!(other.contains("is [1] in f32; [96] in f32"), "{other}");
        // Fewer layers learned than the checkpoint says: those that are missing are named.
        assert!(set("unfrozen", "3").contains("lacks the tensor `base.layers.1."));
    }
}
