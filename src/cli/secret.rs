//! The course's secret: what students are trained and asked with comes from it, and they do not know
//! it.
//!
//! The generators of the built-in data are open to read, and run in the student's process as well:
//! with a seed that can be guessed, the unseen examples and their answers could be computed there.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::digest;

/// Environment variable that sets the secret, to any text.
const VARIABLE: &str = "SOFTMARK_SECRET";

/// Name of the file in the project's folder that stores a generated secret.
const FILE: &str = "softmark.secret";

/// Number of random bytes in a generated secret, too many for an exhaustive search.
const BYTES: usize = 32;

/// Returns the secret in the environment, or that of the project at `home`, which is generated if there is
/// none yet.
///
/// # Errors
///
/// Fails if the file cannot be read or created, or is empty.
pub(crate) fn secret(env: &Env, home: &Path) -> Result<String, Failure> {
    if let Some(text) = env.var(VARIABLE) {
        return Ok(text.to_string_lossy().into_owned());
    }
    let path = home.join(FILE);
    let failed = |action, error: &dyn fmt::Display| unusable(&path, action, error);
    match kept(&path).map_err(|error| failed("read", &error))? {
        Some(text) if text.is_empty() => Err(failed("use", &"the file is empty")),
        Some(text) => Ok(text),
        None => made(&path).map_err(|error| failed("keep", &error)),
    }
}

fn unusable(path: &Path, action: &str, error: &dyn fmt::Display) -> Failure {
    Failure::broken(
        format!("cannot {action} the course's secret in {}: {error}", path.display()),
        format!("set {VARIABLE} to a text that no student knows, the same for every run"),
    )
}

fn kept(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Generates a secret and saves it in a file that only this user can read.
fn made(path: &Path) -> io::Result<String> {
    let mut bytes = [0; BYTES];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let text = digest::of(&[bytes]);
    // Under another name until it is whole: of two graders that start at the same time, both get the
    // secret of the one that is first.
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut draft = tempfile::Builder::new().prefix(FILE).tempfile_in(folder)?;
    writeln!(draft, "{text}")?;
    draft.as_file().sync_all()?;
    match draft.persist_noclobber(path) {
        Ok(_) => Ok(text),
        Err(lost) if lost.error.kind() == ErrorKind::AlreadyExists => {
            kept(path)?.ok_or_else(|| ErrorKind::NotFound.into())
        }
        Err(lost) => Err(lost.error),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::cli::exit::Exit;

    #[test]
    fn the_environment_comes_first() {
        let home = tempfile::tempdir().unwrap();
        let env = Env::of(&[(VARIABLE, "autumn")]);
        assert_eq!(secret(&env, home.path()).unwrap(), "autumn");
        assert!(!home.path().join(FILE).exists());
    }

    #[test]
    fn a_secret_is_made_once_and_kept() {
        let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let env = Env::of(&[(VARIABLE, "")]);
        let first = secret(&env, home.path()).unwrap();
        assert_eq!(first.len(), 64);
        assert_eq!(secret(&env, home.path()).unwrap(), first);
        assert_ne!(secret(&env, other.path()).unwrap(), first);
        let file = home.path().join(FILE);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn without_a_secret_nothing_is_graded() {
        let env = Env::of(&[]);
        let failure = secret(&env, Path::new("/nowhere")).unwrap_err();
        assert_eq!(failure.exit, Exit::NoGrade);
        assert!(failure.hint.unwrap().contains(VARIABLE));
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(FILE), "\n").unwrap();
        assert!(secret(&env, home.path()).unwrap_err().message.contains("is empty"));
    }
}
