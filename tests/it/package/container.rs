//! A container like Gradescope's: a root folder of its own, root without rights over the machine, no network.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use zip::ZipArchive;

use crate::support::cargo::rustc;
use crate::support::grade::{Desk, HOME, Ran, copy};
use crate::support::notice::skipped;

/// Namespaces of the container, and its user: one that is root there and nowhere else.
const SPACES: [&str; 8] = [
    "--user",
    "--map-root-user",
    "--mount",
    "--pid",
    "--fork",
    "--net",
    "--propagation=private",
    "--kill-child",
];

/// Capabilities that Docker leaves to root. User namespaces cannot be made either: in Docker because of its filter of system
/// calls, here because the root folder was changed.
const CAPABILITIES: &str = "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,\
                            +net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap";

/// Makes the root folder and enters it.
const ENTER: &str = r#"
mkdir root
mount -t tmpfs none root
mkdir -p root/usr root/etc/alternatives root/proc root/dev root/tmp root/autograder root/toolchain root/root
for name in bin sbin lib lib64; do
    if [ -L "/$name" ]; then cp -P "/$name" root/; elif [ -d "/$name" ]; then mkdir "root/$name"; mount --rbind "/$name" "root/$name"; fi
done
mount --rbind /usr root/usr
if [ -d /etc/alternatives ]; then mount --rbind /etc/alternatives root/etc/alternatives; fi
cp /etc/ld.so.cache root/etc/
for name in null zero random urandom; do touch "root/dev/$name"; mount --bind "/dev/$name" "root/dev/$name"; done
mount -t proc none root/proc
mount --bind autograder root/autograder
mount --bind "$TOOLCHAIN" root/toolchain
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root SOFTMARK_TOOLCHAIN=/toolchain \
    chroot root setpriv --inh-caps=-all --bounding-set="$CAPABILITIES" sh -euc "$1"
"#;

/// Does what the platform does: sets the image up, and grades each submission.
const GRADE: &str = r#"
cd /autograder
sh source/setup.sh > setup.txt 2>&1
cp source/run_autograder run_autograder
code=0
@BEFORE@
for path in submissions/*; do
    name=${path##*/}
    rm -rf submission results
    mkdir results
    cp -r "$path" submission
    ./run_autograder > results/stdout 2> results/stderr || code=$?
    mkdir -p done
    mv results "done/$name"
done
exit $code
"#;

/// A container with an unpacked package.
#[must_use]
pub(super) struct Container {
    desk: Desk,
    before: String,
}

impl Container {
    /// Returns a container with the package; `None` where none can be made.
    pub(super) fn new(package: &Path) -> Option<Self> {
        let sysroot = rustc("--print sysroot", Path::new(HOME)).output().unwrap();
        let sysroot = String::from_utf8(sysroot.stdout).unwrap();
        let desk = Desk::new().env("TOOLCHAIN", sysroot.trim()).env("CAPABILITIES", CAPABILITIES);
        fs::create_dir(desk.path("autograder")).unwrap();
        let container = Self { desk, before: String::new() };
        let tried = container.enter("cc --version > /dev/null");
        if !tried.as_ref().is_ok_and(|ran| ran.code == 0) {
            let why = tried.map_or_else(|error| error.to_string(), |ran| ran.stderr);
            skipped(&format!("no container like Gradescope's can be made here: {why}"));
            return None;
        }
        fs::remove_dir(container.desk.path("root")).unwrap();
        unpack(package, &container.path("source"));
        Some(container)
    }

    /// With a submission that is a copy of the project's folder `from`.
    pub(super) fn submission(self, name: &str, from: &str) -> Self {
        copy(&Path::new(HOME).join(from), &self.path("submissions").join(name));
        self
    }

    /// With a file in `/autograder`.
    pub(super) fn file(self, path: &str, text: &str) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self
    }

    /// With a command that runs after the image was set up.
    pub(super) fn before_grading(self, command: &str) -> Self {
        Self { before: command.to_owned(), ..self }
    }

    /// Sets the image up and grades all submissions; fails with the exit status of the last that failed.
    pub(super) fn run(&self) -> Ran {
        self.enter(&GRADE.replace("@BEFORE@", &self.before)).unwrap()
    }

    fn enter(&self, script: &str) -> io::Result<Ran> {
        let mut command = self.desk.other("unshare");
        command.args(SPACES).args(["sh", "-euc", ENTER, "container", script]);
        Ok(Ran::of(&command.output()?))
    }

    /// Returns the path of a file in `/autograder`.
    fn path(&self, path: &str) -> PathBuf {
        self.desk.path("autograder").join(path)
    }

    /// Returns the text of a file in `/autograder`.
    pub(super) fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns the results of a submission, and what instructors see of its grading.
    pub(super) fn results(&self, name: &str) -> (Value, String) {
        let said = self.read(&format!("done/{name}/stdout"));
        let results = self.read(&format!("done/{name}/results.json"));
        (serde_json::from_str(&results).unwrap(), said)
    }
}

/// Unpacks an archive with the permissions that it says.
fn unpack(archive: &Path, folder: &Path) {
    let mut archive = ZipArchive::new(File::open(archive).unwrap()).unwrap();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let path = folder.join(entry.enclosed_name().unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = File::create(&path).unwrap();
        io::copy(&mut entry, &mut file).unwrap();
        let mode = Permissions::from_mode(entry.unix_mode().unwrap());
        fs::set_permissions(&path, mode).unwrap();
    }
}
