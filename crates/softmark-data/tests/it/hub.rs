//! The Hub, played by a server of this test that speaks the routes that are needed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use softmark_data::hub::{Hub, HubError, HubFile, HubOptions, Kind, Network};
use softmark_data::{tokenize, trec};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const QUESTIONS: &str =
    "ABBR:exp A ?\nDESC:def D ?\nENTY:x E ?\nHUM:ind H ?\nLOC:city L ?\nNUM:date N ?\n";
const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nhub\n";

/// A server on this machine, and the requests that it was asked.
struct Server {
    endpoint: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers until the test's process ends.
    fn start() -> Self {
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

    fn hub(&self, cache: &Path, network: Network) -> Hub {
        Hub::new(HubOptions {
            endpoint: Some(self.endpoint.clone()),
            token: Some("hf_test".to_owned()),
            cache: Some(cache.to_owned()),
            network,
        })
        .unwrap()
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Reads one request and answers it; the connection is closed then.
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
    if method == "GET" { stream.write_all(body.as_bytes()) } else { Ok(()) }
}

/// Status line, headers and body for a path.
fn reply(path: &str, authorization: Option<&str>) -> (&'static str, String, &'static str) {
    let file =
        |commit: &str, etag: &str| format!("ETag: \"{etag}\"\r\nX-Repo-Commit: {commit}\r\n");
    let at = |route: &str| path == route.replace("COMMIT", COMMIT);
    if authorization != Some("Bearer hf_test") {
        return ("401 Unauthorized", String::new(), "");
    }
    if at("/datasets/owner/questions/resolve/COMMIT/data/train.label") {
        ("200 OK", file(COMMIT, "a1"), QUESTIONS)
    } else if at("/owner/model/resolve/COMMIT/vocab.txt") {
        ("200 OK", file(COMMIT, "b2"), VOCABULARY)
    } else if at("/datasets/owner/gated/resolve/COMMIT/x") {
        ("403 Forbidden", "X-Error-Code: GatedRepo\r\n".to_owned(), "")
    } else if at("/datasets/owner/moved/resolve/COMMIT/x") {
        ("200 OK", file("1111111111111111111111111111111111111111", "c3"), QUESTIONS)
    } else if at("/datasets/owner/odd/resolve/COMMIT/x") {
        ("200 OK", String::new(), QUESTIONS)
    } else if at("/datasets/owner/broken/resolve/COMMIT/x") {
        ("500 Internal Server Error", String::new(), "")
    } else {
        ("404 Not Found", "X-Error-Code: EntryNotFound\r\n".to_owned(), "")
    }
}

fn dataset(repository: &str, path: &str) -> HubFile {
    HubFile::new(Kind::Dataset, repository, COMMIT, path).unwrap()
}

#[test]
fn a_file_is_fetched_once_and_read_from_the_cache_then() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let file = dataset("owner/questions", "data/train.label");
    let offline = server.hub(cache.path(), Network::Offline);
    let error = offline.fetch(&file).unwrap_err();
    assert!(matches!(error, HubError::Offline { .. }), "{error}");
    assert!(error.to_string().contains("HF_HUB_OFFLINE forbids"), "{error}");
    assert_eq!(server.asked(), [""; 0], "offline means that nothing is asked");

    let online = server.hub(cache.path(), Network::Online);
    let path = online.fetch(&file).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), QUESTIONS);
    assert_eq!(trec::read(&path).unwrap().counts().len(), 6);
    let route = format!("/datasets/owner/questions/resolve/{COMMIT}/data/train.label");
    let asked = [format!("HEAD {route}"), format!("GET {route}")];
    assert_eq!(server.asked(), asked);

    assert_eq!(online.fetch(&file).unwrap(), path);
    assert_eq!(offline.fetch(&file).unwrap(), path);
    assert_eq!(server.asked(), asked, "a commit does not change, so nothing is asked again");
}

#[test]
fn a_models_vocabulary_is_fetched_by_its_own_route() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let file = HubFile::new(Kind::Model, "owner/model", COMMIT, "vocab.txt").unwrap();
    let path = server.hub(cache.path(), Network::Online).fetch(&file).unwrap();
    let tokenizer = tokenize::read_word_piece(&path, tokenize::Case::Lowered).unwrap();
    assert_eq!(tokenizer.encode("Hub").unwrap(), [2, 4, 3]);
}

#[test]
fn what_cannot_be_had_says_why() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = server.hub(cache.path(), Network::Online);
    let error = |repository: &str, path: &str| hub.fetch(&dataset(repository, path)).unwrap_err();
    let missing = error("owner/questions", "absent");
    assert!(matches!(missing, HubError::NotFound { .. }), "{missing:?}");
    assert!(missing.to_string().contains("datasets/owner/questions/absent at 0123"), "{missing}");
    let gated = error("owner/gated", "x");
    assert!(matches!(gated, HubError::Gated { .. }), "{gated:?}");
    assert!(gated.to_string().contains("accept its terms"), "{gated}");
    let moved = error("owner/moved", "x");
    assert!(matches!(moved, HubError::WrongCommit { .. }), "{moved:?}");
    for repository in ["owner/odd", "owner/broken"] {
        let error = error(repository, "x");
        assert!(matches!(error, HubError::Answer { .. }), "{error:?}");
        assert!(error.to_string().contains(&server.endpoint), "{error}");
    }
    // Without a token the server knows nobody.
    let options = HubOptions {
        endpoint: Some(server.endpoint),
        token: Some("hf_other".to_owned()),
        cache: Some(cache.path().to_owned()),
        network: Network::Online,
    };
    let stranger = Hub::new(options).unwrap().fetch(&dataset("owner/private", "x")).unwrap_err();
    assert!(matches!(stranger, HubError::Gated { .. }), "{stranger:?}");
}

#[test]
fn a_hub_that_is_not_there_is_no_network() {
    let cache = tempfile::tempdir().unwrap();
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let options = HubOptions {
        endpoint: Some(format!("http://127.0.0.1:{port}")),
        cache: Some(cache.path().to_owned()),
        ..HubOptions::default()
    };
    let error = Hub::new(options).unwrap().fetch(&dataset("owner/name", "x")).unwrap_err();
    assert!(matches!(error, HubError::NoNetwork { .. }), "{error:?}");
    assert!(error.to_string().contains("check the network"), "{error}");
    let options = HubOptions { endpoint: Some("no url".to_owned()), ..HubOptions::default() };
    assert!(matches!(Hub::new(options), Err(HubError::Options(_))));
}
