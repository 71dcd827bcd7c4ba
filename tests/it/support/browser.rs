//! A headless browser, driven through its debugging protocol.
//!
//! Errors of pages, dialogs and messages of the console are collected: [`Browser::problems`].

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use softmark::clock::Clock;
use tempfile::TempDir;

/// Browsers that are looked for, in this order, unless `SOFTMARK_BROWSER` names one.
const BROWSERS: [&str; 5] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
];

/// Starts a browser that reads commands from its file descriptor 3 and answers on 4, and ends after a quarter of an hour.
const START: &str = "exec timeout 900 \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

/// Error of a command whose page went away meanwhile; it is carried out on the next page.
const NAVIGATED: &str = "Inspected target navigated or closed";

/// Colour scheme and width in which a page is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    /// `light` or `dark`.
    pub(crate) scheme: &'static str,
    /// Width in pixels.
    pub(crate) width: u32,
}

/// Browser with one page.
pub(crate) struct Browser {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Id of the last command.
    last: u64,
    /// Session of the page, once there is one.
    session: Option<String>,
    /// Errors of pages, dialogs and messages of the console so far.
    problems: Vec<String>,
    /// Number of keys pressed so far.
    keys: usize,
    /// The browser's folder.
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser; `None` if there is none that starts.
    #[expect(
        clippy::disallowed_methods,
        reason = "a browser that shows pages of our own needs no sandbox"
    )]
    pub(crate) fn start() -> Option<Self> {
        let program = find()?;
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", START]).arg(program);
        // Root cannot use the browser's own sandbox.
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]);
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let (commands, answers) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        let mut browser = Self {
            child,
            commands,
            answers,
            last: 0,
            session: None,
            problems: Vec::new(),
            keys: 0,
            _profile: profile,
        };
        let target = browser.tell("Target.createTarget", &json!({ "url": "about:blank" }))?;
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.tell("Target.attachToTarget", &target)?;
        browser.session = Some(session["sessionId"].as_str()?.to_owned());
        for domain in ["Page", "Runtime", "Log"] {
            browser.tell(&format!("{domain}.enable"), &json!({}))?;
        }
        Some(browser)
    }

    /// Carries out a command and returns its result; `None` if the browser has ended.
    fn tell(&mut self, method: &str, params: &Value) -> Option<Value> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).ok()?;
        loop {
            let message = self.message()?;
            if message["id"] == self.last {
                if message["error"]["message"] == NAVIGATED {
                    return self.tell(method, params);
                }
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return Some(message["result"].clone());
            }
        }
    }

    /// Returns the next message; `None` if the browser has ended.
    fn message(&mut self) -> Option<Value> {
        let mut message = Vec::new();
        self.answers.read_until(0, &mut message).ok()?;
        let message: Value = serde_json::from_slice(message.strip_suffix(&[0])?).ok()?;
        self.note(&message);
        Some(message)
    }

    /// Notes what a page should not do.
    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        let problem = match message["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => &params["exceptionDetails"],
            "Runtime.consoleAPICalled" | "Page.javascriptDialogOpening" => params,
            "Log.entryAdded" => &params["entry"],
            _ => return,
        };
        self.problems.push(problem.to_string());
    }

    /// Returns the next message of a browser that works.
    fn event(&mut self) -> Value {
        self.message().unwrap_or_else(|| panic!("the browser has ended"))
    }

    /// Carries out a command of a browser that works.
    fn must(&mut self, method: &str, params: &Value) -> Value {
        self.tell(method, params).unwrap_or_else(|| panic!("{method}: the browser has ended"))
    }

    /// Opens a page of a file, and waits until it is loaded. The window is so high that nothing is outside of it.
    pub(crate) fn open(&mut self, page: &Path, view: View) {
        self.set_window(view, 30_000);
        self.visit(&format!("file://{}", page.display()));
    }

    /// Sets the colour scheme and the size of the window.
    pub(crate) fn set_window(&mut self, view: View, height: u32) {
        let scheme = json!({ "name": "prefers-color-scheme", "value": view.scheme });
        self.must("Emulation.setEmulatedMedia", &json!({ "features": [scheme] }));
        let size = json!({ "width": view.width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.must("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Opens a page at an address, and waits until it is loaded.
    pub(crate) fn visit(&mut self, url: &str) {
        self.must("Page.navigate", &json!({ "url": url }));
        while self.event()["method"] != "Page.loadEventFired" {}
    }

    /// Presses a key and releases it: a character, or a name such as `Enter`.
    pub(crate) fn press(&mut self, key: &str) {
        self.keys += 1;
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            _ => 0,
        };
        let text = if key == "Enter" { "\r" } else { key };
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if key.chars().count() == 1 || key == "Enter" {
            down["text"] = text.into();
        }
        self.must("Input.dispatchKeyEvent", &down);
        let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code });
        self.must("Input.dispatchKeyEvent", &up);
    }

    /// Returns the number of keys pressed so far.
    pub(crate) fn keys(&self) -> usize {
        self.keys
    }

    /// Types a text, key by key.
    pub(crate) fn write(&mut self, text: &str) {
        for character in text.chars() {
            self.press(&character.to_string());
        }
    }

    /// Waits until an expression is true, for half a minute at most.
    pub(crate) fn wait_until(&mut self, expression: &str) {
        let clock = Clock::start();
        while self.evaluate(expression) != true {
            if clock.elapsed() > Duration::from_secs(30) {
                let page = self.evaluate("document.body.innerText");
                panic!(
                    "never true: {expression}\n{}\n{:?}",
                    page.as_str().unwrap_or_default(),
                    self.problems
                );
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns errors of pages, dialogs and messages of the console since the last call.
    pub(crate) fn problems(&mut self) -> Vec<String> {
        self.evaluate("0");
        std::mem::take(&mut self.problems)
    }

    /// Evaluates an expression in the page, and returns its value.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let answer = self.must("Runtime.evaluate", &params);
        assert!(answer["exceptionDetails"].is_null(), "{}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Writes a picture of the page into the folder that `SOFTMARK_SCREENSHOTS` names, if it does.
    pub(crate) fn picture(&mut self, name: &str) {
        let Some(folder) = env::var_os("SOFTMARK_SCREENSHOTS") else { return };
        let size =
            self.evaluate("[document.body.offsetWidth, document.documentElement.offsetHeight]");
        let width = self.evaluate("innerWidth");
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": size[1], "scale": 1 });
        let picture =
            self.must("Page.captureScreenshot", &json!({ "format": "png", "clip": clip }));
        let encoded = picture["data"].as_str().unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(Path::new(&folder).join(format!("{name}.png")), decoded(encoded)).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        // It ends by itself where it can.
        self.tell("Browser.close", &json!({}));
        self.child.wait().ok();
    }
}

/// Returns the path of a browser.
fn find() -> Option<PathBuf> {
    if let Some(program) = env::var_os("SOFTMARK_BROWSER") {
        return Some(program.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let programs =
        BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    programs.into_iter().find(|program| program.is_file())
}

/// Decodes Base64.
fn decoded(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text
        .bytes()
        .filter_map(|byte| match byte {
            b'A'..=b'Z' => Some(u32::from(byte - b'A')),
            b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
            b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
            b'+' => Some(62),
            b'/' => Some(63),
            _ => None,
        })
        .collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - group.len()));
        bytes.extend(bits.to_be_bytes().into_iter().skip(1).take(group.len() - 1));
    }
    bytes
}
