//! Bands of a model that was handed in: validates the checkpoint, loads it into the grader's own
//! architecture, and counts right answers.
//!
//! A checkpoint is data: the grader reads its bytes with a reader that allocates no more than their
//! length, and executes nothing of it. All computation happens in the sandbox, by the solution's
//! code: none of the student's code sees a question, so that no rule in it can answer one. The
//! student's own architecture gets the same checkpoint and texts of random words. An architecture
//! that is unrelated to the documented one and is not written earns no band. An architecture that
//! is written and differs from the documented one is reported and costs no points here, because its
//! own checks cost points already.

use std::collections::BTreeMap;

use softmark_checks::outcome::Evidence;
use softmark_checks::{CheckError, Outcome};
use softmark_common::rng::Stream;
use softmark_exam::check::{Agreement, Checkpoint, Plan, Predictions, agreement, measure};
use softmark_exam::{Program, Upload};
use softmark_untrusted::Untrusted;
use softmark_wire::Session;

use crate::examine::{SessionKind, Sessions};
use crate::intake::Uploaded;
use crate::model::ModelRecord;
use crate::pipeline::written::{IsWritten, Written};
use crate::score::{BandCheck, outcome_of_model};

/// Most settings of a checkpoint that a record keeps, and most characters of each: a checkpoint may
/// hold arbitrarily many.
const MOST_SETTINGS: usize = 16;
const MOST_LETTERS: usize = 60;

/// Most characters of a message about a checkpoint, which may contain names of its tensors.
const MOST_SAID: usize = 600;

/// Outcomes of the bands of one task, by id, and the model for the record.
pub(crate) type Measured = (BTreeMap<String, Outcome>, ModelRecord);

/// Computes the outcomes of all bands of a task whose model is handed in.
///
/// # Errors
///
/// Fails if the grader's side is broken.
pub(crate) fn conduct<S: Session>(
    (upload, uploaded): (&Upload, Option<&Uploaded>),
    bands: &[BandCheck],
    training_seed: u64,
    sessions: &mut Sessions<S>,
    written: &mut IsWritten<'_, S>,
) -> Result<Measured, CheckError> {
    let mut model = ModelRecord {
        task: upload.task.into(),
        file: upload.file.into(),
        accuracy: None,
        asked: 0,
        examples: upload.examples.into(),
        settings: BTreeMap::new(),
        pseudonym: Untrusted::EMPTY,
        own: Untrusted::EMPTY,
    };
    let all = |outcome: &Outcome| -> BTreeMap<String, Outcome> {
        bands.iter().map(|it| (it.id.clone(), outcome.clone())).collect()
    };
    let wrong = |message: &str| {
        let message = clipped(message, MOST_SAID);
        all(&Outcome::Wrong { message, evidence: Evidence::default() })
    };
    if uploaded.is_none() {
        let message = format!(
            "not handed in: `{}` belongs beside `src/`, and the README of the assignment says how it is made",
            upload.file
        );
        return Ok((all(&Outcome::NotImplemented { message }), model));
    }
    let saved = match saved(upload.file, uploaded) {
        Ok(saved) => saved,
        Err(message) => return Ok((wrong(&message), model)),
    };
    model.settings = settings(&saved);
    let seed = seed_of(training_seed, upload.task);
    let plan: Plan = match (upload.plan)(seed, &saved) {
        Ok(plan) => plan,
        Err(why) => {
            let message = format!("`{}` makes no classifier: {why}.", upload.file);
            return Ok((wrong(&message), model));
        }
    };
    let (own, reference) = sessions
        .both(SessionKind::Model(upload.program), SessionKind::Model(Program::Reference))?;
    let agreed = match agreement(own, reference, &plan, seed) {
        Ok(agreement) => Ok(agreement),
        Err(stop) => Err(stop.into_outcome()?),
    };
    let is_related = agreed.as_ref().is_ok_and(Agreement::is_related);
    // Code that is written and wrong lost its points in its own checks: if it cannot use the
    // checkpoint, that costs nothing here.
    if !is_related && written(plan.part(), sessions)? != Written::Yes {
        let outcome = agreed.map_or_else(|outcome| outcome, |it| unrelated(&plan, it));
        return Ok((all(&outcome), model));
    }
    model.own = match agreed {
        Ok(agreement) => said_of_own(&plan, agreement),
        Err(outcome) => said_of_failure(&plan, &outcome),
    };
    let session = sessions.with(SessionKind::Model(Program::Reference))?;
    let counted: Predictions = match measure(session, &plan, seed) {
        Ok(counted) => counted,
        Err(stop) => return Ok((all(&stop.into_outcome()?), model)),
    };
    model.accuracy = Some(counted.accuracy());
    model.asked = counted.asked();
    let outcome = |it: &BandCheck| outcome_of_model(upload, it.band, &counted, plan.classes);
    Ok((bands.iter().map(|it| (it.id.clone(), outcome(it))).collect(), model))
}

/// Returns the message about a submission's own architecture; empty if it equals the documented
/// one.
fn said_of_own(plan: &Plan, agreement: Agreement) -> Untrusted {
    let Agreement { texts, same, .. } = agreement;
    if agreement.is_whole() {
        return Untrusted::EMPTY;
    }
    let said = format!(
        "measured in the grader's own classifier; the submission's, with the same checkpoint, gives other \
         logits for {} of {texts} texts of random words: see the checks of `{}`",
        texts - same,
        plan.part()
    );
    said.into()
}

/// Returns the message about a submission's own architecture that gave no logits.
fn said_of_failure(plan: &Plan, outcome: &Outcome) -> Untrusted {
    let part = plan.part();
    let why = match outcome {
        Outcome::Fault { fault, .. } => format!("the code {fault}"),
        Outcome::Wrong { message, .. } | Outcome::NotImplemented { message } => {
            clipped(message.trim_end_matches('.'), MOST_SAID)
        }
        Outcome::Pass | Outcome::Blocked { .. } => "it answered nothing".to_owned(),
    };
    let said = format!(
        "measured in the grader's own classifier; the submission's, with the same checkpoint, gives no logits \
         ({why}): see the checks of `{part}`"
    );
    said.into()
}

/// Returns the outcome for a classifier that is not written and whose answers are unrelated to the
/// documented classifier's.
fn unrelated(plan: &Plan, agreement: Agreement) -> Outcome {
    let Agreement { texts, answered, correlation, .. } = agreement;
    let part = plan.part();
    let message = format!(
        "the model counts once the classifier of `{part}` is written. With this checkpoint your classifier \
         gave finite logits for {answered} of {texts} texts of random words, they are no closer to those of \
         the documented classifier than guesses (correlation {correlation:.2}), and your code passes no \
         check of `{part}` or does not use its parameters. Look at the checks of `{part}` first"
    );
    Outcome::Blocked { by: format!("{part}/matches-reference"), message }
}

/// Computes the seed of the unseen examples and of the secret order. It differs from the seeds of
/// all trainings, whose examples a submission has seen with their labels.
fn seed_of(training_seed: u64, task: &str) -> u64 {
    Stream::derive(training_seed, &format!("upload/{task}"), 0).below(u64::MAX)
}

/// Reads the checkpoint that was handed in; returns a message if it is invalid.
fn saved(file: &str, uploaded: Option<&Uploaded>) -> Result<Checkpoint, String> {
    let bytes = match uploaded {
        Some(Uploaded::Bytes(bytes)) => bytes,
        Some(Uploaded::TooLarge { allowed }) => {
            return Err(format!(
                "`{file}` has more than the {} allowed, and nothing of it was read: a checkpoint holds \
                 what was tuned, and not the encoder below it.",
                size(*allowed)
            ));
        }
        Some(Uploaded::Other(found)) => {
            return Err(format!("`{file}` is {found}, not a file: hand in the checkpoint itself."));
        }
        None => return Err(format!("`{file}` was not handed in.")),
    };
    let saved = Checkpoint::from_bytes(file, bytes)?;
    match unsound(file, &saved) {
        Some(problem) => Err(problem),
        None => Ok(saved),
    }
}

/// Returns the first reason why the tensors cannot be parameters of any model.
fn unsound(file: &str, saved: &Checkpoint) -> Option<String> {
    for (name, tensor) in &saved.tensors {
        if !tensor.is_f32() {
            let dtype = &tensor.dtype;
            return Some(format!("{file}: `{name}` is {dtype}, and all tensors have to be f32."));
        }
        if let Some(value) = tensor.values.iter().find(|x| !x.is_finite()) {
            return Some(format!(
                "{file}: `{name}` holds {value}, and all numbers have to be finite."
            ));
        }
    }
    None
}

fn settings(saved: &Checkpoint) -> BTreeMap<Untrusted, Untrusted> {
    let some = saved.description.settings.iter().take(MOST_SETTINGS);
    let clipped = |text: &str| clipped(text, MOST_LETTERS).into();
    some.map(|(key, value)| (clipped(key), clipped(value))).collect()
}

/// Formats a number of bytes.
fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

/// Returns `text`, cut with `…` after `most` characters.
fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;
    use std::sync::Arc;

    use candle_core::{DType, Device, Tensor};
    use prefix_tuning_spec::tuning::Saved;
    use softmark_common::examples::Examples;
    use softmark_exam::Program;
    use softmark_exam::check::Initial;
    use softmark_wire::{
        Asked, Construction, Data, Failure, FailureKind, Fault, Reply, Request, SessionError,
    };

    use crate::assignment::Band;

    use softmark_checks::Signature;

    use super::*;

    static CLASSIFIER: Signature =
        Signature::new("classifier", &[&["d_model"]], &["ids", "mask"], &["logits"]);

    const CLASSES: [&str; 2] = ["even", "odd"];

    /// A model for ten words, whose classes are the parities of their numbers.
    fn plan(_: u64, saved: &Checkpoint) -> Result<Plan, String> {
        let table = saved.tensors.get("table").ok_or("`table` is missing")?;
        let given = Initial::Given(Arc::clone(&table.values));
        Ok(Plan {
            signature: &CLASSIFIER,
            config: Vec::new(),
            parameters: BTreeMap::from([("table".to_owned(), (vec![12, 2], given))]),
            rows_of_ids: vec!["table".to_owned()],
            rows_of_classes: Vec::new(),
            frozen: Vec::new(),
            recipe: None,
            train: Examples::default(),
            unseen: Examples {
                ids: (2..12).map(|id| vec![id]).collect(),
                labels: (2..12).map(|id| id % 2).collect(),
            },
            classes: &CLASSES,
            vocabulary: 12,
        })
    }

    const UPLOAD: Upload = Upload {
        task: "best-model",
        file: "best.safetensors",
        examples: "numbers",
        program: Program::Own,
        plan,
        levels: &[(0.0, "That is chance.")],
    };

    /// Behaviour of a classifier's code, by its use of the row of a text's first word.
    #[derive(Clone, Copy, PartialEq)]
    enum Architecture {
        /// Answers with the row, so the order of the classes does not matter.
        Right,
        /// Answers with twice the row.
        Doubles,
        /// Reads the row, and gives the same answer to everything.
        Constant,
        /// Ends its process.
        Crashes,
        /// Is still the stub.
        Stub,
    }

    struct Code {
        table: Vec<f32>,
        does: Architecture,
        /// True if anything was asked.
        asked: Rc<Cell<bool>>,
    }

    impl Code {
        fn logits(&self, inputs: &[softmark_wire::Input]) -> softmark_wire::Tensor {
            let Data::U32(ids) = inputs[0].tensor.data() else { panic!("no ids") };
            let &[texts, longest] = inputs[0].tensor.shape() else { panic!("no texts") };
            let row = |text: &[u32]| self.table[2 * text[0] as usize..][..2].to_vec();
            let factor = match self.does {
                Architecture::Doubles => 2.0,
                Architecture::Constant => 0.0,
                Architecture::Right | Architecture::Crashes | Architecture::Stub => 1.0,
            };
            let logits = ids.chunks(longest).flat_map(row).map(|x| factor * x).collect();
            softmark_wire::Tensor::f32(&[texts, 2], logits).unwrap()
        }
    }

    impl Session for Code {
        fn ask(&mut self, request: &Request) -> Asked<Reply> {
            self.asked.set(true);
            let answer = match request {
                Request::Construct(Construction { parameters, .. }) => {
                    let Data::F32(values) = parameters[0].1.data() else { panic!("no f32") };
                    self.table.clone_from(values);
                    Ok(Reply::Constructed)
                }
                Request::Forward { .. } if self.does == Architecture::Crashes => {
                    Err(Fault::Killed { signal: 11 })
                }
                Request::Forward { .. } if self.does == Architecture::Stub => {
                    let kind = FailureKind::NotImplemented;
                    let (message, place) = ("task 2".to_owned(), String::new());
                    Err(Fault::Code(Failure { kind, message, place }))
                }
                Request::Forward { inputs } => {
                    Ok(Reply::Outputs(vec![("logits".to_owned(), self.logits(inputs))]))
                }
                Request::Hello { .. }
                | Request::Gradients { .. }
                | Request::Parameters
                | Request::Train { .. }
                | Request::Detectors
                | Request::Detect { .. }
                | Request::ReadParameters
                | Request::SetParameters { .. }
                | Request::ConstructAndAsk { .. }
                | Request::Observed(_) => panic!("not asked of a model that is handed in"),
            };
            Ok(answer.into())
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            panic!("nothing is trained")
        }
    }

    fn checkpoint(tensors: &[(&str, Tensor)]) -> Vec<u8> {
        let tensors = tensors.iter().map(|(name, tensor)| ((*name).to_owned(), tensor.clone()));
        let saved = Saved {
            tensors: tensors.collect(),
            base: "tiny".to_owned(),
            labels: CLASSES.map(str::to_owned).to_vec(),
            settings: BTreeMap::from([("method".to_owned(), "é".repeat(1000))]),
        };
        let dir = tempfile::tempdir().unwrap();
        saved.write(&dir.path().join("best.safetensors")).unwrap();
        std::fs::read(dir.path().join("best.safetensors")).unwrap()
    }

    /// Returns the table of a model with the given values.
    fn table(of: impl Fn(usize) -> f32) -> Tensor {
        let values: Vec<f32> = (0..24).map(of).collect();
        Tensor::from_vec(values, (12, 2), &Device::Cpu).unwrap()
    }

    fn answers() -> Tensor {
        table(|at| f32::from(u8::from((at / 2) % 2 == at % 2)))
    }

    fn conducted(
        uploaded: Option<&Uploaded>,
        does: Architecture,
    ) -> (Vec<Outcome>, ModelRecord, bool) {
        let (check, why) = ("classifier/shapes".to_owned(), String::new());
        conducted_if((uploaded, does), &Written::Nothing { check, why })
    }

    /// `is_written` is the reply to the question whether the classifier is written.
    fn conducted_if(
        (uploaded, does): (Option<&Uploaded>, Architecture),
        is_written: &Written,
    ) -> (Vec<Outcome>, ModelRecord, bool) {
        let begun = Rc::new(Cell::new(false));
        let code = |does| Code { table: Vec::new(), does, asked: Rc::clone(&begun) };
        let mut sessions = Sessions::new([
            (SessionKind::Model(Program::Own), code(does)),
            (SessionKind::Model(Program::Reference), code(Architecture::Right)),
        ]);
        let band =
            |id: &str, share| BandCheck { id: id.to_owned(), band: Band::parse(share).unwrap() };
        let bands = [band("best-model/low", 0.05), band("best-model/high", 0.95)];
        let mut written = |part: &'static str, _: &mut Sessions<Code>| {
            assert_eq!(part, "classifier");
            Ok(is_written.clone())
        };
        let (outcomes, model) =
            conduct((&UPLOAD, uploaded), &bands, 1, &mut sessions, &mut written).unwrap();
        let keys: Vec<&str> = outcomes.keys().map(String::as_str).collect();
        assert_eq!(keys, ["best-model/high", "best-model/low"]);
        assert_eq!((model.task.as_raw(), model.file.as_raw()), ("best-model", "best.safetensors"));
        (outcomes.into_values().collect(), model, begun.get())
    }

    /// Returns the message if nothing is measured and no session is begun.
    fn told(uploaded: Option<&Uploaded>) -> String {
        let (outcomes, model, begun) = conducted(uploaded, Architecture::Right);
        assert!(!begun && model.accuracy.is_none());
        let [Outcome::Wrong { message, .. }, low] = outcomes.as_slice() else {
            panic!("{outcomes:?}")
        };
        assert_eq!(outcomes.first(), Some(low), "each band says the same");
        message.clone()
    }

    #[test]
    fn a_checkpoint_that_is_not_there_or_not_read_is_told() {
        let large = told(Some(&Uploaded::TooLarge { allowed: 4 << 20 }));
        assert!(large.starts_with("`best.safetensors` has more than the 4 MiB allowed"), "{large}");
        let link = told(Some(&Uploaded::Other("a link")));
        assert!(link.contains("is a link, not a file"), "{link}");
    }

    #[test]
    fn a_checkpoint_that_is_missing_is_not_handed_in() {
        let (outcomes, model, begun) = conducted(None, Architecture::Right);
        assert!(!begun && model.accuracy.is_none());
        for outcome in outcomes {
            let Outcome::NotImplemented { message } = outcome else { panic!("{outcome:?}") };
            assert!(message.starts_with("not handed in: `best.safetensors` belongs"), "{message}");
        }
    }

    #[test]
    fn a_checkpoint_that_is_none_is_told_what_it_lacks() {
        let of = |bytes: &[u8]| told(Some(&Uploaded::Bytes(bytes.to_vec())));
        let whole = checkpoint(&[("table", answers())]);
        let (cut, _) = whole.split_at(whole.len() - 1);
        for broken in [b"".as_slice(), b"PK\x03\x04pickle", &[0xff; 64], cut] {
            assert!(of(broken).contains("no whole safetensors file"), "{}", of(broken));
        }
        let values = [("table".to_owned(), answers())];
        let bare = safetensors::serialize(values, None).unwrap();
        assert!(of(&bare).contains("no checkpoint of a tuned model"), "{}", of(&bare));
        let half = answers().to_dtype(DType::F16).unwrap();
        let half = of(&checkpoint(&[("table", half)]));
        assert!(half.contains("`table` is f16, and all tensors have to be f32"), "{half}");
        let undefined = table(|at| if at == 7 { f32::NAN } else { 0.0 });
        let undefined = of(&checkpoint(&[("table", undefined)]));
        assert!(undefined.contains("`table` holds NaN"), "{undefined}");
        let lacking = of(&checkpoint(&[("chair", answers())]));
        assert_eq!(lacking, "`best.safetensors` makes no classifier: `table` is missing.");
        let long = "x".repeat(100_000);
        let long = of(&checkpoint(&[(&long, answers().to_dtype(DType::F64).unwrap())]));
        assert_eq!(long.chars().count(), MOST_SAID + 1);
    }

    #[test]
    fn whatever_the_bytes_are_something_is_said_of_them() {
        let whole = checkpoint(&[("table", answers())]);
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                if let Err(said) = saved("best.safetensors", Some(&Uploaded::Bytes(bytes))) {
                    assert!(!said.is_empty());
                }
            }
        }
    }

    #[test]
    fn a_model_is_measured_and_kept_also_where_all_bands_are_reached() {
        let bytes = |tensor| Uploaded::Bytes(checkpoint(&[("table", tensor)]));
        // Whatever the secret order of the classes is, one of the two tables is right and one
        // wrong.
        let mut accuracies = Vec::new();
        for tensor in [answers(), (answers().neg().unwrap() + 1.0).unwrap()] {
            let (outcomes, model, begun) = conducted(Some(&bytes(tensor)), Architecture::Right);
            assert_eq!(model.own, "");
            assert!(begun);
            assert_eq!((model.asked, model.examples.as_raw()), (10, "numbers"));
            assert_eq!(model.settings[&"method".into()].as_raw().chars().count(), MOST_LETTERS + 1);
            let accuracy = model.accuracy.unwrap();
            assert!(outcomes.iter().all(|outcome| outcome.is_pass() == (accuracy == 1.0)));
            if let [Outcome::Wrong { message, .. }, _] = outcomes.as_slice() {
                let start = "The model in `best.safetensors` answered 0 of 10 unseen numbers right: \
                             0.0000. This check asks for 0.9500. Most often";
                assert!(message.starts_with(start), "{message}");
            }
            accuracies.push(accuracy);
        }
        accuracies.sort_by(f64::total_cmp);
        assert_eq!(accuracies, [0.0, 1.0]);
    }

    #[test]
    fn code_that_crashes_with_the_model_is_a_fault() {
        let uploaded = Uploaded::Bytes(checkpoint(&[("table", answers())]));
        let (outcomes, model, _) = conducted(Some(&uploaded), Architecture::Crashes);
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Fault { .. })));
        assert_eq!(model.accuracy, None);
        assert!(
            model.settings.contains_key(&"method".into()),
            "what it says is shown nevertheless"
        );
    }

    /// The mistake costs points in the checks of the architecture.
    #[test]
    fn a_mistake_in_the_architecture_costs_no_band_and_is_told() {
        let bytes = Uploaded::Bytes(checkpoint(&[("table", answers())]));
        let right = conducted(Some(&bytes), Architecture::Right);
        let flawed = conducted(Some(&bytes), Architecture::Doubles);
        assert_eq!((&flawed.0, flawed.1.accuracy), (&right.0, right.1.accuracy));
        let told = "gives other logits for 400 of 400 texts";
        assert!(flawed.1.own.contains(told), "{}", flawed.1.own);
    }

    #[test]
    fn an_architecture_that_is_not_written_earns_no_band() {
        let bytes = Uploaded::Bytes(checkpoint(&[("table", answers())]));
        let (outcomes, model, _) = conducted(Some(&bytes), Architecture::Constant);
        for outcome in &outcomes {
            let Outcome::Blocked { by, message } = outcome else { panic!("{outcome:?}") };
            assert_eq!(by, "classifier/matches-reference");
            assert!(message.contains("400 of 400 texts") && message.contains("0.00"), "{message}");
        }
        assert_eq!(model.accuracy, None);
        let (outcomes, model, _) = conducted(Some(&bytes), Architecture::Stub);
        let is_stub =
            |it: &Outcome| matches!(it, Outcome::NotImplemented { message } if message == "task 2");
        assert!(outcomes.iter().all(is_stub) && model.accuracy.is_none(), "{outcomes:?}");
    }

    /// Constant answers and a crash are mistakes of an architecture too, if it is written.
    #[test]
    fn a_written_architecture_that_cannot_use_the_model_costs_no_band() {
        let bytes = Uploaded::Bytes(checkpoint(&[("table", answers())]));
        let right = conducted(Some(&bytes), Architecture::Right);
        for (does, told) in [
            (Architecture::Constant, "gives other logits for 400 of 400 texts"),
            (Architecture::Crashes, "gives no logits (the code"),
        ] {
            let flawed = conducted_if((Some(&bytes), does), &Written::Yes);
            assert_eq!((&flawed.0, flawed.1.accuracy), (&right.0, right.1.accuracy));
            assert!(flawed.1.own.contains(told), "{}", flawed.1.own);
        }
    }

    #[test]
    fn the_unseen_examples_are_no_trainings() {
        let seeds = [seed_of(1, "a"), seed_of(1, "b"), seed_of(2, "a"), 1, 2];
        let distinct: std::collections::BTreeSet<u64> = seeds.into_iter().collect();
        assert_eq!(distinct.len(), seeds.len());
        assert_eq!(seed_of(1, "a"), seed_of(1, "a"));
    }
}
