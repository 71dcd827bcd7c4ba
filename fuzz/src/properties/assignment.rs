//! `assignment.toml`.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use softmark::assignment::{self, AssignmentError};
use softmark::model::Points;

/// What reads as an assignment holds together, and what does not says on which line.
pub fn assignment(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let path = Path::new("assignments/attention/assignment.toml");
    let provided = |name: &str| Ok(name.as_bytes().to_vec());
    let read = match assignment::read(path, "attention", text, provided) {
        Ok(read) => read,
        Err(AssignmentError::Form { line, message, .. }) => {
            assert!((1..=text.split('\n').count()).contains(&line), "line {line}: {message}");
            assert!(!message.contains('\n'), "{message:?}");
            return;
        }
        Err(AssignmentError::Invalid { line, problem, .. }) => {
            assert!((1..=text.split('\n').count()).contains(&line), "line {line}: {problem}");
            return;
        }
        Err(error @ (AssignmentError::Unknown { .. } | AssignmentError::Read { .. })) => {
            panic!("a text is read, and no folder: {error}")
        }
    };
    assert_eq!(read.id, "attention");
    assert_eq!(read.points, read.tasks.iter().map(|task| task.points).sum());
    assert!(read.points <= Points::MAX);
    let mut ids = BTreeSet::new();
    for task in &read.tasks {
        assert_eq!(task.points, task.checks.iter().map(|check| check.points).sum());
        assert!(assignment::is_id(&task.id) && ids.insert(task.id.as_str()), "{}", task.id);
        for check in &task.checks {
            let own = check.id.strip_prefix(&task.id).and_then(|rest| rest.strip_prefix('/'));
            assert!(own.is_some_and(assignment::is_id), "{}", check.id);
            assert!(ids.insert(check.id.as_str()), "{} stands there twice", check.id);
        }
    }
    assert!(!read.tasks.is_empty() && !read.collect.is_empty());
    assert!(read.provided.contains_key("lib.rs"));
    for file in read.collect.iter().chain(read.provided.keys()) {
        let plain = |part| matches!(part, Component::Normal(_));
        assert!(Path::new(file).components().all(plain), "{file} leads elsewhere");
    }
    assert!(read.collect.iter().all(|file| !read.provided.contains_key(file)));
    assert!(read.worker.cpu_seconds > 0 && !read.worker.wall.is_zero());
    // Of the same text the same is read.
    let again = assignment::read(path, "attention", text, provided);
    assert_eq!(again.ok(), Some(read));
}
