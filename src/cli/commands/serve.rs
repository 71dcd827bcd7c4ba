//! `grade serve`: serves pages for marking, reviewing and grading.

use std::fs::{self, File};
use std::io::{self, BufRead as _, ErrorKind, IsTerminal as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use crate::cli::course_marks::roster_of_course;
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::{ServePlan, TokenSource, UsersChange};
use crate::cli::printer::Printer;
use crate::cli::secret::secret;
use crate::course::roster::Roster;
use crate::course::{self, Course};
use crate::serve::{self, Config, ServeError, Users, UsersError};
use crate::store::LEDGER;

/// Serves pages until the program is interrupted, or changes the file of users.
///
/// # Errors
///
/// Fails if there are no results, the address cannot be listened on, or a file cannot be used.
pub(crate) fn serve(
    plan: &ServePlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    match plan {
        ServePlan::Serve { config, token } => run((**config).clone(), token, (env, printer))?,
        ServePlan::Users { path, change } => change_users(path, change, printer)?,
    }
    Ok(Exit::Success)
}

fn run(
    mut config: Config,
    token: &TokenSource,
    (env, printer): (&Env, &mut Printer<'_>),
) -> Result<(), Failure> {
    if !config.out.join(LEDGER).is_file() {
        return Err(Failure::usage(
            format!("there is no ledger in {}", config.out.display()),
            "grade submissions first; `--out` names another folder of results",
        ));
    }
    if let Some(path) = &config.access.users {
        check_users(path)?;
    }
    roster(&config.home)?;
    config.read_roster = |home| roster(home).map_err(|failure| failure.message);
    config.secret = secret(env, &config.home)?;
    config.access.token = match token {
        TokenSource::None => None,
        TokenSource::New => Some(new_token()?),
        TokenSource::File(path) => Some(token_in(path)?),
    };
    let is_near = config.listen.ip().is_loopback();
    let token = config.access.token.clone();
    let server = serve::listen(config).map_err(|error| not_served(&error))?;
    if !is_near {
        printer.warning(
            "the server speaks plain HTTP, and other machines can reach it: put a proxy with HTTPS before it",
        );
    }
    let address = server.address();
    let address = match token {
        Some(token) => format!("http://{address}/login?token={token}"),
        None => format!("http://{address}/"),
    };
    printer.data(|_, out| writeln!(out, "{address}"))?;
    printer.hint("open this address in a browser; Ctrl-C ends the server");
    server.run().map_err(|error| not_served(&error))
}

/// Returns the students of the course at `home`; `None` if it has no roster.
fn roster(home: &Path) -> Result<Option<Roster>, Failure> {
    if !home.join(course::FILE).is_file() {
        return Ok(None);
    }
    let hint = "mend the file; its groups are shown beside submissions";
    let course = Course::read(home);
    let course = course.map_err(|error| Failure::broken(error.to_string(), hint))?;
    roster_of_course(home, &course)
}

fn not_served(error: &ServeError) -> Failure {
    let hint = match error {
        ServeError::Listen { .. } => "choose another port: `--listen 127.0.0.1:PORT`",
        ServeError::Results(_) => "may you read and write the folder of results?",
        ServeError::System(_) => "",
    };
    Failure::broken(error.to_string(), hint)
}

/// Fails if there is no file of users, or nobody in it.
fn check_users(path: &Path) -> Result<(), Failure> {
    let users = Users::read(path).map_err(|error| unusable(&error))?;
    if users.is_some_and(|users| !users.users.is_empty()) {
        return Ok(());
    }
    Err(Failure::usage(
        format!("there is no user in {}", path.display()),
        "`grade serve user add NAME --role owner --users FILE` adds one",
    ))
}

fn unusable(error: &UsersError) -> Failure {
    Failure::usage(error.to_string(), "nothing was changed")
}

fn new_token() -> Result<String, Failure> {
    serve::new_token().ok_or_else(|| unusable(&UsersError::NoRandom))
}

/// Returns the token in a file, which is created if needed.
fn token_in(path: &Path) -> Result<String, Failure> {
    let failed = |error: &io::Error| {
        Failure::broken(
            format!("cannot use the file of the token {}: {error}", path.display()),
            "may you read and write it?",
        )
    };
    match fs::read_to_string(path) {
        Ok(_) if !serve::is_private(path).map_err(|error| failed(&error))? => Err(Failure::usage(
            format!("{} may be read by other users of this machine", path.display()),
            "remove the file, and a new token is made",
        )),
        Ok(text) if text.trim().len() >= 32 => Ok(text.trim().to_owned()),
        Ok(_) => Err(Failure::usage(
            format!("the token in {} has less than 32 characters", path.display()),
            "remove the file, and a new token is made",
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let token = new_token()?;
            let mut options = File::options();
            let file = options.create_new(true).write(true).mode(0o600).open(path);
            let written = file.and_then(|mut file| writeln!(file, "{token}"));
            written.map_err(|error| failed(&error))?;
            Ok(token)
        }
        Err(error) => Err(failed(&error)),
    }
}

fn change_users(
    path: &Path,
    change: &UsersChange,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let failed = |error: UsersError| unusable(&error);
    let is_new = match change {
        UsersChange::List => {
            let users = Users::read(path).map_err(failed)?.map(|it| it.users).unwrap_or_default();
            return printer.data(|_, out| {
                users.iter().try_for_each(|it| writeln!(out, "{}  {}", it.name, it.role.as_str()))
            });
        }
        UsersChange::Add { name, role, has_password } => {
            // The file is read after that: somebody else may change it while this person types.
            let password = has_password.then(|| password(printer)).transpose()?;
            let add = |users: &mut Users| users.set(name, *role, password.as_deref());
            let is_new = Users::change(path, add).map_err(failed)?;
            printer.plain(format_args!("{name}: {}\n", role.as_str()));
            is_new
        }
        UsersChange::Remove(name) => {
            let is_new = Users::change(path, |users| users.remove(name)).map_err(failed)?;
            printer.plain(format_args!("{name}: removed\n"));
            is_new
        }
    };
    if is_new {
        printer.hint("keep the file out of the folder of results, which others may get");
    }
    Ok(())
}

/// Reads a password from the first line of the standard input; a terminal does not show it.
fn password(printer: &mut Printer<'_>) -> Result<String, Failure> {
    let stdin = io::stdin();
    let shown = if stdin.is_terminal() {
        printer.plain("password: ");
        tcgetattr(&stdin).ok()
    } else {
        None
    };
    if let Some(shown) = &shown {
        let mut hidden = shown.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Now, &hidden).ok();
    }
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    if let Some(shown) = &shown {
        tcsetattr(&stdin, OptionalActions::Now, shown).ok();
        printer.plain("\n");
    }
    read.map_err(|error| {
        Failure::usage(format!("cannot read the password: {error}"), "nothing was changed")
    })?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_kept_from_others() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let first = token_in(&path).unwrap();
        assert_eq!(first, token_in(&path).unwrap());
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        fs::write(&path, "short\n").unwrap();
        assert_eq!(token_in(&path).unwrap_err().exit, Exit::Usage);
        fs::write(&path, format!("{first}\n")).unwrap();
        assert_eq!(token_in(&path).unwrap(), first);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(token_in(&path).unwrap_err().message.contains("may be read by other users"));
        assert_eq!(token_in(folder.path()).unwrap_err().exit, Exit::NoGrade);
    }
}
