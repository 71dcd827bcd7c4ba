//! What the hidden processes are told, as arguments of a command.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

use crate::sandbox::job::{Job, Limits, Reach};
use crate::sandbox::level::Level;

/// What ends the brief and begins the program's own arguments.
const SEPARATOR: &str = "--";

/// A job, and how it is to be isolated.
#[derive(Debug, Clone)]
pub(crate) struct Brief {
    /// How far.
    pub(crate) level: Level,
    /// What.
    pub(crate) job: Job,
}

/// How a reach is called.
fn reach_name(reach: &Reach) -> &'static str {
    match reach {
        Reach::Everything => "everything",
        Reach::Files { .. } => "files",
        Reach::Nothing => "nothing",
    }
}

impl Brief {
    /// As arguments.
    pub(crate) fn encode(&self) -> Vec<OsString> {
        let Job { program, args, env, dir, limits, reach } = &self.job;
        let mut words = Vec::new();
        let mut add = |name: &str, value: &OsStr| {
            let mut word = OsString::from(name);
            word.push("=");
            word.push(value);
            words.push(word);
        };
        add("level", self.level.as_str().as_ref());
        add("reach", reach_name(reach).as_ref());
        for (name, number) in numbers(limits) {
            add(name, number.to_string().as_ref());
        }
        add("dir", dir.as_os_str());
        if let Reach::Files { read, write } = reach {
            for path in read {
                add("read", path.as_os_str());
            }
            for path in write {
                add("write", path.as_os_str());
            }
        }
        for (name, value) in env {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            add("env", &pair);
        }
        words.push(SEPARATOR.into());
        words.push(program.clone().into());
        words.extend(args.iter().cloned());
        words
    }

    /// Reads what [`Brief::encode`] wrote; `None` if it is anything else.
    pub(crate) fn decode(words: &[OsString]) -> Option<Self> {
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
            env: std::collections::BTreeMap::new(),
            dir: PathBuf::new(),
            limits: Limits::generous(),
            reach: Reach::Nothing,
        };
        for word in words {
            let (name, value) = split(word.as_bytes())?;
            let text = || std::str::from_utf8(value).ok();
            let path = || PathBuf::from(OsString::from_vec(value.to_vec()));
            match name {
                b"level" => level = Level::named(text()?),
                b"reach" => {
                    job.reach = match value {
                        b"everything" => Reach::Everything,
                        b"files" => Reach::Files { read: Vec::new(), write: Vec::new() },
                        b"nothing" => Reach::Nothing,
                        _ => return None,
                    }
                }
                b"dir" => job.dir = path(),
                b"read" => read.push(path()),
                b"write" => write.push(path()),
                b"env" => {
                    let (name, value) = split(value)?;
                    let owned = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
                    job.env.insert(owned(name), owned(value));
                }
                _ => limit(&mut job.limits, name, text()?.parse().ok()?)?,
            }
        }
        if matches!(job.reach, Reach::Files { .. }) {
            job.reach = Reach::Files { read, write };
        }
        Some(Self { level: level?, job })
    }
}

fn split(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = word.iter().position(|byte| *byte == b'=')?;
    let (name, value) = word.split_at(at);
    Some((name, value.get(1..)?))
}

/// The limits that hidden processes have to know.
fn numbers(limits: &Limits) -> [(&'static str, u64); 6] {
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

fn limit(limits: &mut Limits, name: &[u8], number: u64) -> Option<()> {
    match name {
        b"wall" => limits.wall = Duration::from_millis(number),
        b"cpu" => limits.cpu_seconds = number,
        b"memory" => limits.memory_mebibytes = number,
        b"file" => limits.file_mebibytes = number,
        b"files" => limits.open_files = number,
        b"threads" => limits.threads = number,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(reach: Reach) -> Brief {
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
            reach,
        };
        Brief { level: Level::Landlock, job }
    }

    #[test]
    fn what_is_told_is_understood() {
        let files = Reach::Files { read: vec!["/x".into(), "/y=z".into()], write: vec![] };
        for reach in [Reach::Everything, Reach::Nothing, files] {
            let told = brief(reach);
            let heard = Brief::decode(&told.encode()).unwrap();
            assert_eq!(format!("{heard:?}"), format!("{told:?}"));
        }
    }

    #[test]
    fn a_part_of_a_brief_is_none() {
        let words = brief(Reach::Nothing).encode();
        let separator = words.iter().position(|word| word == SEPARATOR).unwrap();
        for length in 0..=separator {
            assert!(Brief::decode(&words[..=length]).is_none(), "{length}");
        }
        let unknown: Vec<OsString> = [&["colour=red".into()], words.as_slice()].concat();
        assert!(Brief::decode(&unknown).is_none());
    }
}
