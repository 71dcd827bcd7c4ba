//! Limits of requests, and the end of the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use nix::sys::signal::Signal;
use softmark::clock::Clock;

use super::{page, small_server};

#[test]
fn a_form_that_is_too_long_or_no_form_changes_nothing() {
    let server = small_server();
    let post = |media_type: &str, body: &[u8]| {
        let request = server.request("POST", "/grading/stop").cookie(&server.cookie);
        request.header("Content-Type", media_type).body(body).send().status
    };
    let form = "application/x-www-form-urlencoded";
    let long = [b"a=".as_slice(), &vec![b'x'; 300 * 1024]].concat();
    for (media_type, body) in [
        (form, long.as_slice()),
        ("application/json", b"{}"),
        ("text/plain", b"a=b"),
        ("multipart/form-data; boundary=x", b"--x--"),
        ("", b"a=b"),
    ] {
        assert_eq!(post(media_type, body), 400, "{media_type}");
    }
    assert_eq!(post(form, b"a=b"), 403, "a form without the token");
    // A path or a query that is no UTF-8 is no reason to fail.
    for path in ["/?name=%ff%fe", "/submission/%ff", "/%2e%2e/%00"] {
        let status = server.get(path).status;
        assert!([200, 400, 404].contains(&status), "{path}: {status}");
    }
    page(&server, "/");
}

#[test]
fn what_is_no_request_disturbs_nobody() {
    let server = small_server();
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzz\r\n",
        b"GET /\xff\x00 HTTP/1.1\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok();
        let answer = String::from_utf8_lossy(&answer);
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    // A client that never finishes its request, and is still there when the server ends.
    let mut slow = TcpStream::connect(&server.address).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
    page(&server, "/");
    assert_eq!(server.end(Signal::SIGTERM), Some(0));
}

/// A client that says nothing, or only half of what it asks for, is not waited for without end.
#[test]
fn a_request_whose_head_does_not_end_is_broken_off() {
    let server = small_server();
    let clock = Clock::start();
    for begun in ["", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        let mut slow = TcpStream::connect(&server.address).unwrap();
        slow.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        slow.write_all(begun.as_bytes()).unwrap();
        let mut told = Vec::new();
        slow.read_to_end(&mut told).expect("the server ends the connection");
        assert!(!String::from_utf8_lossy(&told).contains("200 OK"));
    }
    assert!(clock.elapsed() < Duration::from_secs(40));
}

#[test]
fn more_connections_than_the_limit_wait_until_there_is_room() {
    let server = small_server();
    let connect = || TcpStream::connect(&server.address).unwrap();
    let mut idle: Vec<TcpStream> = (0..256).map(|_| connect()).collect();
    let mut late = connect();
    late.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let request = format!("GET /login HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    late.write_all(request.as_bytes()).unwrap();
    let mut buffer = [0; 12];
    assert!(late.read(&mut buffer).is_err(), "there is no room");
    idle.truncate(200);
    late.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    late.read_exact(&mut buffer).unwrap();
    assert_eq!(&buffer, b"HTTP/1.1 200");
}

#[test]
fn the_stream_of_events_begins_and_ends_with_the_server() {
    let server = small_server();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let (host, cookie) = (&server.address, &server.cookie);
    let request = format!("GET /events HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut seen = String::new();
    let mut buffer = [0; 1024];
    while !seen.contains("event: connected\ndata: connected\n") {
        let count = stream.read(&mut buffer).unwrap();
        assert_ne!(count, 0, "{seen}");
        seen += &String::from_utf8_lossy(&buffer[..count]);
    }
    assert!(seen.contains("content-type: text/event-stream"), "{seen}");
    let fields = [("check", ""), ("step", "open"), ("text", "why?")];
    assert_eq!(server.post("/submission/2", "/submission/2/appeal", &fields).status, 303);
    while !seen.contains("event: changed\ndata: changed\n") {
        let count = stream.read(&mut buffer).unwrap();
        assert_ne!(count, 0, "{seen}");
        seen += &String::from_utf8_lossy(&buffer[..count]);
    }
    // The next change reaches a second page as well.
    let mut second = TcpStream::connect(&server.address).unwrap();
    second.write_all(request.as_bytes()).unwrap();
    let mut told = String::new();
    while !told.contains("event: connected\ndata: connected\n") {
        let count = second.read(&mut buffer).unwrap();
        told += &String::from_utf8_lossy(&buffer[..count]);
    }
    let fields = [("check", ""), ("step", "close"), ("text", "")];
    assert_eq!(server.post("/submission/2", "/submission/2/appeal", &fields).status, 303);
    while !told.contains("event: changed\ndata: changed\n") {
        let count = second.read(&mut buffer).unwrap();
        assert_ne!(count, 0, "{told}");
        told += &String::from_utf8_lossy(&buffer[..count]);
    }
    let stranger = server.request("GET", "/events").send();
    assert_eq!(stranger.status, 303);
    assert_eq!(server.end(Signal::SIGINT), Some(0));
    while stream.read(&mut buffer).is_ok_and(|count| count > 0) {}
}
