//! Grading that a page starts.

use std::thread;
use std::time::Duration;

use softmark::clock::Clock;

use super::{Server, page, small_server};

/// Waits until the page of grading says that it has ended, and returns it.
fn ended(server: &Server) -> String {
    let clock = Clock::start();
    loop {
        let body = page(server, "/grading").body;
        if body.contains("Grading has ended") {
            return body;
        }
        assert!(clock.elapsed().as_secs() < 120, "{body}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// The submissions of the run are gone: what the grader says of that is shown.
#[test]
fn what_the_grader_says_is_shown() {
    let server = small_server();
    let before = page(&server, "/grading").body;
    assert!(before.contains("Nothing was started") && before.contains("/class</code>"), "{before}");
    assert_eq!(server.post("/grading", "/grading/stop", &[]).status, 409);
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "7")]).status, 400);
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "/etc")]).status, 400);
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "1")]).status, 303);
    let body = ended(&server);
    assert!(body.contains("error: ") && body.contains("it ended with exit code 64"), "{body}");
    assert!(body.contains("Started by okafor"), "{body}");
    // It can be started again.
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "all")]).status, 303);
    ended(&server);
}
