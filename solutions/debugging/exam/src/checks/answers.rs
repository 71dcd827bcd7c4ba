//! Hidden checks of the answers: held against the key, never handed to any process.

use debugging_checks::answers::{
    BUGGY_LAYER, Form, Given, PATIENT_QUESTIONS, QUESTIONS, case, given, read,
};
use softmark_checks::check::{RunCheck, Stop, outcome, wrong};
use softmark_checks::{Check, CheckError, Judged, Outcome, Subject};
use toml::Table;

use crate::key::{self, Fix, Ill, PATIENTS, is_accepted};

/// Hidden checks of both tasks of answers.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "diagnosis/first",
        title: "what is wrong with the first half is named",
        run: |subject, _| outcome(judge_half(subject, 0, 0)),
    },
    Check {
        id: "diagnosis/first-line",
        title: "the line of the first half that has to change is given",
        run: |subject, _| outcome(judge_half(subject, 0, 1)),
    },
    Check {
        id: "diagnosis/second",
        title: "what is wrong with the second half is named",
        run: |subject, _| outcome(judge_half(subject, 1, 0)),
    },
    Check {
        id: "diagnosis/second-line",
        title: "the line of the second half that has to change is given",
        run: |subject, _| outcome(judge_half(subject, 1, 1)),
    },
    Check {
        id: "diagnosis/order",
        title: "each bug and each line stands under the half that it is in",
        run: |subject, _| outcome(judge_order(subject)),
    },
    Check {
        id: "diagnosis/symptom",
        title: "what attention does in the upper layers is seen",
        run: |subject, _| outcome(symptom(subject)),
    },
    of_patient("patients/p01", "the first patient's illness and its line", |it, _| patient(it, 0)),
    of_patient("patients/p02", "the second patient's illness and its line", |it, _| patient(it, 1)),
    of_patient("patients/p03", "the third patient's illness and its line", |it, _| patient(it, 2)),
    of_patient("patients/p04", "the fourth patient's illness and its line", |it, _| patient(it, 3)),
    of_patient("patients/p05", "the fifth patient's illness and its line", |it, _| patient(it, 4)),
    of_patient("patients/p06", "the sixth patient's illness and its line", |it, _| patient(it, 5)),
    of_patient("patients/p07", "the seventh patient's illness and its line", |it, _| {
        patient(it, 6)
    }),
    of_patient("patients/p08", "the eighth patient's illness and its line", |it, _| patient(it, 7)),
    of_patient("patients/p09", "the ninth patient's illness and its line", |it, _| patient(it, 8)),
    of_patient("patients/p10", "the tenth patient's illness and its line", |it, _| patient(it, 9)),
    of_patient("patients/p11", "the eleventh patient's illness and its line", |it, _| {
        patient(it, 10)
    }),
];

const fn of_patient(id: &'static str, title: &'static str, run: RunCheck) -> Check {
    Check { id, title, run }
}

/// The form of the answer to the question `key`.
fn question(key: &'static str) -> (&'static str, Form) {
    let all = QUESTIONS.into_iter().chain(PATIENT_QUESTIONS);
    let form = all.into_iter().find(|(of, _)| *of == key).map_or(Form::Line, |(_, form)| form);
    (key, form)
}

/// Holds the answer under `key` of `table` against what `holds` of it.
fn judge(
    subject: &mut Subject<'_>,
    (table, key): (&str, &'static str),
    holds: impl Fn(&Given) -> bool,
    look: &str,
) -> Judged {
    let answers = read(subject)?;
    let given = given(&answers, table, question(key))?;
    if holds(&given) {
        return Ok(());
    }
    let said = match given {
        Given::Choice(word) => format!("\"{word}\""),
        Given::Line(line) => format!("line {line}"),
    };
    let message = format!("`{key}` under `[{table}]` says {said}, which is not it. {look}");
    Err(wrong(&case(), message))
}

fn chosen(right: &'static str) -> impl Fn(&Given) -> bool {
    move |given| matches!(given, Given::Choice(word) if word == right)
}

fn at_line(program: &'static str, fixes: &'static [Fix]) -> impl Fn(&Given) -> bool {
    move |given| matches!(given, Given::Line(line) if is_accepted(program, fixes, *line))
}

const BESIDE: &str = "Write the two lines of the formula in the documentation of EncoderLayer beside \
                      the lines of src/buggy.rs, with the name of every tensor.";

/// A half of the buggy layer: its keys, and the right answers.
struct Half {
    keys: [&'static str; 2],
    bug: &'static str,
    fixes: &'static [Fix],
}

const HALVES: [Half; 2] = [
    Half { keys: ["first", "first-line"], bug: key::FIRST.0, fixes: key::FIRST.1 },
    Half { keys: ["second", "second-line"], bug: key::SECOND.0, fixes: key::SECOND.1 },
];

impl Half {
    /// True if this is the right answer to the question about the half's bug, or about its line.
    fn accepts(&self, given: &Given) -> bool {
        chosen(self.bug)(given) || at_line(key::BUGGY_LAYER, self.fixes)(given)
    }
}

/// The answer under `key`; `None` where there is none that can be read.
fn written(answers: &Table, key: &'static str) -> Option<Given> {
    given(answers, BUGGY_LAYER, question(key)).ok()
}

/// Checks one answer about a half, which also counts where it stands under the other half's key and the
/// answer under this one belongs there: what was found was found. `diagnosis/order` says so.
fn judge_half(subject: &mut Subject<'_>, half: usize, at: usize) -> Judged {
    let [own, other] = if half == 0 { [&HALVES[0], &HALVES[1]] } else { [&HALVES[1], &HALVES[0]] };
    let (own_key, other_key) =
        if at == 0 { (own.keys[0], other.keys[0]) } else { (own.keys[1], other.keys[1]) };
    let answers = read(subject)?;
    let is = |half: &Half, key| written(&answers, key).is_some_and(|given| half.accepts(&given));
    let is_swapped = is(other, own_key) && is(own, other_key);
    judge(subject, (BUGGY_LAYER, own_key), |given| own.accepts(given) || is_swapped, BESIDE)
}

/// Checks that something right was found, and that nothing of it stands under the other half's key.
fn judge_order(subject: &mut Subject<'_>) -> Judged {
    let answers = read(subject)?;
    let [first, second] = &HALVES;
    let mut found = false;
    for (own, other) in [(first, second), (second, first)] {
        for key in own.keys {
            let given = written(&answers, key);
            found |= given.as_ref().is_some_and(|given| own.accepts(given));
            if given.is_some_and(|given| other.accepts(&given)) {
                let message = format!(
                    "What stands under `{key}` belongs to the other half. In the layer, attention comes \
                     first and the feed-forward network second: look at which half each line of \
                     src/buggy.rs is in."
                );
                return Err(wrong(&case(), message));
            }
        }
    }
    if found {
        return Ok(());
    }
    // Nothing is written, or nothing of it is right.
    for half in &HALVES {
        for key in half.keys {
            given(&answers, BUGGY_LAYER, question(key))?;
        }
    }
    let message = format!(
        "Neither half has a right answer yet, so there is no order to be right about. {BESIDE}"
    );
    Err(wrong(&case(), message))
}

fn symptom(subject: &mut Subject<'_>) -> Judged {
    let look = "Run `cargo run --release` and compare the entropy of each head with that of the \
                repaired model, layer by layer.";
    judge(subject, (BUGGY_LAYER, "symptom"), chosen(key::SYMPTOM), look)
}

/// The illness and the line of one patient, both of which have to be right.
fn examine(subject: &mut Subject<'_>, ill: &'static Ill) -> Judged {
    let look = format!(
        "Run the program (`cargo run --release --example patients -- {}`), and ask which line would make \
         just that happen.",
        ill.id
    );
    judge(subject, (ill.id, "illness"), chosen(ill.illness), &look)?;
    let look = "The illness is right; the line is not where it sits. Lines are counted from 1.";
    judge(subject, (ill.id, "line"), at_line(ill.program, ill.fixes), look)
}

fn patient(subject: &mut Subject<'_>, at: usize) -> Result<Outcome, CheckError> {
    let judged = if let Some(ill) = PATIENTS.get(at) {
        examine(subject, ill)
    } else {
        let (check, reason) = ("patients".to_owned(), format!("there is no patient {at}"));
        Err(Stop::Error(CheckError::Inputs { check, reason }))
    };
    outcome(judged)
}
