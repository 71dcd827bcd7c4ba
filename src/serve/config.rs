//! Settings of the server.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::suite::Catalog;

use super::access::{ProxyHeader, Role};
use super::roster::ReadRoster;

/// Settings of the server.
#[derive(Debug, Clone)]
pub struct Config {
    /// Folder of the results.
    pub out: PathBuf,
    /// Folder of the course.
    pub home: PathBuf,
    /// Exams of the course.
    pub catalog: Catalog,
    /// Reader of the students of the course.
    pub read_roster: ReadRoster,
    /// Path of this program, which grading starts.
    pub program: PathBuf,
    /// Environment of this program, which grading gets.
    pub env: BTreeMap<OsString, OsString>,
    /// Secret of the course, from which the codes of answers follow.
    pub secret: String,
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Values of the `Host` header that are accepted, such as `marks.example.org` or `lab7:8080`. The address of the server is
    /// always accepted.
    pub hosts: Vec<String>,
    /// Who may use the server.
    pub access: AccessConfig,
    /// True if markers must not see names of students.
    pub is_anonymous: bool,
    /// True if browsers reach the server by https, through a proxy.
    pub is_https: bool,
}

impl Config {
    /// Returns true if users with this role see names of students.
    pub(super) fn shows_names(&self, role: Role) -> bool {
        !self.is_anonymous || role != Role::Marker
    }
}

/// Settings of access.
#[derive(Debug, Clone)]
pub struct AccessConfig {
    /// Start-up token, with which one is the owner; `None` if users log in.
    pub token: Option<String>,
    /// Name of the person who comes with the token.
    pub owner: String,
    /// File of users.
    pub users: Option<PathBuf>,
    /// Header of a trusted proxy that names the user.
    pub proxy: Option<ProxyHeader>,
}
