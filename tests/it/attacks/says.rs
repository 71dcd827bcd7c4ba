//! What the corpus of attacks says of itself, and that those who are honest are.

use std::collections::BTreeSet;
use std::fs;

use super::{HONEST, LEVELS};
use crate::support::attacks::{Base, corpus};
use crate::support::traces::MARK;

#[test]
fn every_attack_says_what_it_is() {
    let corpus = corpus();
    assert!(corpus.len() >= 45, "only {} attacks", corpus.len());
    let outcomes = ["graded", "build_failed", "rejected"];
    let mut names = BTreeSet::new();
    let mut problems = Vec::new();
    for attack in &corpus {
        let expect = &attack.expect;
        let mut tell = |what: &str| problems.push(format!("{}: {what}", attack.name));
        if expect.attack.is_empty() || expect.source.is_empty() || expect.trace.is_empty() {
            tell("says not what it is, where it comes from, or what shows that it was tried");
        }
        if !outcomes.contains(&expect.outcome.as_str()) {
            tell("ends in no way that there is");
        }
        if expect.base == Base::Skeleton
            && expect.points != 0.0
            && expect.attacks.contains(&"*".to_owned())
        {
            tell("is to earn points with nothing written");
        }
        if let Some(proof) = &expect.proof {
            if proof.control == proof.why.is_some() {
                tell("`why` says why there is no control, and only that");
            }
            let proves = proof.shows.is_some()
                || !proof.writes.is_empty()
                || proof.reaches.is_some()
                || proof.harms.is_some();
            if !proves {
                tell("has a proof of nothing");
            }
            if proof.writes.iter().any(|path| !path.contains(MARK)) {
                tell("writes a file that does not bear the mark of attacks");
            }
        }
        if let Some(stopped) = &expect.stopped
            && (!LEVELS.contains(&stopped.from.as_str()) || stopped.why.is_empty())
        {
            tell("is stopped from a level that there is not, or for no reason");
        }
        if !names.insert(attack.record().to_owned()) {
            tell("has the name of another");
        }
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// What the attacks are made of is in no honest submission: else a slip there would look like one.
#[test]
fn the_honest_are_honest() {
    for name in HONEST {
        let dir = format!("{}/fixtures/class/{name}/src", crate::support::grade::HOME);
        for entry in fs::read_dir(dir).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            assert!(!text.contains("std::process") && !text.contains("std::fs"), "{name}");
        }
    }
}
