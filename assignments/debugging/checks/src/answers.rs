//! Tasks 3 and 6, answers in a file: the choices, and the checks that the file can be read.

use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Stop, outcome, wrong};
use softmark_checks::files::ANSWERS;
use softmark_checks::outcome::Outcome;
use softmark_checks::subject::Subject;
use toml::{Table, Value};

/// Checks of task 3.
pub const DIAGNOSIS: &[Check] = &[Check {
    id: "diagnosis/readable",
    title: "answers.toml has an answer to each question about the buggy layer",
    run: diagnosis_readable,
}];

/// Checks of task 6.
pub const PATIENTS: &[Check] = &[Check {
    id: "patients/readable",
    title: "answers.toml has an answer for each patient",
    run: patients_readable,
}];

/// Name of the file with the answers.
pub const FILE: &str = "answers.toml";

/// A choice: its id and its text.
pub type Choice = (&'static str, &'static str);

/// Bugs that the buggy layer may have.
pub const BUGS: &[Choice] = &[
    ("mask-inverted", "attention looks at padding and at nothing else"),
    ("mask-ignored", "attention looks at padding as at everything else"),
    ("scale-missing", "scores are not divided by the root of the heads' width"),
    ("softmax-over-queries", "the softmax runs over the queries instead of the keys"),
    ("residual-missing", "what a sublayer gives is not added to what went into it"),
    ("added-to-itself", "what a sublayer gives is added to itself"),
    ("added-twice", "what went into a sublayer is added twice"),
    ("norm-misplaced", "a norm stands where the config does not say"),
    ("norm-shared", "both norms have the same parameters"),
    ("dropout-always", "dropout is at work outside of training too"),
    ("graph-cut", "no gradient gets through this line"),
    ("activation-missing", "nothing stands between the two maps of the network"),
];

/// Behaviours of attention in the upper layers of the buggy model.
pub const SYMPTOMS: &[Choice] = &[
    ("even", "in the upper layers, every head looks at all real tokens nearly alike"),
    ("one-token", "in the upper layers, every head looks at one token alone"),
    ("on-padding", "the upper layers look at padding"),
    ("no-difference", "the upper layers are no different from those of the repaired model"),
];

/// Bugs that one of the buggy programs may have.
pub const ILLNESSES: &[Choice] = &[
    ("attention-across-batch", "texts attend to other texts of their batch"),
    ("dropout-at-test", "dropout is at work while accuracy is measured"),
    ("embeddings-frozen", "the optimizer is never given the embeddings"),
    ("gradients-kept", "gradients of earlier steps are never cleared"),
    ("head-frozen", "the optimizer is never given the classifier's head"),
    ("label-in-text", "the text says what its label is"),
    ("labels-shifted", "the labels stand one text further than they should"),
    ("learning-rate-too-high", "the steps are ten times too long"),
    ("loss-negated", "the loss is climbed instead of descended"),
    ("mask-added", "a mask of zeros and ones is added to the scores as it is"),
    ("mask-inverted", "padding is attended to, and real tokens are not"),
    ("no-positions", "nothing tells the model the order of the words"),
    ("norm-over-batch", "a norm runs over the texts of a batch"),
    ("padding-pooled", "the mean at the end is taken over padding too"),
    ("positions-by-batch", "the table of positions is cut by the size of the batch"),
    ("residual-missing", "what a sublayer gives is not added to what went into it"),
    ("scale-missing", "scores are not divided by the root of the width"),
    ("softmax-over-queries", "the softmax runs over the queries"),
    ("test-in-training", "the texts that are tested on are trained on as well"),
    ("validation-is-training", "what is called validation is measured on training texts"),
];

/// Ids of the buggy programs.
pub const PATIENT_IDS: [&str; 11] =
    ["p01", "p02", "p03", "p04", "p05", "p06", "p07", "p08", "p09", "p10", "p11"];

/// Required form of an answer.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// The id of one of these choices.
    One(&'static [Choice]),
    /// A line number.
    Line,
}

/// Questions about the buggy layer, by their keys under `[buggy-layer]`.
pub const QUESTIONS: [(&str, Form); 5] = [
    ("first", Form::One(BUGS)),
    ("first-line", Form::Line),
    ("second", Form::One(BUGS)),
    ("second-line", Form::Line),
    ("symptom", Form::One(SYMPTOMS)),
];

/// Name of the buggy layer's table in the file.
pub const BUGGY_LAYER: &str = "buggy-layer";

/// Questions about a buggy program, by their keys under `[p01]` and so on.
pub const PATIENT_QUESTIONS: [(&str, Form); 2] =
    [("illness", Form::One(ILLNESSES)), ("line", Form::Line)];

/// An answer that has the right form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// Id of the choice.
    Choice(String),
    /// Line number, counted from 1.
    Line(usize),
}

/// Returns the case that requests the submission's files.
#[must_use]
pub fn case() -> Case {
    Case::new(&ANSWERS, FILE.to_owned())
}

/// Returns the outcome "not implemented" for an answer that is not yet written.
fn unwritten(table: &str, key: &str) -> Stop {
    let task = if table == BUGGY_LAYER { "task 3" } else { "task 6" };
    let message = format!("{task}: `{key}` under `[{table}]` in {FILE}");
    Outcome::NotImplemented { message }.into()
}

/// Reads the answers of the submission.
///
/// # Errors
///
/// Fails with the verdict if the file is missing, is not UTF-8, or is not valid TOML.
pub fn read(subject: &mut Subject<'_>) -> Result<Table, Stop> {
    let case = case();
    let answer = subject.forward(&case)?;
    let Some(text) = answer.tensor(FILE) else {
        let message = format!("tasks 3 and 6: {FILE}, which is not there");
        return Err(Outcome::NotImplemented { message }.into());
    };
    let Some(text) = softmark_checks::Array::from_tensor(text).to_text() else {
        return Err(wrong(&case, format!("{FILE} is not UTF-8 text. Save it as such.")));
    };
    text.parse::<Table>().map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        let said = error.message().lines().next().unwrap_or_default().to_owned();
        let message = format!(
            "{FILE} is no TOML: {said}, at line {line}. Answers are written as `key = \"word\"`, and \
             lines as `key = 12`."
        );
        wrong(&case, message)
    })
}

/// Returns the answer under `key` in the table `table`, which must have the form `form`.
///
/// # Errors
///
/// Fails with the verdict if the answer is not written or has another form.
pub fn given(answers: &Table, table: &str, (key, form): (&str, Form)) -> Result<Given, Stop> {
    let written = match answers.get(table) {
        Some(Value::Table(table)) => table.get(key),
        Some(_) | None => None,
    };
    let is = |what: String| Err(wrong(&case(), format!("`{key}` under `[{table}]` is {what}")));
    if is_unwritten(written) {
        return Err(unwritten(table, key));
    }
    match (form, written) {
        (Form::One(choices), Some(Value::String(word))) => {
            if choices.iter().any(|(id, _)| id == word) {
                return Ok(Given::Choice(word.clone()));
            }
            let ids: Vec<&str> = choices.iter().map(|(id, _)| *id).collect();
            is(format!(
                "{word:?}, which is none of the words to choose from: {}. README.md says what each means.",
                ids.join(", ")
            ))
        }
        (Form::One(_), _) => {
            is("not a word in quotes. Choose one from the list in README.md.".to_owned())
        }
        (Form::Line, Some(Value::Integer(line))) => match usize::try_from(*line) {
            Ok(line) => Ok(Given::Line(line)),
            Err(_) => is(format!("{line}; lines are counted from 1.")),
        },
        (Form::Line, _) => is("not the number of a line, such as 12, without quotes.".to_owned()),
    }
}

fn is_unwritten(written: Option<&Value>) -> bool {
    match written {
        None => true,
        Some(Value::String(word)) => word.is_empty(),
        Some(Value::Integer(line)) => *line == 0,
        Some(_) => false,
    }
}

/// Checks that all answers of a table are present and have their form; reports the first that is not.
fn all(
    subject: &mut Subject<'_>,
    tables: &[&str],
    questions: &[(&str, Form)],
) -> Result<Outcome, CheckError> {
    let each = |subject: &mut Subject<'_>| -> Result<(), Stop> {
        let answers = read(subject)?;
        for table in tables {
            for question in questions {
                given(&answers, table, *question)?;
            }
        }
        Ok(())
    };
    outcome(each(subject))
}

fn diagnosis_readable(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    all(subject, &[BUGGY_LAYER], &QUESTIONS)
}

fn patients_readable(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    all(subject, &PATIENT_IDS, &PATIENT_QUESTIONS)
}
