//! Contents of every package: the program, the course of one assignment, and the prebuilt libraries.

use std::path::Path;

use toml::Value;

use crate::build::{PACKAGED, Pack};
use crate::course;
use crate::package::error::PackageError;
use crate::package::files::Files;
use crate::package::glibc;

/// Name of the file with the course's secret.
const SECRET: &str = "softmark.secret";

/// Text of the file in the folder of solutions, which a course must have.
const NO_SOLUTIONS: &str =
    "Solutions are not packaged. This folder is here because every course must have it.\n";

/// Inputs of a package.
#[derive(Debug)]
pub struct Contents<'a> {
    /// Path of the program with the checks of the assignment.
    pub program: &'a Path,
    /// Folder of the course.
    pub home: &'a Path,
    /// Title of the course.
    pub title: &'a str,
    /// Secret of the course; with another one, marks of trainings could differ from those on this machine.
    pub secret: &'a str,
    /// Assignment id.
    pub assignment: &'a str,
    /// Prebuilt libraries.
    pub pack: &'a Pack,
}

impl Contents<'_> {
    /// Returns the files of the package.
    ///
    /// # Errors
    ///
    /// Fails if a folder cannot be read.
    pub(super) fn files(&self) -> Result<Files, PackageError> {
        let mut files = Files::default();
        files.program("grade", self.program);
        let title = Value::String(self.title.to_owned());
        let course = Path::new("course");
        files.text(course.join(course::FILE), format!("title = {title}\n"));
        files.text(course.join(PACKAGED), format!("{}\n", self.pack.key()));
        files.secret(course.join(SECRET), format!("{}\n", self.secret));
        files.text(course.join("solutions/README.md"), NO_SOLUTIONS);
        let assignment = Path::new("assignments").join(self.assignment);
        for part in ["assignment.toml", "Cargo.toml", "src"] {
            let part = assignment.join(part);
            files.copy(&course.join(&part), &self.home.join(&part))?;
        }
        files.copy(&Pack::dir(Path::new("cache"), self.pack.key()), &self.pack.dir)?;
        Ok(files)
    }

    /// Checks that the program and the libraries run where glibc has the minor version `available`.
    ///
    /// # Errors
    ///
    /// Fails if one of them needs a newer one, or cannot be read.
    pub(super) fn check_glibc(&self, available: u32) -> Result<(), PackageError> {
        glibc::check(self.program, available)?;
        // Procedural macros are loaded by the compiler.
        for macros in self.pack.shared_objects() {
            glibc::check(&macros, available)?;
        }
        Ok(())
    }
}
