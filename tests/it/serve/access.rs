//! Access to the pages: token, users, proxy, roles, and the checks of each change.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use softmark::clock::Clock;

use super::client::{Answer, Server};
use super::{PAGES, TABS, page, small_class, small_server};
use crate::support::grade::Desk;

const PASSWORD: &str = "correct horse battery";

/// Path of an override, and the fields of its form.
const OVERRIDE: &str = "/submission/2/override";
const FIELDS: [(&str, &str); 4] = [
    ("check", "scaled-dot-product/mask-hides"),
    ("points", "0.5"),
    ("reason", "right in principle"),
    ("seen", "0"),
];

/// Adds a user to the file `users.toml`.
fn add_user(desk: &Desk, name: &str, role: &str, password: Option<&str>) {
    let mut command = desk.command();
    command.args(["serve", "user", "add", name, "--role", role, "--users", "users.toml"]);
    command.args(password.is_none().then_some("--no-password"));
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{}", password.unwrap_or_default()).ok();
    assert!(child.wait().unwrap().success());
}

/// A server with a user of each role.
fn with_users(options: &[&str]) -> Server {
    with_users_at(small_class(), options)
}

fn with_users_at(desk: Desk, options: &[&str]) -> Server {
    for role in ["reader", "marker", "owner"] {
        add_user(&desk, &format!("a {role}"), role, Some(PASSWORD));
    }
    Server::start(desk, &[&["--users", "users.toml"], options].concat())
}

fn log_in(server: &Server, name: &str, password: &str) -> Answer {
    server.request("POST", "/login").form(&[("name", name), ("password", password)]).send()
}

/// Sends a form as the user with this cookie, with the token of the class page.
fn post_as(server: &Server, cookie: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    let token = server.request("GET", "/marking").cookie(cookie).send().token();
    let fields = [fields, &[("form_token", token.as_str())]].concat();
    server.request("POST", path).cookie(cookie).form(&fields).send()
}

#[test]
fn every_page_answers_its_owner_and_nobody_else() {
    let server = small_server();
    let submission = TABS.map(|tab| format!("/submission/2{tab}"));
    for path in PAGES.into_iter().chain(submission.iter().map(String::as_str)) {
        page(&server, path);
        let stranger = server.request("GET", path).send();
        assert_eq!((stranger.status, stranger.header("location")), (303, "/login"), "{path}");
        assert!(stranger.body.is_empty(), "{path}");
        let name = server.cookie.split('=').next().unwrap();
        for value in ["", ".99999999999.aa.bb", "6f6b61666f72.9.a.b"] {
            let cookie = format!("{name}={value}");
            assert_eq!(server.request("GET", path).cookie(&cookie).send().status, 303, "{path}");
        }
    }
    for path in [
        "/nowhere",
        "/submission/99",
        "/submission/x",
        "/submission/1/../../etc/passwd",
        "/submission/2?attempt=1",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn each_answer_has_the_headers_that_keep_a_browser_in() {
    let server = small_server();
    for (path, status) in
        [("/", 200), ("/nowhere", 404), ("/login", 200), ("/assets/script.js", 200)]
    {
        let answer = server.get(path);
        assert_eq!(answer.status, status);
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'"),
            "{policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), value, "{path}");
        }
    }
    assert_eq!(server.get("/").header("cache-control"), "no-store");
    // The document of a student runs nothing, whatever is in it.
    let document = server.get("/submission/2/feedback");
    let policy = document.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.ends_with("sandbox"), "{policy}");
    let line = server.request("GET", &format!("/login?token={}", server.token)).send();
    let cookie = line.header("set-cookie");
    assert!(
        cookie.contains("; HttpOnly; SameSite=Strict") && cookie.contains("Path=/"),
        "{cookie}"
    );
}

#[test]
fn the_token_is_asked_for_and_a_wrong_one_is_refused() {
    let server = small_server();
    let wrong = server.request("GET", "/login?token=0000").send();
    assert!(wrong.header("set-cookie").is_empty() && wrong.body.contains("not the token"));
    let sent = server.request("POST", "/login").form(&[("token", &server.token)]).send();
    let cookie = sent.cookie();
    assert_eq!(server.request("GET", "/").cookie(&cookie).send().status, 200);
    let out = server.request("POST", "/logout").cookie(&cookie).form(&[]).send();
    let name = cookie.split('=').next().unwrap();
    assert!(
        out.header("set-cookie").starts_with(&format!("{name}=; Path=/; Max-Age=0")),
        "{out:?}"
    );
}

#[test]
fn roles_decide_what_a_user_may_do() {
    let server = with_users(&[]);
    let appeal = [("check", ""), ("step", "open"), ("text", "why?")];
    for (role, may_appeal, may_decide) in
        [("reader", false, false), ("marker", true, false), ("owner", true, true)]
    {
        let cookie = log_in(&server, &format!("a {role}"), PASSWORD).cookie();
        let get = |path: &str| server.request("GET", path).cookie(&cookie).send().status;
        assert_eq!(get("/"), 200);
        assert_eq!(get("/submission/2"), 200);
        assert_eq!(get("/grading") == 200, may_decide, "{role}");
        assert_eq!(get("/log") == 200, may_decide, "{role}");
        let number = if role == "owner" { 3 } else { 1 };
        let path = format!("/submission/{number}/appeal");
        let asked = post_as(&server, &cookie, &path, &appeal).status;
        assert_eq!(asked, if may_appeal { 303 } else { 403 }, "{role}");
        let decided = post_as(&server, &cookie, OVERRIDE, &FIELDS).status;
        assert_eq!(decided, if may_decide { 303 } else { 403 }, "{role}");
    }
    for (name, password) in [("a reader", "wrong password"), ("nobody", PASSWORD), ("a reader", "")]
    {
        let refused = log_in(&server, name, password);
        assert!(refused.header("set-cookie").is_empty(), "{refused:?}");
        assert!(refused.body.contains("do not belong together"));
    }
}

#[test]
fn a_change_needs_the_token_of_its_session_and_a_page_of_this_server() {
    let server = small_server();
    let token = server.get("/submission/2").token();
    let fields = [&FIELDS[..], &[("form_token", token.as_str())]].concat();
    let send = |fields: &[(&str, &str)], headers: &[(&str, &str)]| {
        let request = server.request("POST", OVERRIDE).cookie(&server.cookie).form(fields);
        headers
            .iter()
            .fold(request, |request, (name, value)| request.header(name, value))
            .send()
            .status
    };
    let other = server.request("GET", &format!("/login?token={}", server.token)).send().cookie();
    let foreign = server.request("GET", "/submission/2").cookie(&other).send().token();
    assert_ne!(foreign, token);
    let own = format!("http://{}", server.address);
    assert_eq!(send(&FIELDS, &[]), 403, "no token");
    assert_eq!(send(&[&FIELDS[..], &[("form_token", foreign.as_str())]].concat(), &[]), 403);
    for (name, value) in [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://127.0.0.1:1"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        assert_eq!(send(&fields, &[(name, value)]), 403, "{name}: {value}");
    }
    let without = server.request("POST", OVERRIDE).form(&fields).send();
    assert_eq!(without.status, 403, "no cookie");
    assert_eq!(send(&fields, &[("Origin", &own), ("Sec-Fetch-Site", "same-origin")]), 303);
    assert_eq!(server.get(OVERRIDE).status, 404, "a change is no page");
}

#[test]
fn only_known_names_of_the_server_are_answered() {
    let server = Server::start(small_class(), &["--host", "marks.example.org"]);
    let port = server.address.split(':').nth(1).unwrap();
    let status = |host: &str| {
        server.request("GET", "/").cookie(&server.cookie).header("Host", host).send().status
    };
    assert_eq!(status(&server.address), 200);
    assert_eq!(status(&format!("localhost:{port}")), 200);
    assert_eq!(status("marks.example.org"), 200);
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost", ""] {
        assert_eq!(status(host), 421, "{host}");
    }
}

#[test]
fn anonymous_marking_shows_markers_no_names() {
    let server = with_users(&["--anonymous"]);
    let get = |role: &str, path: &str| {
        let cookie = log_in(&server, &format!("a {role}"), PASSWORD).cookie();
        server.request("GET", path).cookie(&cookie).send()
    };
    let pages = ["/submission/2", "/submission/2/code", "/changes", "/decisions", "/similar"];
    for path in pages {
        let refused = get("marker", path);
        assert_eq!(refused.status, 403, "{path}");
        assert!(!refused.body.contains("chen-wei"), "{path}");
        assert_eq!(get("owner", path).status, 200, "{path}");
    }
    // The checks there lead to the class, for those who may see it.
    let linked = |role: &str| {
        let statistics = get(role, "/statistics");
        assert!(statistics.status == 200 && statistics.body.contains("multi-head/"));
        statistics.body.contains("href=\"/?assignment=attention&amp;check=")
    };
    assert_eq!((linked("marker"), linked("owner")), (false, true));
    // What they may not see, no link leads to: neither after logging in nor in the navigation.
    let first = get("marker", "/");
    assert_eq!((first.status, first.header("location")), (303, "/marking"));
    let marking = get("marker", "/marking");
    let links = |body: &str| {
        let (_, rest) = body.split_once("aria-label=\"Main\"").unwrap();
        let navigation = rest.split("</nav>").next().unwrap();
        navigation
            .split("href=\"")
            .skip(1)
            .map(|it| it.split('"').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(links(&marking.body), ["/marking", "/statistics"]);
    for path in links(&get("reader", "/").body) {
        assert_eq!(get("reader", &path).status, 200, "{path}");
    }
    for path in links(&get("owner", "/").body) {
        assert_eq!(get("owner", &path).status, 200, "{path}");
    }
}

/// Browsers send the cookies of all ports of a host.
#[test]
fn two_servers_of_one_host_do_not_log_each_other_out() {
    let (one, other) = (small_server(), small_server());
    let both = format!("{}; {}", other.cookie, one.cookie);
    assert_eq!(one.request("GET", "/").cookie(&both).send().status, 200);
    assert_eq!(other.request("GET", "/").cookie(&both).send().status, 200);
}

/// The reason of a failure may name students, and paths of the machine.
#[test]
fn why_the_server_failed_is_told_to_owners_alone() {
    let server = with_users(&[]);
    let marker = log_in(&server, "a marker", PASSWORD).cookie();
    let spoil = "DROP TRIGGER records_stay; UPDATE saved_records SET document = '{' WHERE id = 2";
    let ledger = server.desk.path("results/softmark.db");
    rusqlite::Connection::open(ledger).unwrap().execute_batch(spoil).unwrap();
    let told = server.request("GET", "/submission/2").cookie(&marker).send();
    assert_eq!(told.status, 500);
    assert!(!told.body.contains("chen-wei") && told.body.contains("tell the owner"), "{told:?}");
    let owner = server.get("/submission/2");
    assert!(owner.status == 500 && owner.body.contains("chen-wei"), "{owner:?}");
    // A file of users that is spoiled is a path of the machine, which nobody gets before logging in.
    fs::write(server.desk.path("users.toml"), "key = 'x'").unwrap();
    let told = log_in(&server, "a marker", PASSWORD);
    assert_eq!(told.status, 500);
    assert!(!told.body.contains("users.toml") && told.body.contains("tell the owner"), "{told:?}");
}

/// So may the reason for which a roster cannot be read.
#[test]
fn why_the_roster_cannot_be_read_is_told_to_owners_alone() {
    let desk = small_class()
        .file("home/softmark.toml", "title = \"T\"\nroster = \"roster.csv\"\n")
        .file("home/roster.csv", "id,name\nchen-wei,Chen\n");
    let home = desk.path("home");
    let server = with_users_at(desk.env("SOFTMARK_HOME", home), &[]);
    fs::write(server.desk.path("home/roster.csv"), "id,name\nchen-wei,Chen\nchen-wei,Bao\n")
        .unwrap();
    for (name, sees) in [("a reader", false), ("a marker", false), ("a owner", true)] {
        let cookie = log_in(&server, name, PASSWORD).cookie();
        let body = server.request("GET", "/").cookie(&cookie).send().body;
        assert!(body.contains("The roster cannot be read"), "{name}: {body}");
        assert_eq!(body.contains("roster.csv"), sees, "{name}: {body}");
    }
}

/// Whoever tries many passwords keeps no page from those who are logged in.
#[test]
fn many_log_ins_at_once_leave_room_for_pages() {
    let server = with_users(&[]);
    let clock = Clock::start();
    thread::scope(|scope| {
        let wrong = || log_in(&server, "a reader", "wrong").status;
        let tries: Vec<_> = (0..40).map(|_| scope.spawn(wrong)).collect();
        thread::sleep(Duration::from_millis(500));
        let before = clock.elapsed();
        page(&server, "/");
        let waited = clock.elapsed().saturating_sub(before);
        // Forty wrong passwords, eight at a time, would take twelve seconds of penalties.
        assert!(waited < Duration::from_secs(4), "{waited:?}");
        let told: Vec<u16> = tries.into_iter().map(|it| it.join().unwrap()).collect();
        assert!(told.iter().all(|status| [200, 429].contains(status)), "{told:?}");
        assert!(told.contains(&200) && told.contains(&429), "{told:?}");
    });
    assert_eq!(log_in(&server, "a reader", PASSWORD).status, 200);
}

#[test]
fn a_listed_proxy_names_the_user_and_an_unlisted_one_does_not() {
    let start = |from: &str| {
        let desk = small_class();
        add_user(&desk, "amal", "reader", None);
        let options = ["--users", "users.toml", "--user-header", "X-Remote-User", "--proxy", from];
        Server::start(desk, &options)
    };
    let near = start("127.0.0.1");
    let get = |server: &Server, user: &str| {
        server.request("GET", "/").header("X-Remote-User", user).send().status
    };
    assert_eq!(get(&near, "amal"), 200);
    assert_eq!(get(&near, "nobody"), 303);
    assert_eq!(get(&start("10.0.0.1"), "amal"), 303);
}

#[test]
fn users_are_added_listed_and_removed() {
    let desk = Desk::new();
    add_user(&desk, "amal", "marker", Some(PASSWORD));
    add_user(&desk, "ben", "reader", None);
    let listed = desk.grade("serve user list --users users.toml").exit(0).stdout;
    assert_eq!(listed, "amal  marker\nben  reader\n");
    assert!(!desk.read("users.toml").contains(PASSWORD));
    desk.grade("serve user remove ben --users users.toml").exit(0);
    let told = desk.grade("serve user remove ben --users users.toml").exit(64).stderr;
    assert!(told.contains("there is no user `ben`"), "{told}");
    let told = desk.grade("serve user add ben --role owner --users users.toml").exit(64).stderr;
    assert!(told.contains("at least 10 characters"), "{told}");
    assert_eq!(desk.grade("serve user list --users users.toml").exit(0).stdout, "amal  marker\n");
}

#[test]
fn a_server_without_results_or_users_says_what_to_do() {
    let desk = Desk::new();
    let told = desk.grade("serve").exit(64).stderr;
    assert!(
        told.contains("there is no ledger in") && told.contains("grade submissions first"),
        "{told}"
    );
    let desk = small_class();
    let told = desk.grade("serve --users users.toml").exit(64).stderr;
    assert!(told.contains("there is no user in users.toml") && told.contains("user add"), "{told}");
    fs::write(desk.path("users.toml"), "key = 'x'").unwrap();
    let told = desk.grade("serve --users users.toml").exit(64).stderr;
    assert!(told.contains("chmod 600"), "{told}");
}
