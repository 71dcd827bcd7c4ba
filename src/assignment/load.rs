//! Loading of assignments from a project.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::assignment::entry::Assignment;
use crate::assignment::error::{AssignmentError, Problem};
use crate::assignment::file::{self, File};
use crate::assignment::id::is_id;
use crate::assignment::rules;
use crate::digest::Digest;

/// Name of the file that makes a folder an assignment.
const FILE: &str = "assignment.toml";

fn folder(home: &Path) -> PathBuf {
    home.join("assignments")
}

/// Returns the ids of the assignments of the project at `home`, sorted.
///
/// # Errors
///
/// Fails if its folder `assignments/` cannot be read.
pub fn list(home: &Path) -> Result<Vec<String>, AssignmentError> {
    let dir = folder(home);
    let read = |source| AssignmentError::Read { path: dir.clone(), source };
    let mut ids = Vec::new();
    for entry in fs::read_dir(&dir).map_err(read)? {
        let entry = entry.map_err(read)?;
        if let Some(id) = entry.file_name().to_str()
            && is_id(id)
            && entry.path().join(FILE).is_file()
        {
            ids.push(id.to_owned());
        }
    }
    ids.sort();
    Ok(ids)
}

/// Loads the assignment `id` of the project at `home`.
///
/// # Errors
///
/// Fails if there is none, or it is inconsistent; the error gives the location and the problem.
pub fn load(home: &Path, id: &str) -> Result<Assignment, AssignmentError> {
    let dir = folder(home);
    let unknown = |known| AssignmentError::Unknown { id: id.to_owned(), dir: dir.clone(), known };
    // The id may come from a student's manifest, so only valid ids become part of a path.
    if !is_id(id) {
        return Err(unknown(list(home)?));
    }
    let path = dir.join(id).join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(unknown(list(home)?)),
        Err(source) => return Err(AssignmentError::Read { path, source }),
    };
    let src = path.with_file_name("src");
    read(&path, id, &text, |name| {
        fs::read(src.join(name))
            .map_err(|error| format!("cannot be read from {}: {error}", src.display()))
    })
}

/// Reads the assignment in the folder `id` from the text of its file at `path`. `provided` returns
/// the contents of a provided or collected file, or the reason why it cannot be read. A collected
/// file without contents has no skeleton.
///
/// # Errors
///
/// Fails if the assignment is inconsistent; the error gives the location and the problem.
pub fn read(
    path: &Path,
    id: &str,
    text: &str,
    provided: impl Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Assignment, AssignmentError> {
    let file = file::parse(path, text)?;
    whole(&file, id, text, provided).map_err(|(span, problem)| AssignmentError::Invalid {
        line: file::line(text, &span),
        path: path.to_owned(),
        problem,
    })
}

fn whole(
    file: &File,
    folder: &str,
    text: &str,
    content: impl Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Assignment, rules::At> {
    let (id, title) = rules::names(file, folder)?;
    let (collect, names) = rules::files(file)?;
    let (answers, written) = rules::answers(file)?;
    let uploads = rules::uploads(file)?;
    let data = rules::data(file)?;
    let worker = rules::limits(file)?;
    let (tasks, points) = rules::tasks(file)?;
    let training = rules::training(file, &tasks, &worker)?;
    let deadline = rules::deadline(file, &worker, training.as_ref())?;
    let mut provided = BTreeMap::new();
    for name in names {
        let content = content(&name).map_err(|reason| {
            (file.provided.span(), Problem::Provided { name: name.clone(), reason })
        })?;
        provided.insert(name, content);
    }
    let skeleton: BTreeMap<String, Vec<u8>> =
        collect.iter().filter_map(|name| Some((name.clone(), content(name).ok()?))).collect();
    let sha256 = digest(text, [&provided, &skeleton]);
    Ok(Assignment {
        id,
        title,
        points,
        tasks,
        collect,
        provided,
        skeleton,
        answers,
        written,
        uploads,
        data,
        worker,
        training,
        deadline,
        sha256,
    })
}

fn digest(text: &str, files: [&BTreeMap<String, Vec<u8>>; 2]) -> String {
    let mut digest = Digest::default();
    digest.add(text.as_bytes());
    for (name, content) in files.into_iter().flatten() {
        digest.add(name.as_bytes());
        digest.add(content);
    }
    digest.finish()
}
