//! Several submissions of one name: each gets a name and a record of its own, and no grade.
//!
//! The instructor decides which of them counts; until then nobody else has to wait.

use std::collections::BTreeSet;

use softmark_untrusted::{Untrusted, UntrustedName};

use crate::intake::location::Location;
use crate::intake::name::{listed, of_submission};
use crate::intake::submission::Candidate;

/// Most paths in a reason.
const MAX_NAMED: usize = 5;

/// Returns the same candidates in the order of their names, renamed so that no two have one name.
pub(crate) fn set_apart(mut found: Vec<Candidate>) -> Vec<Candidate> {
    found.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    let mut taken: BTreeSet<Untrusted> = found.iter().map(|one| one.name.clone()).collect();
    let mut apart = Vec::new();
    for group in found.chunk_by(|a, b| a.name == b.name) {
        let [first, rest @ ..] = group else { continue };
        if rest.is_empty() {
            apart.push(first.clone());
            continue;
        }
        let paths = group.iter().map(|one| UntrustedName::from(one.path.as_path()));
        let reason = format!(
            "{} are all called `{}`, and nothing tells which of them counts: remove the others, or \
             rename them",
            listed(paths, MAX_NAMED),
            first.name
        );
        // One of them may have the name itself, as a folder beside an archive of that name does.
        taken.remove(&first.name);
        for one in group {
            let name = free(one, &taken);
            taken.insert(name.clone());
            apart.push(Candidate {
                name,
                place: Location::Undecided(reason.clone()),
                ..one.clone()
            });
        }
    }
    apart.sort_by(|a, b| a.name.cmp(&b.name));
    apart
}

/// Returns a name that is not taken: with its ending, which distinguishes an archive from a folder, or else
/// with a number.
fn free(one: &Candidate, taken: &BTreeSet<Untrusted>) -> Untrusted {
    let whole = one.path.file_name().map(of_submission);
    let whole = whole.into_iter().chain([one.name.clone()]);
    let name = one.name.as_raw();
    let numbered = (2_u64..).map(|number| of_submission(format!("{name}~{number}").as_ref()));
    whole.chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(found: Vec<Candidate>) -> Vec<Untrusted> {
        set_apart(found).into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn an_archive_keeps_its_ending_where_a_folder_has_the_name() {
        let all = || {
            vec![
                Candidate::folder("x", "class/x"),
                Candidate::archive("x", "class/x.zip"),
                Candidate::archive("x", "class/x.tar.gz"),
                Candidate::folder("y", "class/y"),
            ]
        };
        assert_eq!(names(all()), ["x", "x.tar.gz", "x.zip", "y"]);
        for one in set_apart(all()) {
            assert_eq!(matches!(one.place, Location::Undecided(_)), one.name != "y", "{one:?}");
        }
        // A folder that is called like an archive of another.
        let odd = vec![
            Candidate::folder("x", "class/x"),
            Candidate::archive("x", "class/x.zip"),
            Candidate::folder("x.zip", "other/x.zip"),
        ];
        assert_eq!(names(odd), ["x", "x.zip", "x~2"]);
        let twice = vec![Candidate::folder("x", "a/x"), Candidate::folder("x", "b/x")];
        assert_eq!(names(twice), ["x", "x~2"]);
    }

    proptest! {
        #[test]
        fn everybody_is_there_under_a_name_of_their_own(
            all in prop::collection::vec(("(x|y|x~2|x.zip|y.tar)", "[ab]/(x|y|x.zip|x~2)"), 0..12),
        ) {
            let found: Vec<Candidate> =
                all.iter().map(|(name, path)| Candidate::folder(name.clone(), path)).collect();
            let paths = |found: &[Candidate]| {
                let mut paths: Vec<_> = found.iter().map(|one| one.path.clone()).collect();
                paths.sort();
                paths
            };
            let apart = set_apart(found.clone());
            prop_assert_eq!(paths(&apart), paths(&found));
            let names: BTreeSet<&str> = apart.iter().map(|one| one.name.as_raw()).collect();
            prop_assert_eq!(names.len(), apart.len());
        }
    }
}
