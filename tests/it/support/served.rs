//! A class with written answers, the server on it, and browsers that are sockets.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use softmark::clock::Clock;
use softmark::model::{Points, Record, WrittenRecord};
use softmark::store::{Folder, LEDGER, RecordKeys, Store};

use crate::support::grade::Desk;
use crate::support::records::{grader, record};

/// Password of every user.
const PASSWORD: &str = "correct horse battery staple";

/// Server that runs.
pub(crate) struct Served {
    desk: Desk,
    child: Child,
    /// Address: `127.0.0.1:PORT`.
    pub(crate) address: String,
    more: Vec<String>,
}

/// Answer of the server.
#[derive(Debug)]
pub(crate) struct Page {
    /// Status.
    pub(crate) status: u16,
    /// Headers, with names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// Body.
    pub(crate) body: String,
}

/// Browser of a user, which shows nothing.
pub(crate) struct Visitor {
    address: String,
    cookie: String,
}

/// Returns a record with a written answer.
pub(crate) fn with_answer(name: &str, text: &str) -> Record {
    let answer = WrittenRecord {
        id: "explanation".into(),
        title: "Why the buggy layer does not learn".into(),
        points: None,
        max_points: Points::from_hundredths(400),
        comment: "".into(),
        rubric: Vec::new(),
        text: text.into(),
    };
    Record {
        submission: name.into(),
        assignment: "debugging".into(),
        written: vec![answer],
        ..record("full-marks")
    }
}

/// Adds a run with these records to the results.
pub(crate) fn add_run(desk: &Desk, records: &[Record]) {
    let out = desk.path("results");
    std::fs::create_dir_all(&out).unwrap();
    let mut store = Store::open(&out.join(LEDGER)).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    for record in records {
        let key = format!("key of {} {:?}", record.submission, record.written);
        store.save(run, &RecordKeys::whole(&key), record).unwrap();
        Folder::of(&out).write(&grader(), record).unwrap();
    }
}

impl Served {
    /// Starts a server on results with these records, for these users, who are markers.
    pub(crate) fn start(records: &[Record], users: &[&str], more: &[&str]) -> Self {
        Self::start_in(Desk::new(), records, users, more)
    }

    /// Starts a server as [`start`](Self::start) does, on results in this folder.
    pub(crate) fn start_in(desk: Desk, records: &[Record], users: &[&str], more: &[&str]) -> Self {
        add_run(&desk, records);
        for user in users {
            let line = ["serve", "user", "add", user, "--role", "marker", "--users", "users.toml"];
            let mut command = desk.command();
            let command = command.args(line).stdin(Stdio::piped()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            writeln!(child.stdin.take().unwrap(), "{PASSWORD}").unwrap();
            assert!(child.wait().unwrap().success());
        }
        let more: Vec<String> = more.iter().map(|it| (*it).to_owned()).collect();
        let (child, address) = launched(&desk, "127.0.0.1:0", &more);
        Self { desk, child, address, more }
    }

    /// Kills the server.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the server again, at the same address.
    pub(crate) fn start_again(&mut self) {
        let (child, address) = launched(&self.desk, &self.address, &self.more);
        assert_eq!(address, self.address);
        self.child = child;
    }

    /// Returns the folder of the server.
    pub(crate) fn folder(&self) -> &Desk {
        &self.desk
    }

    /// Opens the ledger.
    pub(crate) fn store(&self) -> Store {
        Store::open(&self.desk.path("results").join(LEDGER)).unwrap()
    }

    /// Logs a user in.
    pub(crate) fn log_in(&self, user: &str) -> Visitor {
        let mut visitor = Visitor { address: self.address.clone(), cookie: String::new() };
        let page = visitor.post("/login", &[("name", user), ("password", PASSWORD)]).unwrap();
        let line = page.headers.get("set-cookie").unwrap_or_else(|| panic!("{}", page.body));
        line.split(';').next().unwrap().clone_into(&mut visitor.cookie);
        visitor
    }

    /// Returns the password of every user.
    pub(crate) fn password() -> &'static str {
        PASSWORD
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Starts the server, and returns its address once it listens.
fn launched(desk: &Desk, address: &str, more: &[String]) -> (Child, String) {
    let mut command = desk.command();
    command.args(["serve", "--listen", address, "--users", "users.toml"]).args(more);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    (child, address)
}

impl Visitor {
    /// Asks for a page; `None` if the server does not answer.
    pub(crate) fn try_get(&self, path: &str) -> Option<Page> {
        self.ask("GET", path, None)
    }

    /// Asks for a page.
    pub(crate) fn get(&self, path: &str) -> Page {
        self.try_get(path).unwrap_or_else(|| panic!("{path}: no answer"))
    }

    /// Sends a form; `None` if the server does not answer.
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Option<Page> {
        let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let pair = |(name, value): &(&str, &str)| format!("{}={}", encode(name), encode(value));
        let form: Vec<String> = fields.iter().map(pair).collect();
        self.ask("POST", path, Some(&form.join("&")))
    }

    /// Sends a form until the server answers.
    pub(crate) fn post_until_answered(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let clock = Clock::start();
        loop {
            if let Some(page) = self.post(path, fields) {
                return page;
            }
            assert!(clock.elapsed() < Duration::from_mins(1), "{path}: no answer");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn ask(&self, method: &str, path: &str, form: Option<&str>) -> Option<Page> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n",
            self.address, self.cookie
        );
        if let Some(form) = form {
            let media_type = "application/x-www-form-urlencoded";
            write!(head, "Content-Type: {media_type}\r\nContent-Length: {}\r\n", form.len())
                .unwrap();
        }
        let request = format!("{head}\r\n{}", form.unwrap_or_default());
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        Page::read(&String::from_utf8_lossy(&answer))
    }
}

impl Page {
    /// Reads an answer; `None` if its end is missing.
    fn read(text: &str) -> Option<Self> {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers: BTreeMap<String, String> =
            headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        let length = headers.get("content-length").and_then(|length| length.parse().ok());
        if length.is_some_and(|length: usize| body.len() < length) {
            return None;
        }
        Some(Self { status, headers, body: body.to_owned() })
    }

    /// Returns the page where this answer leads.
    pub(crate) fn location(&self) -> String {
        let path = self.headers.get("location").unwrap_or_else(|| panic!("{self:?}"));
        percent_decode_str(path).decode_utf8().unwrap().into_owned()
    }

    /// Returns the value of the first hidden field with this name.
    pub(crate) fn hidden(&self, name: &str) -> String {
        let start = format!("name=\"{name}\" value=\"");
        let (_, rest) = self.body.split_once(&start).unwrap_or_else(|| panic!("{}", self.body));
        rest.split('"').next().unwrap().to_owned()
    }

    /// Returns the paths of all links that begin so.
    pub(crate) fn links(&self, start: &str) -> Vec<String> {
        let all = self.body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        all.filter(|path| path.starts_with(start)).map(str::to_owned).collect()
    }
}
