//! Scopes of an audit.

use std::collections::BTreeSet;

use crate::fixtures::{Fixture, Role};

/// Range of the fixtures that an audit examines; it limits which problems can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every fixture.
    Whole,
    /// The solution, the accepted variants, and a mutant for each check.
    Short,
    /// Some fixtures: a check that catches none of them may catch others.
    Part,
}

impl Scope {
    /// Returns the name of the scope in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Short => "short",
            Self::Part => "part",
        }
    }
}

/// Reduces the mutants so that each of `checks` keeps one that it is expected to catch, if there is one: for
/// each check that no mutant kept so far covers, the first by name.
pub fn short(fixtures: Vec<Fixture>, checks: &[String]) -> Vec<Fixture> {
    let fails = |fixture: &Fixture| match &fixture.role {
        Role::Mutant(expect) => Some(expect.fails.clone()),
        Role::Solution | Role::Variant | Role::Idle => None,
    };
    let mutants: Vec<(usize, BTreeSet<String>)> =
        fixtures.iter().enumerate().filter_map(|(at, it)| Some((at, fails(it)?))).collect();
    let (mut taken, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for check in checks {
        if shown.contains(check) {
            continue;
        }
        if let Some((at, fails)) = mutants.iter().find(|(_, fails)| fails.contains(check)) {
            taken.insert(*at);
            shown.extend(fails);
        }
    }
    let is_mutant = |fixture: &Fixture| matches!(fixture.role, Role::Mutant(_));
    let all = fixtures.into_iter().enumerate();
    let kept = all.filter(|(at, fixture)| !is_mutant(fixture) || taken.contains(at));
    kept.map(|(_, fixture)| fixture).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Expect;

    fn fixture(name: &str, role: Role) -> Fixture {
        let (source, answers, uploads) = Default::default();
        Fixture { name: name.to_owned(), role, source, answers, uploads }
    }

    fn mutant(name: &str, fails: &[&str]) -> Fixture {
        let fails = fails.iter().map(|&id| id.to_owned()).collect();
        let (mistake, task) = (name.to_owned(), "t".to_owned());
        fixture(
            name,
            Role::Mutant(Expect {
                mistake: Some(mistake),
                also: None,
                task,
                fails,
                training: None,
            }),
        )
    }

    #[test]
    fn each_check_keeps_a_mutant() {
        let all = vec![
            fixture("solution", Role::Solution),
            fixture("by-hand", Role::Variant),
            mutant("a", &["t/two"]),
            mutant("b", &["t/one", "t/two"]),
            mutant("c", &["t/one"]),
            mutant("d", &["t/three"]),
        ];
        let checks = ["t/one", "t/two", "t/three", "t/four"].map(str::to_owned);
        let kept = short(all, &checks);
        let names: Vec<&str> = kept.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["solution", "by-hand", "b", "d"]);
    }
}
