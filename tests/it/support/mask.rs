//! What changes from run to run or from machine to machine: looked at, then replaced.

use softmark_sandbox::Level;

use crate::support::grade::HOME;

/// `text` without what a run cost; the line that tells it has to be there.
#[track_caller]
pub(crate) fn cost(text: &str) -> String {
    let start = "a submission took ";
    let line = text.lines().find(|line| line.starts_with(start));
    let line = line.unwrap_or_else(|| panic!("no cost in:\n{text}"));
    let numbers: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let &[time, memory, most_time, most_memory] = numbers.as_slice() else {
        panic!("{} numbers in `{line}`", numbers.len());
    };
    assert!(0.0 < time && time <= most_time && most_time < 120.0, "{line}");
    assert!(10.0 < memory && memory <= most_memory && most_memory < 4096.0, "{line}");
    let masked = "a submission took [t] s of processor time and [n] MiB (median); at most [t] s \
                  and [n] MiB";
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

/// `text` without the level of isolation, which is another one on other machines.
#[track_caller]
pub(crate) fn level(text: &str) -> String {
    let levels = Level::ALL.map(Level::as_str);
    let said =
        [", sandbox ", "\nsandbox: "].map(|lead| levels.map(|level| format!("{lead}{level}")));
    let found: Vec<&String> = said.iter().flatten().filter(|said| text.contains(*said)).collect();
    let [said] = found.as_slice() else { panic!("{found:?} is said of isolation in:\n{text}") };
    let text = text.replace(said.as_str(), ", sandbox [level]");
    text.replace("[level]; submissions were not fully isolated", "[level]")
}

/// `text` without where the project is.
pub(crate) fn home(text: &str) -> String {
    text.replace(HOME, "[home]")
}
