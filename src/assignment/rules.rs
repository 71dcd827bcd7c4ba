//! Validation of the contents of an `assignment.toml`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Component, Path};
use std::time::Duration;

use toml::Spanned;

use crate::assignment::entry::{
    Band, CheckEntry, DataEntry, Deadline, Take, TaskEntry, TrainingRules, UploadEntry,
    WrittenEntry,
};
use softmark_sandbox::Limits;

use crate::assignment::error::Problem;
use crate::assignment::file::{self, File, Task};
use crate::assignment::id::is_id;
use crate::model::{Points, Visibility};

/// Most training runs; more would delay a class too much.
const MOST_RUNS: u32 = 9;

/// Largest size limit of a checkpoint, in MiB. Each job holds a checkpoint in memory, and no head
/// or prefix is larger.
const MOST_MEBIBYTES: u32 = 256;

/// Problem with its location in the file.
pub(crate) type At = (Range<usize>, Problem);

fn id(written: &Spanned<String>) -> Result<&str, At> {
    let id = written.get_ref();
    if is_id(id) { Ok(id) } else { Err((written.span(), Problem::Id(id.clone()))) }
}

fn title(written: &Spanned<String>, of: &str) -> Result<String, At> {
    let title = written.get_ref();
    if title.chars().any(char::is_alphanumeric) && !title.chars().any(char::is_control) {
        Ok(title.clone())
    } else {
        Err((written.span(), Problem::Title(of.to_owned())))
    }
}

fn points(written: &Spanned<f64>, of: &str) -> Result<Points, At> {
    let value = *written.get_ref();
    Points::parse(value).ok_or_else(|| {
        (written.span(), Problem::Points { of: of.to_owned(), value: value.to_string() })
    })
}

fn adds_up(
    written: &Spanned<f64>,
    of: &str,
    parts: &'static str,
    all: &[Points],
) -> Result<Points, At> {
    let points = points(written, of)?;
    let sum = all.iter().copied().sum();
    if all.is_empty() {
        return Err((written.span(), Problem::Empty { of: of.to_owned(), parts }));
    }
    if points != sum {
        return Err((written.span(), Problem::Sum { of: of.to_owned(), points, parts, sum }));
    }
    Ok(points)
}

fn task(written: &Task) -> Result<TaskEntry, At> {
    let task_id = id(&written.id)?;
    let mut seen = BTreeSet::new();
    let mut checks = Vec::new();
    for check in &written.check {
        let id = format!("{task_id}/{}", id(&check.id)?);
        if !seen.insert(id.clone()) {
            return Err((check.id.span(), Problem::IdTwice(id)));
        }
        let points = points(&check.points, &id)?;
        let visibility = match check.visibility {
            file::Visibility::Public => Visibility::Public,
            file::Visibility::Hidden => Visibility::Hidden,
        };
        let band = check.band.as_ref().map(|band| share(band, &id)).transpose()?;
        checks.push(CheckEntry { id, points, visibility, band });
    }
    let all: Vec<Points> = checks.iter().map(|check| check.points).collect();
    Ok(TaskEntry {
        id: task_id.to_owned(),
        title: title(&written.title, task_id)?,
        points: adds_up(&written.points, task_id, "checks", &all)?,
        checks,
    })
}

fn share(written: &Spanned<f64>, of: &str) -> Result<Band, At> {
    let value = *written.get_ref();
    Band::parse(value).ok_or_else(|| {
        (written.span(), Problem::Band { of: of.to_owned(), value: value.to_string() })
    })
}

/// Returns the tasks, and the sum of their points.
pub(crate) fn tasks(file: &File) -> Result<(Vec<TaskEntry>, Points), At> {
    let mut tasks: Vec<TaskEntry> = Vec::new();
    for written in &file.task {
        let entry = task(written.get_ref())?;
        if tasks.iter().any(|other| other.id == entry.id) {
            return Err((written.get_ref().id.span(), Problem::IdTwice(entry.id)));
        }
        tasks.push(entry);
    }
    let all: Vec<Points> = tasks.iter().map(|task| task.points).collect();
    let points = adds_up(&file.points, file.id.get_ref(), "tasks", &all)?;
    Ok((tasks, points))
}

/// Returns the id, which must be the name of `folder`, and the title.
pub(crate) fn names(file: &File, folder: &str) -> Result<(String, String), At> {
    let id = id(&file.id)?;
    if id != folder {
        let problem = Problem::OtherFolder { id: id.to_owned(), folder: folder.to_owned() };
        return Err((file.id.span(), problem));
    }
    Ok((id.to_owned(), title(&file.title, id)?))
}

/// True if `path` is a plain relative path of a Rust file.
fn is_source(path: &str) -> bool {
    let parts = Path::new(path).components();
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_/.".contains(&byte))
        && parts.clone().all(|part| matches!(part, Component::Normal(_)))
        // The path is in its normal form.
        && parts.collect::<std::path::PathBuf>().as_os_str() == path
}

/// Returns the collected and the provided paths.
pub(crate) fn files(file: &File) -> Result<(Vec<String>, Vec<String>), At> {
    let mut seen = BTreeSet::new();
    for written in file.collect.get_ref().iter().chain(file.provided.get_ref()) {
        let path = written.get_ref();
        if !is_source(path) {
            return Err((written.span(), Problem::FilePath(path.clone())));
        }
        if !seen.insert(path) {
            return Err((written.span(), Problem::FileTwice(path.clone())));
        }
    }
    let paths = |list: &[Spanned<String>]| list.iter().map(|path| path.get_ref().clone()).collect();
    let (collect, provided): (Vec<String>, Vec<String>) =
        (paths(file.collect.get_ref()), paths(file.provided.get_ref()));
    if collect.is_empty() {
        let of = file.id.get_ref().clone();
        return Err((file.collect.span(), Problem::Empty { of, parts: "files to collect" }));
    }
    if !provided.iter().any(|path| path == "lib.rs") {
        return Err((file.provided.span(), Problem::NoLib));
    }
    Ok((collect, provided))
}

/// True if `name` is the name of a file with answers beside `src/`.
fn is_answers(name: &str) -> bool {
    // The manifest of the submission holds no answers.
    is_beside(name, &["toml", "md"]) && name != "Cargo.toml"
}

/// True if `name` is the name of a checkpoint beside `src/`. Other formats of tensors may run code
/// when they are read.
fn is_upload(name: &str) -> bool {
    is_beside(name, &["safetensors"])
}

/// True if `name` is a plain file name with one of the extensions `endings`.
fn is_beside(name: &str, endings: &[&str]) -> bool {
    let path = Path::new(name);
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.contains(&ending))
        && path.file_stem().is_some_and(|stem| {
            !stem.is_empty() && stem.as_encoded_bytes().iter().all(|byte| is_plain(*byte))
        })
        && path.components().count() == 1
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Returns the files with answers, and the written answers in them that a person marks.
pub(crate) fn answers(file: &File) -> Result<(Vec<String>, Vec<WrittenEntry>), At> {
    let mut names: Vec<String> = Vec::new();
    for written in &file.answers {
        let name = written.get_ref();
        if !is_answers(name) {
            return Err((written.span(), Problem::AnswerPath(name.clone())));
        }
        if names.contains(name) {
            return Err((written.span(), Problem::FileTwice(name.clone())));
        }
        names.push(name.clone());
    }
    let mut entries: Vec<WrittenEntry> = Vec::new();
    for written in &file.written {
        let id = id(&written.id)?;
        if entries.iter().any(|other| other.id == id) {
            return Err((written.id.span(), Problem::IdTwice(id.to_owned())));
        }
        let of = written.file.get_ref();
        if !names.contains(of) {
            return Err((written.file.span(), Problem::NoAnswers(of.clone())));
        }
        entries.push(WrittenEntry {
            id: id.to_owned(),
            title: title(&written.title, id)?,
            points: points(&written.points, id)?,
            file: of.clone(),
        });
    }
    Ok((names, entries))
}

/// Returns the checkpoints that may be handed in.
pub(crate) fn uploads(file: &File) -> Result<Vec<UploadEntry>, At> {
    let mut entries: Vec<UploadEntry> = Vec::new();
    for written in &file.upload {
        let name = written.file.get_ref();
        if !is_upload(name) {
            return Err((written.file.span(), Problem::UploadPath(name.clone())));
        }
        if entries.iter().any(|other| other.file == *name) {
            return Err((written.file.span(), Problem::FileTwice(name.clone())));
        }
        let mebibytes = *written.mebibytes.get_ref();
        if !(1..=MOST_MEBIBYTES).contains(&mebibytes) {
            let (file, most) = (name.clone(), MOST_MEBIBYTES);
            let problem = Problem::UploadSize { file, mebibytes, most };
            return Err((written.mebibytes.span(), problem));
        }
        entries.push(UploadEntry { file: name.clone(), bytes: u64::from(mebibytes) << 20 });
    }
    Ok(entries)
}

/// Returns the folders that are released with the assignment.
pub(crate) fn data(file: &File) -> Result<Vec<DataEntry>, At> {
    let mut entries = Vec::new();
    for written in &file.data {
        let (from, to) = (written.from.get_ref(), written.to.get_ref());
        if first_of_plain(from).is_none_or(|first| first == "solutions") {
            return Err((written.from.span(), Problem::DataFrom(from.clone())));
        }
        if first_of_plain(to).is_none_or(|first| first != "data") {
            return Err((written.to.span(), Problem::DataTo(to.clone())));
        }
        entries.push(DataEntry { from: from.clone(), to: to.clone() });
    }
    Ok(entries)
}

/// Returns the first component of a path; `None` unless all are names.
fn first_of_plain(path: &str) -> Option<&OsStr> {
    let names: Option<Vec<&OsStr>> = Path::new(path)
        .components()
        .map(|component| match component {
            Component::Normal(name) => Some(name),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        })
        .collect();
    names?.first().copied()
}

/// Returns the rules for training; limits that `[training]` does not set are those of `worker`.
pub(crate) fn training(
    file: &File,
    tasks: &[TaskEntry],
    worker: &Limits,
) -> Result<Option<TrainingRules>, At> {
    let mut checks = tasks.iter().flat_map(|task| &task.checks);
    let banded = checks.find(|check| check.band.is_some());
    let (written, id) = match (&file.training, banded) {
        (None, None) => return Ok(None),
        (None, Some(check)) => {
            return Err((file.points.span(), Problem::NoTraining(check.id.clone())));
        }
        (Some(written), None) => return Err((written.span(), Problem::NoBand)),
        (Some(written), Some(_)) => (written.get_ref(), written.span()),
    };
    if !(1..=MOST_RUNS).contains(&written.runs) {
        return Err((id, Problem::Runs(written.runs)));
    }
    let at_least_one = [
        ("training.cpu_seconds", written.cpu_seconds),
        ("training.wall_seconds", written.wall_seconds),
        ("training.memory_mebibytes", written.memory_mebibytes),
    ];
    if let Some((name, _)) = at_least_one.iter().find(|(_, value)| *value == 0) {
        return Err((id, Problem::NoLimit(name)));
    }
    Ok(Some(TrainingRules {
        runs: written.runs,
        take: match written.take {
            file::Take::Best => Take::Best,
            file::Take::Mean => Take::Mean,
        },
        limits: Limits {
            cpu_seconds: written.cpu_seconds.into(),
            wall: Duration::from_secs(written.wall_seconds.into()),
            memory_mebibytes: written.memory_mebibytes.into(),
            ..worker.clone()
        },
    }))
}

/// Number of workers that may use up their limits before the submission's own limit is reached, if the
/// assignment does not set that limit: some workers of each task, each of them twice.
const WORKERS: u32 = 50;

/// Returns the time limits of a submission: those in the file, or else multiples of the workers' limits.
pub(crate) fn deadline(
    file: &File,
    worker: &Limits,
    training: Option<&TrainingRules>,
) -> Result<Deadline, At> {
    if let Some(written) = &file.submission {
        let submission = written.get_ref();
        let at_least_one = [
            ("submission.cpu_seconds", submission.cpu_seconds),
            ("submission.wall_seconds", submission.wall_seconds),
        ];
        if let Some((name, _)) = at_least_one.iter().find(|(_, value)| *value == 0) {
            return Err((written.span(), Problem::NoLimit(name)));
        }
        return Ok(Deadline {
            cpu: Duration::from_secs(submission.cpu_seconds.into()),
            wall: Duration::from_secs(submission.wall_seconds.into()),
        });
    }
    let of_workers = Duration::from_secs(worker.cpu_seconds).saturating_mul(WORKERS);
    // A training that runs out of time, with its own and with the grader's dependencies, each tried
    // twice.
    let of_trainings = training.map_or(0, |rules| rules.limits.cpu_seconds.saturating_mul(6));
    Ok(Deadline {
        cpu: of_workers.saturating_add(Duration::from_secs(of_trainings)),
        wall: worker.wall.saturating_mul(8),
    })
}

/// Returns the limits of a worker.
pub(crate) fn limits(file: &File) -> Result<Limits, At> {
    let worker = file.worker.get_ref();
    let at_least_one = [
        ("worker.cpu_seconds", worker.cpu_seconds),
        ("worker.wall_seconds", worker.wall_seconds),
        ("worker.memory_mebibytes", worker.memory_mebibytes),
        ("worker.flood_mebibytes", worker.flood_mebibytes),
        ("worker.open_files", worker.open_files),
        ("worker.threads", worker.threads),
    ];
    if let Some((name, _)) = at_least_one.iter().find(|(_, value)| *value == 0) {
        return Err((file.worker.span(), Problem::NoLimit(name)));
    }
    Ok(Limits {
        cpu_seconds: worker.cpu_seconds.into(),
        wall: Duration::from_secs(worker.wall_seconds.into()),
        memory_mebibytes: worker.memory_mebibytes.into(),
        file_mebibytes: worker.file_mebibytes.into(),
        output_bytes: usize::try_from(worker.output_kibibytes).unwrap_or(usize::MAX) * 1024,
        flood_bytes: u64::from(worker.flood_mebibytes) * 1024 * 1024,
        open_files: worker.open_files.into(),
        threads: worker.threads.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_plain_files_beside_the_sources() {
        for name in ["answers.toml", "answers.md", "why_2.md", "a-b.toml"] {
            assert!(is_answers(name), "{name}");
        }
        for name in [
            "",
            ".md",
            "answers",
            "answers.rs",
            "Cargo.toml",
            "../a.md",
            "a/b.md",
            "a b.md",
            "ä.md",
        ] {
            assert!(!is_answers(name), "{name:?}");
        }
    }

    #[test]
    fn checkpoints_are_plain_files_beside_the_sources_and_never_pickles() {
        for name in ["best.safetensors", "prefix_5.safetensors", "a-b.safetensors"] {
            assert!(is_upload(name), "{name}");
        }
        for name in [
            "",
            ".safetensors",
            "safetensors",
            "best",
            "best.pt",
            "best.pth",
            "best.bin",
            "best.safetensors.pt",
            "best.SAFETENSORS",
            "src/best.safetensors",
            "../best.safetensors",
            "/best.safetensors",
            "my best.safetensors",
            "a.b.safetensors",
        ] {
            assert!(!is_upload(name), "{name:?}");
        }
    }

    #[test]
    fn only_plain_paths_are_sources() {
        for path in ["lib.rs", "multi_head.rs", "blocks/mod.rs"] {
            assert!(is_source(path), "{path}");
        }
        for path in [
            "",
            "lib",
            ".rs",
            "a/.rs",
            "/lib.rs",
            "../lib.rs",
            "a/../lib.rs",
            "./lib.rs",
            "a//b.rs",
            "a/./b.rs",
            "a\\b.rs",
            "a b.rs",
            "lib.rs/",
            "*.rs",
            "ä.rs",
            "a\n.rs",
        ] {
            assert!(!is_source(path), "{path:?}");
        }
    }
}
