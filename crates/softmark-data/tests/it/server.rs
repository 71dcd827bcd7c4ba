//! A local server that implements the routes of the Hub that the tests need.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use softmark_data::hub::{Hub, HubOptions, Network};

use crate::encoder;

pub(crate) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
pub(crate) const QUESTIONS: &str =
    "ABBR:exp A ?\nDESC:def D ?\nENTY:x E ?\nHUM:ind H ?\nLOC:city L ?\nNUM:date N ?\n";
const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nhub\n";

/// A local server, and a log of the requests that it received.
pub(crate) struct Server {
    pub(crate) endpoint: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server that runs until the test's process ends.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let serve = move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &log).ok();
            }
        };
        thread::Builder::new().name("hub".to_owned()).spawn(serve).unwrap();
        Self { endpoint, asked }
    }

    pub(crate) fn hub(&self, cache: &Path, network: Network) -> Hub {
        Hub::new(HubOptions {
            endpoint: Some(self.endpoint.clone()),
            token: Some("hf_test".to_owned()),
            cache: Some(cache.to_owned()),
            network,
        })
        .unwrap()
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Reads one request, replies, and closes the connection.
fn answer(mut stream: TcpStream, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let mut headers = BTreeMap::new();
    for line in lines {
        let line = line?;
        let Some((name, value)) = line.split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut words = request.split(' ');
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    log.lock().unwrap().push(format!("{method} {path}"));
    let (status, extra, body) = reply(path, headers.get("authorization").map(String::as_str));
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{extra}\r\n"
    )?;
    if method == "GET" { stream.write_all(&body) } else { Ok(()) }
}

/// Returns status line, headers and body for a path.
fn reply(path: &str, authorization: Option<&str>) -> (&'static str, String, Vec<u8>) {
    let file =
        |commit: &str, etag: &str| format!("ETag: \"{etag}\"\r\nX-Repo-Commit: {commit}\r\n");
    let at = |route: &str| path == route.replace("COMMIT", COMMIT);
    if authorization != Some("Bearer hf_test") {
        return ("401 Unauthorized", String::new(), Vec::new());
    }
    for (repository, cut) in [("encoder", usize::MAX), ("cut", 5000)] {
        let below = format!("/owner/{repository}/resolve/{COMMIT}/");
        if let Some(name) = path.strip_prefix(&below) {
            return match encoder::files().get(name) {
                Some(body) => {
                    let body = body.iter().take(cut).copied().collect();
                    ("200 OK", file(COMMIT, &name.replace('.', "-")), body)
                }
                None => absent(),
            };
        }
    }
    if at("/datasets/owner/questions/resolve/COMMIT/data/train.label") {
        ("200 OK", file(COMMIT, "a1"), QUESTIONS.into())
    } else if at("/owner/model/resolve/COMMIT/vocab.txt") {
        ("200 OK", file(COMMIT, "b2"), VOCABULARY.into())
    } else if at("/datasets/owner/gated/resolve/COMMIT/x") {
        ("403 Forbidden", "X-Error-Code: GatedRepo\r\n".to_owned(), Vec::new())
    } else if at("/datasets/owner/moved/resolve/COMMIT/x") {
        ("200 OK", file("1111111111111111111111111111111111111111", "c3"), QUESTIONS.into())
    } else if at("/datasets/owner/odd/resolve/COMMIT/x") {
        ("200 OK", String::new(), QUESTIONS.into())
    } else if at("/datasets/owner/broken/resolve/COMMIT/x") {
        ("500 Internal Server Error", String::new(), Vec::new())
    } else {
        absent()
    }
}

fn absent() -> (&'static str, String, Vec<u8>) {
    ("404 Not Found", "X-Error-Code: EntryNotFound\r\n".to_owned(), Vec::new())
}
