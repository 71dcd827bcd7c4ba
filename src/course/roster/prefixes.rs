//! Common beginnings of the names of an assignment's repositories.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;

/// Least number of names that have to begin alike for their beginning to be that of all repositories.
///
/// Two students whose logins begin alike do not make a prefix of their common beginning.
const LEAST: usize = 3;

/// Beginnings of names, each with its hyphen, that come before a login: `attention-` of `attention-ao-dev`.
///
/// GitHub Classroom calls a repository by the assignment and the login. Logins have hyphens too, so that what comes after some
/// hyphen need not be one: `attention-mary-smith` is not of `smith`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefixes(BTreeSet<String>);

/// Name of a submission to an assignment.
#[derive(Debug, Clone, Copy)]
pub struct NamedSubmission<'a> {
    /// Assignment id.
    pub assignment: &'a Untrusted,
    /// Name of the submission.
    pub name: &'a Untrusted,
}

impl Prefixes {
    /// Finds the prefixes of submissions to an assignment: its id, and what else at least half of the names begin with, and at
    /// least three. Longer and shorter beginnings of names that begin with the id do not count.
    ///
    /// ```
    /// use softmark::course::roster::Prefixes;
    ///
    /// let names = ["lab-1-amara", "lab-1-mary-smith", "lab-1-ao-dev", "zoe"].map(Into::into);
    /// let prefixes = Prefixes::of(&"attention".into(), &names.iter().collect::<Vec<_>>());
    /// assert_eq!(prefixes.logins("lab-1-mary-smith").collect::<Vec<_>>(), ["1-mary-smith", "mary-smith"]);
    /// ```
    pub fn of(id: &Untrusted, names: &[&Untrusted]) -> Self {
        let own = format!("{}-", id.as_raw().to_lowercase());
        let mut starts: BTreeMap<String, usize> = BTreeMap::new();
        for name in names {
            for start in beginnings(name.as_raw()) {
                *starts.entry(start).or_default() += 1;
            }
        }
        let least = names.len().div_ceil(2).max(LEAST);
        let is_other = |start: &String| !start.starts_with(&own) && !own.starts_with(start);
        let common =
            starts.into_iter().filter(|(start, number)| *number >= least && is_other(start));
        let mut prefixes: BTreeSet<String> = common.map(|(start, _)| start).collect();
        prefixes.insert(own);
        Self(prefixes)
    }

    /// Finds the prefixes of the submissions to each assignment.
    pub fn by_assignment(submissions: &[NamedSubmission<'_>]) -> BTreeMap<Untrusted, Self> {
        let mut names: BTreeMap<&Untrusted, Vec<&Untrusted>> = BTreeMap::new();
        for NamedSubmission { assignment, name } in submissions.iter().copied() {
            names.entry(assignment).or_default().push(name);
        }
        names.into_iter().map(|(id, names)| (id.clone(), Self::of(id, &names))).collect()
    }

    /// Returns the texts after the prefixes in a name, which may be logins, the longest first.
    pub fn logins<'a>(&self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let ends = name.match_indices('-').filter_map(|(at, _)| name.split_at_checked(at + 1));
        let is_known = |(start, _): &(&str, &str)| self.0.contains(&start.to_lowercase());
        ends.filter(is_known).map(|(_, rest)| rest)
    }
}

/// Returns the beginnings of a name through each of its hyphens, small.
fn beginnings(name: &str) -> impl Iterator<Item = String> {
    name.match_indices('-').filter_map(|(at, _)| name.get(..=at)).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logins(names: &[&str], name: &str) -> Vec<String> {
        let names: Vec<Untrusted> = names.iter().map(|it| (*it).into()).collect();
        let prefixes = Prefixes::of(&"attention".into(), &names.iter().collect::<Vec<_>>());
        prefixes.logins(name).map(str::to_owned).collect()
    }

    #[test]
    fn after_the_id_of_the_assignment_there_is_a_login() {
        let names = ["Attention-mary-smith", "attention-mary-jones", "attention-mary-lee"];
        assert_eq!(logins(&names, "attention-mary-smith"), ["mary-smith"]);
        let mixed = ["lab-1-a", "lab-1-b", "lab-1-c-d", "attention-e-f"];
        assert_eq!(logins(&mixed, "lab-1-c-d"), ["1-c-d", "c-d"]);
        assert_eq!(logins(&mixed, "attention-e-f"), ["e-f"]);
        assert_eq!(logins(&names[..1], "Attention-mary-smith"), ["mary-smith"]);
        assert_eq!(logins(&names, "amara-2"), Vec::<String>::new());
    }

    #[test]
    fn what_few_names_begin_with_is_no_prefix() {
        let mut names = vec!["lab-1-mary-a", "lab-1-mary-b", "lab-1-c", "lab-1-d", "lab-1-e"];
        assert_eq!(logins(&names, "lab-1-mary-a"), ["1-mary-a", "mary-a"]);
        assert_eq!(logins(&names[..2], "lab-1-mary-a"), Vec::<String>::new());
        names.extend(["zoe"; 6]);
        assert_eq!(logins(&names, "lab-1-c"), Vec::<String>::new());
    }
}
