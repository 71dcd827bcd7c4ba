//! Hidden checks of the answers: held against the key, never handed to any process.

use softmark_checks::check::{Stop, outcome, wrong};
use softmark_checks::debugging::answers::{
    BUGGY_LAYER, Form, Given, PATIENT_QUESTIONS, QUESTIONS, case, given, read,
};
use softmark_checks::{CheckError, Judged, Outcome, Subject};

use crate::suite::debugging::key::{self, Ill, PATIENTS, is_line};

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

fn at_line(program: &'static str, lines: &'static [&str]) -> impl Fn(&Given) -> bool {
    move |given| matches!(given, Given::Line(line) if is_line(program, *line, lines))
}

fn buggy(
    subject: &mut Subject<'_>,
    key: &'static str,
    holds: impl Fn(&Given) -> bool,
    look: &str,
) -> Result<Outcome, CheckError> {
    outcome(judge(subject, (BUGGY_LAYER, key), holds, look))
}

const BESIDE: &str = "Write the two lines of the formula in the documentation of EncoderLayer beside \
                      the lines of src/buggy.rs, with the name of every tensor.";

pub(crate) fn first(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    buggy(subject, "first", chosen(key::FIRST.0), BESIDE)
}

pub(crate) fn first_line(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    buggy(subject, "first-line", at_line(key::BUGGY_LAYER, key::FIRST.1), BESIDE)
}

pub(crate) fn second(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    buggy(subject, "second", chosen(key::SECOND.0), BESIDE)
}

pub(crate) fn second_line(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    buggy(subject, "second-line", at_line(key::BUGGY_LAYER, key::SECOND.1), BESIDE)
}

pub(crate) fn symptom(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    let look = "Run `cargo run --release` and compare the entropy of each head with that of the \
                repaired model, layer by layer.";
    buggy(subject, "symptom", chosen(key::SYMPTOM), look)
}

/// The illness and the line of one patient, both of which have to be right.
fn examine(subject: &mut Subject<'_>, ill: &'static Ill) -> Judged {
    let look = format!(
        "Run it (`cargo run --release --example patients -- {}`), and ask which line would make just \
         that happen.",
        ill.id
    );
    judge(subject, (ill.id, "illness"), chosen(ill.illness), &look)?;
    let look = "The illness is right; the line is not where it sits. Lines are counted from 1.";
    judge(subject, (ill.id, "line"), at_line(ill.program, ill.lines), look)
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

/// A check for each patient, as the rubric wants it: a function without anything to remember.
macro_rules! patients {
    ($($name:ident: $at:literal),* $(,)?) => {
        $(pub(crate) fn $name(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
            patient(subject, $at)
        })*
    };
}

patients! {
    p01: 0,
    p02: 1,
    p03: 2,
    p04: 3,
    p05: 4,
    p06: 5,
    p07: 6,
    p08: 7,
    p09: 8,
    p10: 9,
    p11: 10,
}
