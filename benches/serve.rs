//! Measures how long pages of `grade serve` take for a class of 3,000, with 20 clients at the same time, and its memory.
//!
//! `cargo bench --bench serve [-- SUBMISSIONS [REQUESTS]]`
//!
//! Each page is asked for REQUESTS times, 600 unless given. The time is that from the request to the last byte of the answer, on
//! loopback. Clients and server share the machine.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints times, reads the clock, and stops where it cannot go on"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use softmark::model::{Points, Record, WrittenRecord};
use softmark::store::document::read_record;
use softmark::store::{Folder, LEDGER, RecordKeys, Store};
use tempfile::TempDir;

const HOME: &str = env!("CARGO_MANIFEST_DIR");
const SUBMISSIONS: usize = 3000;
const REQUESTS: usize = 600;
const CLIENTS: usize = 20;

/// Pages that need no submission.
const PAGES: [&str; 9] = [
    "/",
    "/?page=15",
    "/?check=scaled-dot-product/mask-hides&name=9",
    "/statistics",
    "/changes",
    "/decisions",
    "/marking",
    "/grading",
    "/log",
];

/// Ends of the paths of a submission's pages.
const TABS: [&str; 5] = ["", "/code", "/attempts", "/history", "/feedback"];

fn main() {
    // Cargo passes `--bench`.
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let mut number = |otherwise| args.next().map_or(otherwise, |count| count.parse().unwrap());
    let (count, requests) = (number(SUBMISSIONS), number(REQUESTS));
    let desk = tempfile::tempdir().unwrap();
    results(desk.path(), count);
    let server = Server::start(&desk);
    println!("{count} submissions, {requests} requests for each page, {CLIENTS} clients");
    println!("{:<52} {:>9} {:>9} {:>9}", "page", "median", "99 %", "KiB");
    for page in PAGES {
        server.measure(page, requests, |_| page.to_owned());
    }
    for tab in TABS {
        let path = |at: usize| format!("/submission/{}{tab}", at * 7 % count + 1);
        server.measure(&format!("/submission/N{tab}"), requests, path);
    }
    println!(
        "memory: {} MiB at the start, {} MiB at the end",
        server.at_start >> 10,
        server.memory() >> 10
    );
}

/// Writes results of two runs: the second graded a third of the class again.
fn results(folder: &Path, count: usize) {
    let out = folder.join("results");
    fs::create_dir_all(&out).unwrap();
    let mut store = Store::open(&out.join(LEDGER)).unwrap();
    let of = |name: &str| {
        let path = Path::new(HOME).join("fixtures/records").join(name);
        read_record(&fs::read_to_string(path).unwrap()).unwrap()
    };
    let sources = ["full-marks.json", "partial.json", "named-mistakes.json"].map(of);
    for (round, step) in [(1, 1), (2, 3)] {
        let run = store.begin_run(&sources[0].0, "2026-01-31T12:00:00Z").unwrap();
        for at in (0..count).step_by(step) {
            let (grader, record) = &sources[(at + round) % sources.len()];
            let record = Record {
                submission: format!("student {at:04}").into(),
                sha256: format!("{at:032}{round:032}").into(),
                written: vec![answer(at)],
                ..record.clone()
            };
            store.save(run, &RecordKeys::whole(&format!("{round} {at}")), &record).unwrap();
            Folder::of(&out).write(grader, &record).unwrap();
        }
    }
}

fn answer(at: usize) -> WrittenRecord {
    WrittenRecord {
        id: "explanation".into(),
        title: "Why the buggy layer does not learn".into(),
        points: None,
        max_points: Points::from_hundredths(400),
        comment: "".into(),
        rubric: Vec::new(),
        text: format!("The residual of layer {at} is added to the wrong tensor. ")
            .repeat(10)
            .into(),
    }
}

/// Server, and what its clients need.
struct Server {
    child: Child,
    address: String,
    cookie: String,
    /// Resident memory after the first page, in KiB.
    at_start: u64,
}

impl Server {
    fn start(desk: &TempDir) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grade"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(desk.path());
        command.env("SOFTMARK_HOME", HOME).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").unwrap();
        let (address, path) = rest.split_once('/').unwrap();
        let mut server =
            Self { child, address: address.to_owned(), cookie: String::new(), at_start: 0 };
        let answer = server.get(&format!("/{path}"));
        let (_, cookie) = answer.split_once("set-cookie: ").unwrap();
        cookie.split(';').next().unwrap().clone_into(&mut server.cookie);
        let start = Instant::now();
        server.get("/");
        println!("first page after the start: {:.1} s", start.elapsed().as_secs_f64());
        server.at_start = server.memory();
        server
    }

    /// Returns the whole answer to a request.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, cookie) = (&self.address, &self.cookie);
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer
    }

    /// Prints how long a page takes.
    fn measure(&self, name: &str, requests: usize, path: impl Fn(usize) -> String + Sync) {
        // What is made once for each state of the results is not what is measured.
        let size = self.get(&path(0)).len();
        let next = AtomicUsize::new(0);
        let client = || {
            let mut times = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= requests {
                    return times;
                }
                let start = Instant::now();
                self.get(&path(at));
                times.push(start.elapsed());
            }
        };
        let mut times: Vec<Duration> = thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        });
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
        let millis = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        println!("{name:<52} {:>9} {:>9} {:>9}", millis(at(50)), millis(at(99)), size >> 10);
    }

    /// Returns the resident memory in KiB.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap_or_else(|_| panic!("{line}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
