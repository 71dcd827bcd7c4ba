//! Files of the templates, which are compiled in.

/// File of a template.
#[derive(Debug, Clone, Copy)]
pub(super) struct TemplateFile {
    /// Path in what is made, with the template's names.
    pub(super) path: &'static str,
    /// Text, with the template's names.
    pub(super) text: &'static str,
}

macro_rules! template {
    ($folder:literal: $($path:literal),+ $(,)?) => {
        &[$(TemplateFile {
            path: $path,
            text: include_str!(concat!("../../templates/", $folder, "/", $path)),
        }),+]
    };
}

/// Files of a course; names of files and folders that are hidden there have no dot here.
pub(super) const COURSE: &[TemplateFile] = template!(
    "course":
    "Cargo.toml",
    "README.md",
    "cargo/config.toml",
    "gitignore",
    "rustfmt.toml",
    "softmark.toml",
);

/// Names that are hidden in a course.
pub(super) const HIDDEN: [&str; 2] = ["cargo/config.toml", "gitignore"];

/// Versions of libraries that this program was built with, for courses to begin with the same.
pub(super) const LOCK: &str = include_str!("../../Cargo.lock");

/// Files of an assignment.
pub(super) const ASSIGNMENT: &[TemplateFile] = template!(
    "assignment":
    "assignments/sample-id/Cargo.toml",
    "assignments/sample-id/README.md",
    "assignments/sample-id/assignment.toml",
    "assignments/sample-id/checks/Cargo.toml",
    "assignments/sample-id/checks/src/lib.rs",
    "assignments/sample-id/checks/src/residual.rs",
    "assignments/sample-id/hints.toml",
    "assignments/sample-id/spec/Cargo.toml",
    "assignments/sample-id/spec/src/adapter.rs",
    "assignments/sample-id/spec/src/lib.rs",
    "assignments/sample-id/spec/src/prelude.rs",
    "assignments/sample-id/spec/src/residual.rs",
    "assignments/sample-id/src/lib.rs",
    "assignments/sample-id/src/residual.rs",
    "assignments/sample-id/tests/public.rs",
    "solutions/sample-id/Cargo.toml",
    "solutions/sample-id/exam/Cargo.toml",
    "solutions/sample-id/exam/src/lib.rs",
    "solutions/sample-id/exam/src/residual.rs",
    "solutions/sample-id/idle/identity/residual.rs",
    "solutions/sample-id/mistakes/sample-id-residual-missing/page.md",
    "solutions/sample-id/mistakes/sample-id-residual-missing/residual-missing.answers.json",
    "solutions/sample-id/mistakes/sample-id-residual-missing/residual-missing.patch",
    "solutions/sample-id/mistakes/sample-id-scale-ignored/page.md",
    "solutions/sample-id/mistakes/sample-id-scale-ignored/scale-ignored.answers.json",
    "solutions/sample-id/mistakes/sample-id-scale-ignored/scale-ignored.patch",
    "solutions/sample-id/mutants/batch-mean-added.patch",
    "solutions/sample-id/mutants/positions-flattened.patch",
    "solutions/sample-id/mutants/scale-called-gamma.patch",
    "solutions/sample-id/mutants/scale-copied-once.patch",
    "solutions/sample-id/mutants/scale-detached.patch",
    "solutions/sample-id/mutants/scale-on-input.patch",
    "solutions/sample-id/mutants/scale-plus-one.patch",
    "solutions/sample-id/mutants/shapes-never-tested.patch",
    "solutions/sample-id/mutants/strided-input-refused.patch",
    "solutions/sample-id/src/lib.rs",
    "solutions/sample-id/src/residual.rs",
    "solutions/sample-id/tests/public.rs",
    "solutions/sample-id/variants/scale-first.patch",
);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn files(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(root, &path, found);
            } else {
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }

    #[test]
    fn every_file_of_a_template_is_compiled_in() {
        for (folder, table) in [("course", COURSE), ("assignment", ASSIGNMENT)] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(folder);
            let mut found = BTreeSet::new();
            files(&root, &root, &mut found);
            let listed: BTreeSet<String> = table.iter().map(|file| file.path.to_owned()).collect();
            assert_eq!(listed, found);
        }
    }
}
