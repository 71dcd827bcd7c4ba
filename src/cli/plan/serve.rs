//! Plan of `grade serve`.

use std::path::PathBuf;

use crate::cli::args::{RoleName, ServeArgs, ServeCommand, UserCommand};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::site::Site;
use crate::serve::{AccessConfig, Config, ProxyHeader, Role};

/// Environment variables that may name the user of the machine.
const USER_NAMES: [&str; 2] = ["USER", "LOGNAME"];

/// Inputs of `grade serve`.
#[derive(Debug)]
pub(crate) enum ServePlan {
    /// Serves pages.
    Serve {
        /// Settings; the token is not there yet.
        config: Box<Config>,
        /// Source of the start-up token.
        token: TokenSource,
    },
    /// Changes or lists the users of a file.
    Users {
        /// Path of the file.
        path: PathBuf,
        /// Change.
        change: UsersChange,
    },
}

/// Source of the start-up token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TokenSource {
    /// There is no token: users log in.
    None,
    /// A new token for this start.
    New,
    /// The token in a file, which is created if needed.
    File(PathBuf),
}

/// Change of a file of users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UsersChange {
    /// Adds a user, or changes one.
    Add {
        /// Name.
        name: String,
        /// Role.
        role: Role,
        /// True if the user has a password, which is read.
        has_password: bool,
    },
    /// Removes the user with this name.
    Remove(String),
    /// Lists all users.
    List,
}

/// Returns the plan of the arguments.
///
/// # Errors
///
/// Fails if the current folder is in several courses, or the system does not report the path of this program.
pub(super) fn serve(args: ServeArgs, env: &Env) -> Result<ServePlan, Failure> {
    let ServeArgs { command, out, listen, host, token_file, users, .. } = args;
    if let Some(ServeCommand::User(command)) = command {
        return Ok(change(command));
    }
    let token = match (token_file, &users) {
        (Some(file), _) => TokenSource::File(file),
        (None, Some(_)) => TokenSource::None,
        (None, None) => TokenSource::New,
    };
    let user = USER_NAMES.into_iter().find_map(|name| env.var(name)?.to_str());
    let owner = args.name.as_deref().or(user).unwrap_or("owner").to_owned();
    let proxy = args.user_header.map(|name| ProxyHeader { name, from: args.proxy });
    let access = AccessConfig { token: None, owner, users, proxy };
    let site = Site::of(env)?;
    let config = Config {
        out: std::path::absolute(&out).unwrap_or(out),
        program: site.program()?,
        home: site.home,
        catalog: env.catalog,
        read_roster: |_| Ok(None),
        env: env.vars.clone(),
        secret: String::new(),
        listen,
        hosts: host,
        access,
        is_anonymous: args.anonymous,
        is_https: args.https,
    };
    Ok(ServePlan::Serve { config: Box::new(config), token })
}

fn change(command: UserCommand) -> ServePlan {
    let (path, change) = match command {
        UserCommand::Add { name, role, no_password, users } => {
            (users, UsersChange::Add { name, role: role_of(role), has_password: !no_password })
        }
        UserCommand::Remove { name, users } => (users, UsersChange::Remove(name)),
        UserCommand::List { users } => (users, UsersChange::List),
    };
    ServePlan::Users { path, change }
}

fn role_of(name: RoleName) -> Role {
    match name {
        RoleName::Reader => Role::Reader,
        RoleName::Marker => Role::Marker,
        RoleName::Owner => Role::Owner,
    }
}
