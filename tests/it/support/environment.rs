//! The environment in which attacks are tried: nothing in it matters to anything else.
//!
//! The environment is a folder with a copy of the project, so that what an attack reads, changes or
//! breaks is never the project itself. Attacks know it: where it is, which ports listen there, and
//! which process they may kill. Whatever they do not know, a real attacker could find out.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use softmark_kit::prelude::{DType, Device, Tensor};

use crate::support::attacks::{Attack, Base, Listener, Target};
use crate::support::grade::{Desk, HOME, Ran};
use crate::support::hostile_archives::{Files, made};

/// A copy of the project with files, listeners and a process that attacks try to reach.
pub(crate) struct Environment {
    pub(crate) desk: Desk,
    /// In places that nobody but the instructor is to read; found in a record, it was stolen.
    pub(crate) canary: String,
    victim: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    socket_file: UnixListener,
    abstract_name: String,
    abstract_socket: UnixListener,
}

/// Content of the decoy.
const DECOY: &str = "a program that somebody else will run\n";

/// Seconds that a part may let the grader wait in this environment, where it is twice that in the assignment:
/// of code that sleeps there is a lot here, and each of it sleeps four times as long before it is given
/// up. Nothing that computes is charged with it, so this changes no honest mark even on a busy machine.
const WALL_SECONDS: u32 = 5;

/// The same for all parts of a submission: one part that sleeps is given up within it.
const ALL_SECONDS: u32 = 25;

/// Seconds of processor time that a process may use in this environment, where it is twice that in the assignment: ten
/// times what the solution takes.
const CPU_SECONDS: u32 = 1;

impl Environment {
    /// Creates an environment without submissions.
    #[expect(clippy::disallowed_methods, reason = "the victim is no part of a submission")]
    pub(crate) fn new() -> Self {
        let desk = Desk::new();
        let here = desk.path("");
        let canary = format!("canary-{}", here.file_name().unwrap().to_string_lossy());
        let victim = Command::new("sleep").arg("3600").stdin(Stdio::null()).spawn().unwrap();
        let abstract_name = format!("softmark-test-{}", victim.id());
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let environment = Self {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            socket_file: UnixListener::bind(desk.path("service.socket")).unwrap(),
            abstract_socket: UnixListener::bind_addr(&address).unwrap(),
            abstract_name,
            desk,
            canary,
            victim,
        };
        environment.tcp.set_nonblocking(true).unwrap();
        environment.udp.set_nonblocking(true).unwrap();
        environment.socket_file.set_nonblocking(true).unwrap();
        environment.abstract_socket.set_nonblocking(true).unwrap();
        environment.furnish();
        environment
    }

    /// The project, its pack, and what is worth stealing or breaking.
    fn furnish(&self) {
        let home = self.desk.path("home");
        for name in [".cargo", "assignments", "crates", "labs", "solutions"] {
            copy(&Path::new(HOME).join(name), &home.join(name), &|text| text.to_vec());
        }
        for name in ["Cargo.toml", "Cargo.lock", "softmark.toml"] {
            fs::copy(Path::new(HOME).join(name), home.join(name)).unwrap();
        }
        let path = home.join("assignments/attention/assignment.toml");
        let text = fs::read_to_string(&path).unwrap();
        let limits = [
            ("cpu_seconds = 2", format!("cpu_seconds = {CPU_SECONDS}")),
            ("wall_seconds = 10", format!("wall_seconds = {WALL_SECONDS}")),
            ("wall_seconds = 120", format!("wall_seconds = {ALL_SECONDS}")),
        ];
        let shorter = limits.iter().fold(text, |text, (limit, shorter)| {
            let changed = text.replace(&format!("{limit}\n"), &format!("{shorter}\n"));
            assert_ne!(text, changed, "the assignment has another limit than `{limit}` by now");
            changed
        });
        fs::write(&path, shorter).unwrap();
        fs::create_dir(home.join("target")).unwrap();
        let pack = crate::support::pack::cache();
        symlink(pack, home.join("target/softmark-pack")).unwrap();
        // Hidden names: what a pack is made from does not count them.
        let stolen = format!("pub const CANARY: &str = \"{}\";\n", self.canary);
        fs::write(home.join("solutions/attention/src/.canary.rs"), stolen).unwrap();
        fs::create_dir(home.join("src")).unwrap();
        fs::write(home.join("src/.canary.txt"), format!("{} !\n", self.canary)).unwrap();
        fs::write(self.desk.path("private.txt"), &self.canary).unwrap();
        let tensor = Tensor::ones(4, DType::F32, &Device::Cpu).unwrap();
        tensor.save_safetensors("x", self.desk.path("tensors.safetensors")).unwrap();
        fs::create_dir(self.desk.path("decoy")).unwrap();
        fs::write(self.desk.path("decoy/own"), DECOY).unwrap();
        fs::create_dir(self.desk.path("class")).unwrap();
        fs::create_dir(self.desk.path("tmp")).unwrap();
        // As /tmp is; and nothing here is kept from others by its mode alone.
        fs::set_permissions(self.desk.path("tmp"), PermissionsExt::from_mode(0o1777)).unwrap();
        fs::set_permissions(self.desk.path(""), PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// Returns a text with its placeholders replaced by the paths and ports of the environment.
    pub(crate) fn fill_in(&self, text: &str) -> String {
        let desk = self.desk.path("");
        let desk = desk.to_str().unwrap().trim_end_matches('/');
        [
            ("@HOME@", format!("{desk}/home")),
            ("@TMP@", format!("{desk}/tmp")),
            ("@DECOY@", format!("{desk}/decoy")),
            ("@DESK@", desk.to_owned()),
            ("@TCP@", self.tcp.local_addr().unwrap().port().to_string()),
            ("@UDP@", self.udp.local_addr().unwrap().port().to_string()),
            ("@ABSTRACT@", self.abstract_name.clone()),
            ("@VICTIM@", self.victim.id().to_string()),
            ("@CANARY@", self.canary.clone()),
        ]
        .iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    /// Lets an honest submission of the sample class come.
    pub(crate) fn welcome(&self, name: &str) {
        let from = Path::new(HOME).join("fixtures/class").join(name);
        copy(&from, &self.desk.path("class").join(name), &|text| text.to_vec());
    }

    /// Lets an attack come, called `folder` instead of its own name where that is given.
    pub(crate) fn admit(&self, attack: &Attack, folder: Option<&str>) {
        let to = self.desk.path("class").join(folder.unwrap_or_else(|| attack.folder()));
        let base = match attack.expect.base {
            Base::Skeleton => "assignments",
            Base::Solution => "solutions",
        };
        let base = Path::new(base).join(&attack.expect.assignment);
        for name in ["src", "Cargo.toml"] {
            let (from, to) = (Path::new(HOME).join(&base).join(name), to.join(name));
            if from.is_dir() {
                copy(&from, &to, &|text| text.to_vec());
            } else {
                fs::copy(from, to).unwrap();
            }
        }
        copy(&attack.dir, &to, &|text| match str::from_utf8(text) {
            Ok(text) => self.fill_in(text).into_bytes(),
            Err(_) => text.to_vec(),
        });
        fs::remove_file(to.join("expect.toml")).unwrap();
        for name in &attack.expect.odd {
            fs::write(to.join(unescaped(name)), "").unwrap();
        }
        if let Some(kind) = &attack.expect.archive {
            let mut files = Files::new();
            collect(&to, "", &mut files);
            let (ending, bytes) = made(kind, &files, &|text| self.fill_in(text));
            fs::remove_dir_all(&to).unwrap();
            let name = to.file_name().unwrap().to_str().unwrap();
            fs::write(to.with_file_name(format!("{name}.{ending}")), bytes).unwrap();
        }
    }

    /// Runs `grade` in the environment.
    pub(crate) fn grade(&self, args: &[&str]) -> Ran {
        let output = self
            .desk
            .command()
            .args(args)
            .env("SOFTMARK_HOME", self.desk.path("home"))
            .env("TMPDIR", self.desk.path("tmp"))
            .env("SOFTMARK_CANARY", &self.canary)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Returns whether a listener was reached since the last call.
    pub(crate) fn was_reached(&self, listener: Listener) -> bool {
        let arrived = match listener {
            Listener::Tcp => self.tcp.accept().map(drop),
            Listener::Udp => self.udp.recv(&mut [0; 64]).map(drop),
            Listener::SocketFile => self.socket_file.accept().map(drop),
            Listener::AbstractSocket => self.abstract_socket.accept().map(drop),
        };
        match arrived {
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            other => {
                other.unwrap();
                true
            }
        }
    }

    /// Returns whether a target was changed.
    pub(crate) fn is_harmed(&self, target: Target) -> bool {
        match target {
            Target::Decoy => {
                let now = fs::read_to_string(self.desk.path("decoy/own"));
                now.ok().as_deref() != Some(DECOY)
            }
            Target::Victim => {
                let pid = self.victim.id();
                let read = |name| fs::read_to_string(format!("/proc/{pid}/{name}"));
                let stat = read("stat").unwrap_or_default();
                let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
                let fields: Vec<&str> = fields.split_whitespace().collect();
                // State and nice value: the third and the nineteenth field of the whole.
                let runs = fields.first() == Some(&"S") && fields.get(16) == Some(&"0");
                !runs || read("oom_score_adj").is_ok_and(|score| score.trim() == "999")
            }
        }
    }

    /// Puts back what an attack has harmed or left, so that the next one is seen apart.
    pub(crate) fn tidy(&mut self) {
        for listener in
            [Listener::Tcp, Listener::Udp, Listener::SocketFile, Listener::AbstractSocket]
        {
            while self.was_reached(listener) {}
        }
        self.replace_victim();
        fs::create_dir_all(self.desk.path("decoy")).unwrap();
        fs::write(self.desk.path("decoy/own"), DECOY).unwrap();
        for name in self.desk.list("class") {
            let path = self.desk.path("class").join(name);
            if path.is_dir() {
                fs::remove_dir_all(path).unwrap();
            } else {
                fs::remove_file(path).unwrap();
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the victim is no part of a submission")]
    fn replace_victim(&mut self) {
        self.victim.kill().ok();
        self.victim.wait().unwrap();
        self.victim = Command::new("sleep").arg("3600").stdin(Stdio::null()).spawn().unwrap();
    }

    /// Returns the path of a file that an attack tries to write.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        PathBuf::from(self.fill_in(path))
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        self.victim.kill().ok();
        self.victim.wait().ok();
    }
}

/// A name of a file: `%FF` is the byte that no text has.
fn unescaped(name: &str) -> OsString {
    let mut bytes = Vec::new();
    let mut pieces = name.split('%');
    bytes.extend(pieces.next().unwrap_or_default().as_bytes());
    for piece in pieces {
        let (hex, rest) = piece.split_at(2);
        bytes.push(u8::from_str_radix(hex, 16).unwrap());
        bytes.extend(rest.as_bytes());
    }
    OsString::from_vec(bytes)
}

/// The files of a submission, by their paths in it.
fn collect(dir: &Path, prefix: &str, files: &mut Files) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push((name, fs::read(entry.path()).unwrap()));
        }
    }
}

/// Copies a folder, with what `change` makes of each file; what cargo built stays where it is.
fn copy(from: &Path, to: &Path, change: &dyn Fn(&[u8]) -> Vec<u8>) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "target" {
            continue;
        }
        if from.is_dir() {
            copy(&from, &to, change);
        } else {
            fs::write(&to, change(&fs::read(&from).unwrap())).unwrap();
        }
    }
}
