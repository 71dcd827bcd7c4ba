//! What changes from run to run or from machine to machine: looked at, then replaced.

use crate::support::grade::HOME;

/// `text` without what a run cost; the line that tells it has to be there.
#[track_caller]
pub(crate) fn cost(text: &str) -> String {
    let line = text.lines().find(|line| line.starts_with("processor time: "));
    let line = line.unwrap_or_else(|| panic!("no cost in:\n{text}"));
    let rest = line.strip_prefix("processor time: ").unwrap();
    let (mean, rest) = rest.split_once(" s a submission, ").unwrap();
    let (most, rest) = rest.split_once(" s at most; peak memory: ").unwrap();
    let peak = rest.strip_suffix(" MiB").unwrap();
    let (mean, most): (f64, f64) = (mean.parse().unwrap(), most.parse().unwrap());
    assert!(0.0 < mean && mean <= most && most < 120.0, "{line}");
    assert!((10..4096).contains(&peak.parse::<u64>().unwrap()), "{line}");
    let masked = "processor time: [t] s a submission, [t] s at most; peak memory: [n] MiB";
    text.replace(line, masked)
}

/// `text` without hashes of submissions.
#[track_caller]
pub(crate) fn hashes(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("sha256 ") {
        let (hash, after) = after.split_at(16);
        assert!(hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash} is no hash");
        masked.push_str(before);
        masked.push_str("sha256 [hash]");
        rest = after;
    }
    assert!(!masked.is_empty(), "no hash in:\n{text}");
    masked + rest
}

/// `text` without where the project is.
pub(crate) fn home(text: &str) -> String {
    text.replace(HOME, "[home]")
}
