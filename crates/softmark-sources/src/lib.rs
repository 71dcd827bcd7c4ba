//! Digests of the sources that each check of an exam can run, made while the exam is compiled.
//!
//! The grader reuses the result of a check as long as nothing has changed that the check can run. What that is follows from
//! the sources of the exam and of the crates that it is built on: [`sources!`] reads them where it is called, and stores a
//! digest for each check.
//!
//! Invariant: if the code that a check can run changes, its digest does. Where that cannot be told, there is no digest, and
//! the grader uses one of more: of all sources, or of its whole program.
//!
//! ```text
//! package: manifests ─► packages, settings
//! token, item: a file ─► items ─► chunk: names that an item declares and mentions
//! declared: checks and parts of the exam
//! graph: mentions ─► items that can be reached ─► slices: digests
//! ```

mod chunk;
mod declared;
mod graph;
mod import;
mod item;
mod macros;
mod mention;
mod names;
mod package;
mod slices;
mod token;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro::TokenStream;
use sha2::{Digest, Sha256};

use crate::package::rust_files;
use crate::slices::{Slices, add, hex, slices};

/// Digests of the exam in whose crate this stands, as a `softmark_exam::Sources`.
#[proc_macro]
pub fn sources(_: TokenStream) -> TokenStream {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
    let slices = folder().zip(engine).and_then(|(folder, engine)| slices(&folder, &engine));
    expression(&slices.unwrap_or_default()).parse().unwrap_or_default()
}

/// Digest of all Rust files in these folders, which are paths below the package's folder.
#[proc_macro]
pub fn digest_of(folders: TokenStream) -> TokenStream {
    let names = folders.to_string();
    let names = names.split(',').map(|name| name.trim().trim_matches('"'));
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let digest = folder().and_then(|folder| digest_of_folders(&folder, &names));
    let code = match digest {
        Some((digest, files)) => format!("{{ {} {digest:?} }}", tracked(&files)),
        None => "compile_error!(\"one of the folders cannot be read\")".to_owned(),
    };
    code.parse().unwrap_or_default()
}

/// Returns the folder of the package that is compiled.
fn folder() -> Option<PathBuf> {
    std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

fn digest_of_folders(package: &Path, folders: &[&str]) -> Option<(String, BTreeSet<PathBuf>)> {
    let mut digest = Sha256::new();
    let mut all = BTreeSet::new();
    for name in folders {
        let folder = package.join(name);
        let files =
            if folder.is_file() { [(String::new(), folder)].into() } else { rust_files(&folder)? };
        for (below, path) in files {
            add(&mut digest, name.as_bytes());
            add(&mut digest, below.as_bytes());
            add(&mut digest, &std::fs::read(&path).ok()?);
            all.insert(path);
        }
    }
    Some((hex(digest), all))
}

/// Returns code by which cargo compiles the crate again if one of the files changes.
fn tracked(files: &BTreeSet<PathBuf>) -> String {
    let each = files.iter().map(|path| {
        let path = path.display().to_string();
        format!("include_bytes!({path:?}).as_slice(),")
    });
    format!("const _: &[&[u8]] = &[{}];", each.collect::<String>())
}

/// Returns the code of the digests.
fn expression(slices: &Slices) -> String {
    let Slices { checks, diagnosis, training, whole, files } = slices;
    let checks = checks.iter().map(|(id, digest)| format!("({id:?}, {digest:?}),"));
    format!(
        "{{ {} ::softmark_exam::Sources {{ checks: &[{}], diagnosis: {diagnosis:?}, training: {training:?}, \
         whole: {whole:?} }} }}",
        tracked(files),
        checks.collect::<String>()
    )
}

#[cfg(test)]
mod tests;
