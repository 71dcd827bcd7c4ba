//! Preludes of specifications.

use crate::tidy::{fail_with, sources};

/// Returns the names of the public traits of a specification.
fn traits(files: &[(String, String)]) -> Vec<&str> {
    let lines = files.iter().flat_map(|(_, text)| text.lines());
    let names = lines.filter_map(|line| line.trim_start().strip_prefix("pub trait "));
    names.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next()).collect()
}

/// A student's type may have the name of a trait, and hides it then. The methods of the trait have to be found all the same.
#[test]
fn traits_of_a_prelude_are_imported_without_their_names_as_well() {
    let mut problems = Vec::new();
    let folders = std::fs::read_dir(super::root().join("assignments")).unwrap();
    for folder in folders {
        let id = folder.unwrap().file_name().into_string().unwrap();
        let files = sources(&format!("assignments/{id}/spec/src"));
        let prelude = format!("assignments/{id}/spec/src/prelude.rs");
        let (_, prelude) = files.iter().find(|(name, _)| *name == prelude).unwrap();
        let words: Vec<&str> = prelude.split(|c: char| !c.is_alphanumeric()).collect();
        let traits = traits(&files);
        assert!(!traits.is_empty(), "{id} has no trait");
        for name in traits.into_iter().filter(|name| words.contains(name)) {
            if !prelude.contains(&format!("{name} as _")) {
                problems.push(format!("{id}: the prelude lacks `{name} as _`"));
            }
        }
    }
    fail_with(&problems);
}
