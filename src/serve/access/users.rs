//! The file of users: names, roles and hashes of passwords.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::key::new_token;
use super::private_file::is_private;
use super::role::Role;

/// Fewest characters of a password: at three tries a second, even ten lower-case letters are not found by trying.
const MIN_PASSWORD: usize = 10;

/// Hash of a password that nobody has: an unknown name takes as long as a wrong password.
const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29mdG1hcmtzb2Z0bWFyaw$\
                      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// User in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserEntry {
    /// Name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Hash of the password, as Argon2 writes it; empty for a user whom a proxy names.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub password: String,
}

/// File of users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Users {
    /// Secret with which cookies are signed.
    pub key: String,
    /// Users by name.
    #[serde(default, rename = "user")]
    pub users: Vec<UserEntry>,
}

/// Error of the file of users.
#[derive(Debug, Error)]
pub enum UsersError {
    /// The file cannot be read or written.
    #[error("cannot use the file of users {}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
    /// The file is not valid.
    #[error("{} is no file of users: {reason}", path.display())]
    Invalid {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
    /// The file may be read by others.
    #[error("{} may be read by other users of this machine; `chmod 600` it", path.display())]
    Public {
        /// Path of the file.
        path: PathBuf,
    },
    /// The password is too short.
    #[error("a password has at least {MIN_PASSWORD} characters")]
    ShortPassword,
    /// The name cannot be used.
    #[error(
        "`{0}` cannot be the name of a user: it is empty, longer than 64 characters, or has characters that are not visible"
    )]
    InvalidName(String),
    /// There is no such user.
    #[error("there is no user `{0}`")]
    Unknown(String),
    /// The system has no random numbers.
    #[error("the system has no random numbers")]
    NoRandom,
}

impl Users {
    /// Returns a file without users.
    ///
    /// # Errors
    ///
    /// Fails if the system has no random numbers.
    pub fn new() -> Result<Self, UsersError> {
        Ok(Self { key: new_token().ok_or(UsersError::NoRandom)?, users: Vec::new() })
    }

    /// Reads the file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not valid, or may be read by other users of the machine.
    pub fn read(path: &Path) -> Result<Option<Self>, UsersError> {
        let failed = |source| UsersError::Io { path: path.to_owned(), source };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if !is_private(path).map_err(failed)? {
            return Err(UsersError::Public { path: path.to_owned() });
        }
        let invalid = |reason: String| UsersError::Invalid { path: path.to_owned(), reason };
        let users: Self =
            toml::from_str(&text).map_err(|error| invalid(error.message().to_owned()))?;
        let is_double =
            |it: &UserEntry| users.users.iter().filter(|user| user.name == it.name).count() > 1;
        if let Some(user) = users.users.iter().find(|it| is_double(it)) {
            return Err(invalid(format!("the user `{}` is there twice", user.name.escape_debug())));
        }
        if users.key.len() < 32 {
            return Err(invalid("its `key` has less than 32 characters".to_owned()));
        }
        Ok(Some(users))
    }

    /// Changes the file, which is made if there is none; returns true if it is new. Of two programs that change it at the same
    /// time, the second waits and changes what the first has written.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, or as `change` does; then it stays as it was.
    pub fn change(
        path: &Path,
        change: impl FnOnce(&mut Self) -> Result<(), UsersError>,
    ) -> Result<bool, UsersError> {
        let _held =
            hold(path).map_err(|source| UsersError::Io { path: path.to_owned(), source })?;
        let read = Self::read(path)?;
        let is_new = read.is_none();
        let mut users = read.map_or_else(Self::new, Ok)?;
        change(&mut users)?;
        users.write(path)?;
        Ok(is_new)
    }

    /// Writes the file, which only this user of the machine may read.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub(super) fn write(&self, path: &Path) -> Result<(), UsersError> {
        let failed = |source| UsersError::Io { path: path.to_owned(), source };
        let text = toml::to_string(self).map_err(|error| UsersError::Invalid {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        // The temporary file has a name of its own, and only this user may read it.
        let file = tempfile::NamedTempFile::new_in(folder_of(path)).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            Ok(file)
        });
        let kept = file.and_then(|file| file.persist(path).map_err(|error| error.error));
        kept.map(drop).map_err(failed)
    }

    /// Adds a user, or gives an existing one this role and password. A user without a password is one whom a proxy names.
    ///
    /// # Errors
    ///
    /// Fails if the name cannot be used, or the password is too short.
    pub fn set(
        &mut self,
        name: &str,
        role: Role,
        password: Option<&str>,
    ) -> Result<(), UsersError> {
        let is_hidden = name.chars().any(softmark_untrusted::is_unprintable);
        if name.trim() != name || name.is_empty() || name.chars().count() > 64 || is_hidden {
            return Err(UsersError::InvalidName(name.escape_debug().to_string()));
        }
        let password = password.map(hash).transpose()?.unwrap_or_default();
        self.users.retain(|user| user.name != name);
        self.users.push(UserEntry { name: name.to_owned(), role, password });
        self.users.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(())
    }

    /// Removes a user.
    ///
    /// # Errors
    ///
    /// Fails if there is none of that name.
    pub fn remove(&mut self, name: &str) -> Result<(), UsersError> {
        let before = self.users.len();
        self.users.retain(|user| user.name != name);
        if self.users.len() == before {
            return Err(UsersError::Unknown(name.escape_debug().to_string()));
        }
        Ok(())
    }

    /// Returns the user with this name.
    pub fn find(&self, name: &str) -> Option<&UserEntry> {
        self.users.iter().find(|user| user.name == name)
    }

    /// Returns the user with this name and password; `None` if there is none. Takes the same time if there is no such name.
    pub fn log_in(&self, name: &str, password: &str) -> Option<&UserEntry> {
        let user = self.find(name).filter(|user| !user.password.is_empty());
        let stored = user.map_or(DUMMY_HASH, |user| user.password.as_str());
        let hash = PasswordHash::new(stored).ok()?;
        let is_right = Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
        user.filter(|_| is_right)
    }
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits until no other program changes the file, and locks it until the returned file is dropped. The lock is a file of its own,
/// because the file of users is replaced.
fn hold(path: &Path) -> io::Result<File> {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let lock = File::options().create(true).truncate(false).write(true).open(lock)?;
    match lock.lock() {
        // Not every file system has locks; two programs at once are then on their own.
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        Ok(()) | Err(_) => Ok(lock),
    }
}

/// Returns the Argon2id hash of a password, with a random salt.
fn hash(password: &str) -> Result<String, UsersError> {
    if password.chars().count() < MIN_PASSWORD {
        return Err(UsersError::ShortPassword);
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|_| UsersError::NoRandom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_kept_and_log_in_with_their_password_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.toml");
        assert!(Users::read(&path).unwrap().is_none());
        let mut users = Users::new().unwrap();
        users.set("amal", Role::Marker, Some("correct horse battery")).unwrap();
        users.set("proxied", Role::Reader, None).unwrap();
        users.write(&path).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("$argon2id$") && !text.contains("horse"), "{text}");
        let read = Users::read(&path).unwrap().unwrap();
        assert_eq!(read, users);
        assert_eq!(read.log_in("amal", "correct horse battery").unwrap().role, Role::Marker);
        for (name, password) in [
            ("amal", "correct horse batterY"),
            ("amal", ""),
            ("ben", "correct horse battery"),
            ("proxied", ""),
        ] {
            assert!(read.log_in(name, password).is_none(), "{name}");
        }
        users.remove("amal").unwrap();
        assert!(users.log_in("amal", "correct horse battery").is_none());
        assert!(matches!(users.remove("amal"), Err(UsersError::Unknown(_))));
    }

    #[test]
    fn of_many_changes_at_once_none_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.toml");
        std::thread::scope(|scope| {
            for number in 0..8 {
                let path = &path;
                let add = move |users: &mut Users| {
                    users.set(&format!("user {number}"), Role::Reader, None)
                };
                scope.spawn(move || Users::change(path, add).unwrap());
            }
        });
        assert_eq!(Users::read(&path).unwrap().unwrap().users.len(), 8);
        let refused = Users::change(&path, |users| users.remove("nobody"));
        assert!(matches!(refused, Err(UsersError::Unknown(_))));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the file and its lock");
    }

    #[test]
    fn short_passwords_and_odd_names_are_refused() {
        let mut users = Users::new().unwrap();
        assert!(matches!(
            users.set("amal", Role::Owner, Some("short")),
            Err(UsersError::ShortPassword)
        ));
        for name in ["", " amal", "a\nb", "a\u{202e}b", &"x".repeat(65)] {
            let set = users.set(name, Role::Owner, Some("correct horse battery"));
            assert!(matches!(set, Err(UsersError::InvalidName(_))), "{name:?}");
        }
        assert!(users.users.is_empty());
    }

    #[test]
    fn a_file_that_others_may_read_or_that_is_no_file_of_users_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users.toml");
        Users::new().unwrap().write(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(Users::read(&path), Err(UsersError::Public { .. })));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        for text in ["key = 1", "key = 'short'", "kye = ''", "[[user]]"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(Users::read(&path), Err(UsersError::Invalid { .. })), "{text}");
        }
    }

    /// The hash of nobody is read, so that an unknown name costs what a wrong password does.
    #[test]
    fn the_hash_of_nobody_is_one_and_nobody_has_it() {
        assert!(PasswordHash::new(DUMMY_HASH).is_ok());
        assert!(Users::new().unwrap().log_in("nobody", "").is_none());
    }
}
