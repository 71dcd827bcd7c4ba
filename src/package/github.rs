//! The folder from which an assignment is graded on GitHub: a container, an action and workflows.
//!
//! Whoever can change a workflow can read all that its job can. So the grader runs in a repository of the staff, or where
//! students cannot change workflows; elsewhere GitHub Classroom gets the points of public checks, which `grade release`
//! reports.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::package::contents::Contents;
use crate::package::error::PackageError;
use crate::package::files::Files;
use crate::package::toolchain;
use crate::pipeline::private_folder;

/// Minor version of glibc 2 in the image, Debian 12.
const GLIBC: u32 = 36;

/// Templates, in which `@ASSIGNMENT@` and `@VERSION@` are replaced.
const TEMPLATES: [(&str, &str); 5] = [
    ("Containerfile", include_str!("../../templates/package/github/Containerfile")),
    ("README.md", include_str!("../../templates/package/github/README.md")),
    ("action.yml", include_str!("../../templates/package/github/action.yml")),
    ("classroom.yml", include_str!("../../templates/package/github/classroom.yml")),
    ("grade-class.yml", include_str!("../../templates/package/github/grade-class.yml")),
];

/// Folder for GitHub.
#[derive(Debug)]
pub struct Github<'a> {
    /// Program, course and libraries.
    pub contents: Contents<'a>,
}

impl Github<'_> {
    /// Writes the files into `folder`, which must be empty or missing.
    ///
    /// # Errors
    ///
    /// Fails if the container could not run what is packaged, or a file cannot be read or written.
    pub fn write(&self, folder: &Path) -> Result<(), PackageError> {
        if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(PackageError::NotEmpty(folder.to_owned()));
        }
        self.contents.check_glibc(GLIBC)?;
        let toolchain = &self.contents.pack.toolchain;
        let version = toolchain::stable_version(toolchain)?;
        let tools = toolchain::files(toolchain, toolchain.host().unwrap_or_default())?;
        let mut files = Files::default();
        files.add_below(Path::new("softmark"), &self.contents.files()?);
        files.text("softmark/toolchain.sha256", toolchain::checksums(&tools)?);
        for (name, template) in TEMPLATES {
            let text = template.replace("@ASSIGNMENT@", self.contents.assignment);
            files.text(name, text.replace("@VERSION@", version));
        }
        write(&files, folder)
    }
}

/// Writes files into a folder that only the user can read: it holds the course's secret and the hidden checks. The folder appears
/// when it is complete.
fn write(files: &Files, folder: &Path) -> Result<(), PackageError> {
    let make = |path: &Path| {
        fs::create_dir_all(path).map_err(|source| PackageError::io("make", path, source))
    };
    let parent = folder.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make(parent)?;
    let draft = private_folder(parent, ".softmark-")
        .map_err(|source| PackageError::io("make", folder, source))?;
    for (place, file) in files.iter() {
        let path = draft.path().join(place);
        path.parent().map_or(Ok(()), make)?;
        let failed = |source| PackageError::io("write", &path, source);
        fs::write(&path, file.bytes()?).map_err(failed)?;
        fs::set_permissions(&path, Permissions::from_mode(file.mode)).map_err(failed)?;
    }
    let failed = |source| PackageError::io("write", folder, source);
    fs::rename(draft.path(), folder).map_err(failed)?;
    // There is no draft to remove any more.
    drop(draft.keep());
    Ok(())
}
