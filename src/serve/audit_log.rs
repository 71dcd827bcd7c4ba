//! Log of changes: who asked for which change, when, and what came of it. One line of JSON each, in a file of its own.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use softmark_untrusted::Untrusted;

use super::fields::{FORM_TOKEN, Fields};
use crate::clock;

/// Name of the file in the folder of results.
pub(super) const FILE: &str = "changes.jsonl";

/// Most characters of a field that are kept: a page of text. Whoever wants all of a long comment finds it in the ledger.
const MOST: usize = 2_000;

/// Fields that are not kept.
const SECRET: [&str; 3] = [FORM_TOKEN, "password", "token"];

/// Entry of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Time, in RFC 3339.
    pub(super) at: Untrusted,
    /// Name of the user.
    pub(super) user: Untrusted,
    /// Path of the request.
    pub(super) action: Untrusted,
    /// Fields of the form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) fields: Vec<(Untrusted, Untrusted)>,
    /// State of the change: `asked` in the entry before it is made; in the entry after it, `done` or the reason of a refusal.
    pub(super) outcome: Untrusted,
}

/// Log of changes.
#[derive(Debug)]
pub(super) struct AuditLog {
    path: PathBuf,
    writing: Mutex<()>,
}

impl AuditLog {
    /// Creates the log in the results at `out`; writes nothing.
    pub(super) fn new(out: &Path) -> Self {
        Self { path: out.join(FILE), writing: Mutex::new(()) }
    }

    /// Adds an entry; when this returns, it is on the disk.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(super) fn add(
        &self,
        user: &str,
        action: &str,
        form: &Fields,
        outcome: &str,
    ) -> io::Result<()> {
        let entry = Entry {
            at: clock::now().into(),
            user: user.into(),
            action: action.into(),
            fields: kept(form),
            outcome: cut(outcome).into(),
        };
        let mut line = serde_json::to_string(&entry)?;
        line.push('\n');
        let _turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = File::options().create(true).read(true).append(true).open(&self.path)?;
        if !ends_with_line(&mut file)? {
            line.insert(0, '\n');
        }
        file.write_all(line.as_bytes())?;
        file.sync_data()
    }

    /// Returns the last entries, the newest first, and the number of lines that cannot be read.
    ///
    /// # Errors
    ///
    /// Fails if the file exists and cannot be read.
    pub(super) fn last(&self, most: usize) -> io::Result<(Vec<Entry>, usize)> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let lines = bytes.split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty());
        let lines: Vec<_> = lines.take(most).map(serde_json::from_slice).collect();
        let unread = lines.iter().filter(|line| line.is_err()).count();
        Ok((lines.into_iter().flatten().collect(), unread))
    }
}

/// Returns true if the file is empty or its last line is whole. A crash may have cut that line.
fn ends_with_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Returns the fields that are kept.
fn kept(form: &Fields) -> Vec<(Untrusted, Untrusted)> {
    let fields = form.pairs().iter().filter(|(name, _)| !SECRET.contains(&name.as_str()));
    fields.map(|(name, value)| (cut(name).into(), cut(value).into())).collect()
}

fn cut(text: &str) -> String {
    text.chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_lines_without_secrets_the_newest_first() {
        let out = tempfile::tempdir().unwrap();
        let log = AuditLog::new(out.path());
        assert_eq!(log.last(5).unwrap(), (Vec::new(), 0));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let form =
            Fields::new(vec![pair("points", "1"), pair("password", "p"), pair(FORM_TOKEN, "t")]);
        log.add("amal", "/override", &form, "asked").unwrap();
        log.add("amal\n{", "/override", &Fields::default(), "done").unwrap();
        let text = fs::read_to_string(out.path().join(FILE)).unwrap();
        assert_eq!(text.lines().count(), 2, "{text}");
        let (entries, unread) = log.last(5).unwrap();
        assert_eq!(unread, 0);
        assert_eq!(entries[0].outcome, "done");
        assert_eq!(entries[1].fields, [("points".into(), "1".into())]);
        assert_eq!(log.last(1).unwrap().0.len(), 1);
        fs::write(out.path().join(FILE), format!("{text}{{\"at\": \"cut o")).unwrap();
        assert_eq!(log.last(5).unwrap().1, 1);
    }

    #[test]
    fn a_line_that_a_crash_cut_or_spoiled_harms_no_other() {
        let out = tempfile::tempdir().unwrap();
        let (log, path) = (AuditLog::new(out.path()), out.path().join(FILE));
        log.add("amal", "/one", &Fields::default(), "asked").unwrap();
        let whole = fs::read(&path).unwrap();
        for spoiled in [&b"{\"at\": \"cut o"[..], b"{\"at\": \"\xff\xfe"] {
            fs::write(&path, [&whole, spoiled].concat()).unwrap();
            log.add("amal", "/two", &Fields::default(), "asked").unwrap();
            let (entries, unread) = log.last(5).unwrap();
            let actions: Vec<String> = entries.iter().map(|it| it.action.to_string()).collect();
            assert_eq!((actions, unread), (vec!["/two".to_owned(), "/one".to_owned()], 1));
        }
    }
}
