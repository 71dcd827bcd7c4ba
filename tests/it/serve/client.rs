//! A server that runs, and a client that is a socket.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::support::grade::Desk;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// Server that runs until it is dropped.
pub(super) struct Server {
    pub(super) desk: Desk,
    child: Child,
    /// Address: `127.0.0.1:PORT`.
    pub(super) address: String,
    /// Start-up token.
    pub(super) token: String,
    /// Cookie of the owner.
    pub(super) cookie: String,
}

/// Answer to a request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// Headers with their names in lower case; lines with the same name are joined.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: String,
}

/// Request that is built up.
pub(super) struct Request<'a> {
    server: &'a Server,
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Server {
    /// Starts a server with a token of its own on the results of a desk.
    pub(super) fn start(desk: Desk, options: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", desk, options)
    }

    fn start_at(address: &str, desk: Desk, options: &[&str]) -> Self {
        let args = ["serve", "--listen", address, "--token-file", "token", "--name", "okafor"];
        let mut command = desk.command();
        command.args(args).args(options).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{line}"));
        let (address, token) = rest.split_once("/login?token=").unwrap();
        let (address, token) = (address.to_owned(), token.to_owned());
        let mut server = Self { desk, child, address, token, cookie: String::new() };
        let logged_in = server.get(&format!("/login?token={}", server.token));
        server.cookie = logged_in.cookie();
        server
    }

    /// Returns a request without a cookie.
    pub(super) fn request(&self, method: &str, path: &str) -> Request<'_> {
        let line = format!("{method} {path} HTTP/1.1\r\n");
        Request { server: self, line, headers: Vec::new(), body: Vec::new() }
    }

    /// Asks for a page as the owner.
    pub(super) fn get(&self, path: &str) -> Answer {
        self.request("GET", path).cookie(&self.cookie).send()
    }

    /// Sends a form as the owner, with the token of the page at `from`.
    pub(super) fn post(&self, from: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.get(from).token();
        let fields = [fields, &[("form_token", token.as_str())]].concat();
        self.request("POST", path).cookie(&self.cookie).form(&fields).send()
    }

    /// Ends the server with a signal, and returns its exit code; `None` if the signal ended it.
    pub(super) fn end(mut self, signal: Signal) -> Option<i32> {
        kill(Pid::from_raw(i32::try_from(self.child.id()).unwrap()), signal).unwrap();
        self.child.wait().unwrap().code()
    }

    /// Kills the server, and starts another one on its results, at the same address, after something has happened meanwhile.
    pub(super) fn killed_and_started_again(mut self, meanwhile: impl FnOnce(&Desk)) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let desk = std::mem::replace(&mut self.desk, Desk::new());
        meanwhile(&desk);
        Self::start_at(&self.address.clone(), desk, &[])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Request<'_> {
    /// Adds a header.
    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a cookie.
    pub(super) fn cookie(self, cookie: &str) -> Self {
        if cookie.is_empty() { self } else { self.header("Cookie", cookie) }
    }

    /// Sets the body, and its type to that of forms.
    pub(super) fn form(self, fields: &[(&str, &str)]) -> Self {
        let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let pair = |(name, value): &(&str, &str)| format!("{}={}", encode(name), encode(value));
        let pairs: Vec<String> = fields.iter().map(pair).collect();
        let this = self.header("Content-Type", "application/x-www-form-urlencoded");
        this.body(pairs.join("&").as_bytes())
    }

    /// Sets the body.
    pub(super) fn body(mut self, body: &[u8]) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    /// Sends the request, and reads the answer.
    pub(super) fn send(self) -> Answer {
        let mut text = self.line;
        if !self.headers.iter().any(|(name, _)| name == "Host") {
            write!(text, "Host: {}\r\n", self.server.address).unwrap();
        }
        for (name, value) in &self.headers {
            write!(text, "{name}: {value}\r\n").unwrap();
        }
        if !self.body.is_empty() {
            write!(text, "Content-Length: {}\r\n", self.body.len()).unwrap();
        }
        text += "Connection: close\r\n\r\n";
        let mut stream = TcpStream::connect(&self.server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        // A server that refuses a long body need not read it.
        stream.write_all(&self.body).ok();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok();
        Answer::read(&answer)
    }
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text}"));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap();
        let mut headers: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            let value = value.to_owned();
            headers.entry(name.to_lowercase()).and_modify(|it| *it += &value).or_insert(value);
        }
        Self { status: status.parse().unwrap(), headers, body: body.to_owned() }
    }

    /// Returns a header; empty if there is none.
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(String::as_str).unwrap_or_default()
    }

    /// Returns the cookie that the answer sets, as a request has it.
    #[track_caller]
    pub(super) fn cookie(&self) -> String {
        let line = self.header("set-cookie");
        assert!(!line.is_empty(), "{self:?}");
        line.split(';').next().unwrap().to_owned()
    }

    /// Returns the token of the page's forms.
    #[track_caller]
    pub(super) fn token(&self) -> String {
        let start = "name=\"form_token\" value=\"";
        let (_, rest) = self.body.split_once(start).unwrap_or_else(|| panic!("{}", self.body));
        rest.split('"').next().unwrap().to_owned()
    }
}
