//! Reads the record of an attack: its points, the proofs that it worked, and its messages.

use std::collections::BTreeSet;

use globset::Glob;
use serde_json::Value;

use crate::support::attacks::Attack;
use crate::support::environment::Environment;

pub(crate) fn checks(record: &Value) -> impl Iterator<Item = &Value> {
    let tasks = record["tasks"].as_array().into_iter().flatten();
    tasks.flat_map(|task| task["checks"].as_array().into_iter().flatten())
}

/// Returns the points and verdicts that an attack got and should not have.
pub(crate) fn gains(attack: &Attack, record: &Value) -> Vec<String> {
    let expect = &attack.expect;
    let mut found = Vec::new();
    if record["outcome"] != expect.outcome.as_str() {
        let (outcome, reason) = (&record["outcome"], &record["reason"]);
        found.push(format!("ended as {outcome}, not as {}: {reason}", expect.outcome));
    }
    if record["points"] != expect.points {
        found.push(format!("has {} points, not {}", record["points"], expect.points));
    }
    let globs: Vec<_> =
        expect.attacks.iter().map(|glob| Glob::new(glob).unwrap().compile_matcher()).collect();
    let mut attacked = 0;
    for check in checks(record) {
        let id = check["id"].as_str().unwrap();
        if !globs.iter().any(|glob| glob.is_match(id)) {
            continue;
        }
        attacked += 1;
        let status = check["status"].as_str().unwrap();
        if status == "pass" || check["points"] != 0.0 {
            found.push(format!("{id} is {status} with {} points", check["points"]));
        }
        if let Some(allowed) = &expect.status
            && !allowed.iter().any(|it| it == status)
        {
            found.push(format!("{id} is {status}: {}", check["message"]));
        }
    }
    if attacked == 0 && expect.outcome != "rejected" {
        found.push(format!("no check is called like {:?}", expect.attacks));
    }
    found
}

/// Returns whether a record contains a text, after JSON is decoded.
pub(crate) fn shows(record: &Value, text: &str) -> bool {
    match record {
        Value::String(found) => found.contains(text),
        Value::Array(values) => values.iter().any(|value| shows(value, text)),
        Value::Object(values) => values.values().any(|value| shows(value, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The proofs that an attack worked.
pub(crate) fn successes(attack: &Attack, record: &Value, environment: &Environment) -> Vec<String> {
    let Some(proof) = &attack.expect.proof else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(text) = &proof.shows
        && shows(record, &environment.fill_in(text))
    {
        found.push(format!("its record shows {text}"));
    }
    let written = proof.writes.iter().filter(|path| environment.file(path).exists());
    found.extend(written.map(|path| format!("it wrote {path}")));
    if let Some(listener) = proof.reaches
        && environment.was_reached(listener)
    {
        found.push(format!("it reached {listener:?}"));
    }
    if let Some(target) = proof.harms
        && environment.is_harmed(target)
    {
        found.push(format!("it harmed {target:?}"));
    }
    found
}

/// The verdicts of a record: how it ended, and each check.
pub(crate) fn verdicts(record: &Value) -> Vec<(String, String)> {
    let outcome = ("outcome".to_owned(), record["outcome"].to_string());
    let each = |check: &Value| (check["id"].to_string(), check["status"].to_string());
    std::iter::once(outcome).chain(checks(record).map(each)).collect()
}

/// All that a record says in words.
pub(crate) fn in_short(record: &Value) -> String {
    let said: BTreeSet<String> =
        checks(record).map(|check| format!("{} {}", check["status"], check["message"])).collect();
    format!("{} {} {} {said:#?}", record["reason"], record["notes"], record["log"])
}

/// The lines in which two records differ.
pub(crate) fn differing(now: &Value, then: &Value) -> String {
    let (now, then) = (format!("{now:#}"), format!("{then:#}"));
    let pairs = now.lines().zip(then.lines()).filter(|(now, then)| now != then);
    pairs.flat_map(|(now, then)| ["now  ", now, "\nthen ", then, "\n"]).collect()
}
