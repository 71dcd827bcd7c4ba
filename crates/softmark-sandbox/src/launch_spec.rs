//! A job and its isolation level, encoded as command-line arguments of the helper processes.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

use crate::job::{Access, Job, Limits};
use crate::level::Level;

/// Separates the options of the specification from the program and its arguments.
const SEPARATOR: &str = "--";

/// A job and the level to isolate it at.
#[derive(Debug, Clone)]
pub(crate) struct LaunchSpec {
    /// Isolation level.
    pub(crate) level: Level,
    /// Program to run.
    pub(crate) job: Job,
}

impl LaunchSpec {
    /// Encodes the specification as command-line arguments.
    pub(crate) fn to_args(&self) -> Vec<OsString> {
        let Job { program, args, env, dir, limits, access } = &self.job;
        let mut words = vec![
            option("level", self.level.as_str()),
            option("access", access_name(access)),
            option("dir", dir),
        ];
        words.extend(numeric_limits(limits).map(|(name, value)| option(name, value.to_string())));
        if let Access::Files { read, write } = access {
            words.extend(read.iter().map(|path| option("read", path)));
            words.extend(write.iter().map(|path| option("write", path)));
        }
        words.extend(env.iter().map(|(name, value)| option("env", option(name, value))));
        words.push(SEPARATOR.into());
        words.push(program.clone().into());
        words.extend(args.iter().cloned());
        words
    }

    /// Decodes the arguments that a helper process was started with.
    ///
    /// # Errors
    ///
    /// Fails if they are not the result of [`LaunchSpec::to_args`].
    pub(crate) fn from_args(words: &[OsString]) -> io::Result<Self> {
        let message = "this is a helper process of the sandbox, started with wrong arguments";
        Self::decode(words).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, message))
    }

    fn decode(words: &[OsString]) -> Option<Self> {
        let end = words.iter().position(|word| word == SEPARATOR)?;
        let (words, rest) = words.split_at(end);
        let [_, program, args @ ..] = rest else {
            return None;
        };
        let mut level = None;
        let (mut read, mut write) = (Vec::new(), Vec::new());
        let mut job = Job {
            program: PathBuf::from(program),
            args: args.to_vec(),
            env: BTreeMap::new(),
            dir: PathBuf::new(),
            limits: Limits::generous(),
            access: Access::ComputeOnly,
        };
        for word in words {
            let (name, value) = split_at_equals(word.as_bytes())?;
            match name {
                b"level" => level = Level::from_name(text(value)?),
                b"access" => job.access = access_from_name(value)?,
                b"dir" => job.dir = owned(value).into(),
                b"read" => read.push(owned(value).into()),
                b"write" => write.push(owned(value).into()),
                b"env" => {
                    let (name, value) = split_at_equals(value)?;
                    job.env.insert(owned(name), owned(value));
                }
                _ => set_limit(&mut job.limits, name, text(value)?.parse().ok()?)?,
            }
        }
        if matches!(job.access, Access::Files { .. }) {
            job.access = Access::Files { read, write };
        }
        Some(Self { level: level?, job })
    }
}

/// Returns `name=value`.
fn option(name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> OsString {
    let mut word = name.as_ref().to_owned();
    word.push("=");
    word.push(value);
    word
}

fn split_at_equals(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = word.iter().position(|byte| *byte == b'=')?;
    let (name, value) = word.split_at(at);
    Some((name, value.get(1..)?))
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

fn owned(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

fn access_name(access: &Access) -> &'static str {
    match access {
        Access::Unrestricted => "unrestricted",
        Access::Files { .. } => "files",
        Access::ComputeOnly => "compute-only",
    }
}

/// Returns the access with the given name; the lists of [`Access::Files`] are empty.
fn access_from_name(name: &[u8]) -> Option<Access> {
    match name {
        b"unrestricted" => Some(Access::Unrestricted),
        b"files" => Some(Access::Files { read: Vec::new(), write: Vec::new() }),
        b"compute-only" => Some(Access::ComputeOnly),
        _ => None,
    }
}

/// Returns the names and values of the limits that helper processes enforce.
fn numeric_limits(limits: &Limits) -> [(&'static str, u64); 6] {
    let wall = u64::try_from(limits.wall.as_millis()).unwrap_or(u64::MAX);
    [
        ("wall", wall),
        ("cpu", limits.cpu_seconds),
        ("memory", limits.memory_mebibytes),
        ("file", limits.file_mebibytes),
        ("files", limits.open_files),
        ("threads", limits.threads),
    ]
}

/// Sets the limit with the given name; `None` if there is no such limit.
fn set_limit(limits: &mut Limits, name: &[u8], value: u64) -> Option<()> {
    match name {
        b"wall" => limits.wall = Duration::from_millis(value),
        b"cpu" => limits.cpu_seconds = value,
        b"memory" => limits.memory_mebibytes = value,
        b"file" => limits.file_mebibytes = value,
        b"files" => limits.open_files = value,
        b"threads" => limits.threads = value,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(access: Access) -> LaunchSpec {
        let job = Job {
            program: PathBuf::from("/a=b/-- c"),
            args: vec!["--".into(), "level=none".into(), OsString::from_vec(vec![0xff, b'='])],
            env: [("A", "b=c"), ("EMPTY", "")].map(|(k, v)| (k.into(), v.into())).into(),
            dir: PathBuf::from("/some where"),
            limits: Limits {
                cpu_seconds: 1,
                wall: Duration::from_millis(2345),
                memory_mebibytes: 3,
                file_mebibytes: 4,
                open_files: 5,
                threads: 6,
                ..Limits::generous()
            },
            access,
        };
        LaunchSpec { level: Level::Landlock, job }
    }

    #[test]
    fn decoding_inverts_encoding() {
        let files = Access::Files { read: vec!["/x".into(), "/y=z".into()], write: vec![] };
        for access in [Access::Unrestricted, Access::ComputeOnly, files] {
            let encoded = spec(access);
            let decoded = LaunchSpec::from_args(&encoded.to_args()).unwrap();
            assert_eq!(format!("{decoded:?}"), format!("{encoded:?}"));
        }
    }

    #[test]
    fn rejects_incomplete_and_unknown_arguments() {
        let words = spec(Access::ComputeOnly).to_args();
        let separator = words.iter().position(|word| word == SEPARATOR).unwrap();
        for length in 0..=separator {
            assert!(LaunchSpec::from_args(&words[..=length]).is_err(), "{length}");
        }
        let unknown: Vec<OsString> = [&["colour=red".into()], words.as_slice()].concat();
        assert!(LaunchSpec::from_args(&unknown).is_err());
    }
}
