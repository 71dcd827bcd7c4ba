//! Arguments of `grade serve`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

/// Arguments of `grade serve`.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ServeCommand>,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// Address to listen on.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,

    /// Name by which browsers call the server, with its port unless it is the usual one; may be given several times
    /// [default: the address, and localhost].
    #[arg(long, value_name = "NAME[:PORT]")]
    pub(crate) host: Vec<String>,

    /// File with the start-up token, which is created if needed: sessions then outlive the server [default: a new token for each
    /// start].
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// File of users, who log in with passwords; `grade serve user` makes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) users: Option<PathBuf>,

    /// Header in which a proxy names the user, who is in the file of users.
    #[arg(long, value_name = "HEADER", requires_all = ["users", "proxy"])]
    pub(crate) user_header: Option<String>,

    /// Address of a proxy whose header is believed; may be given several times.
    #[arg(long, value_name = "ADDRESS", requires = "user_header")]
    pub(crate) proxy: Vec<IpAddr>,

    /// Browsers reach the server by https, through a proxy: cookies are for https alone.
    #[arg(long)]
    pub(crate) https: bool,

    /// Show markers no names of students.
    #[arg(long)]
    pub(crate) anonymous: bool,

    /// Name of the person who comes with the token [default: that of the user who starts the server].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// Command of `grade serve`.
#[derive(Debug, Subcommand)]
pub(crate) enum ServeCommand {
    /// Add users, remove them, or list them.
    #[command(subcommand)]
    User(UserCommand),
}

/// Command of `grade serve user`.
#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Add a user, or change role and password of one. The password is the first line of the standard input.
    Add {
        /// Name.
        #[arg(value_name = "NAME")]
        name: String,
        /// Role: a `reader` reads, a `marker` also marks, an `owner` also decides and grades.
        #[arg(long, value_name = "ROLE")]
        role: RoleName,
        /// Ask for no password: a proxy names the user.
        #[arg(long)]
        no_password: bool,
        /// File of users.
        #[arg(long, value_name = "FILE")]
        users: PathBuf,
    },
    /// Remove a user; open sessions end.
    Remove {
        /// Name.
        #[arg(value_name = "NAME")]
        name: String,
        /// File of users.
        #[arg(long, value_name = "FILE")]
        users: PathBuf,
    },
    /// List users and their roles.
    List {
        /// File of users.
        #[arg(long, value_name = "FILE")]
        users: PathBuf,
    },
}

/// Role of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoleName {
    Reader,
    Marker,
    Owner,
}
