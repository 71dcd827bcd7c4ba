//! A root folder in which nothing is but what a program may see.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{chdir, pivot_root};

use crate::sandbox::files::NULL;

/// Where the new root is put together: a folder that every Linux system has, and that holds nothing
/// of what is shown in it. What is mounted over it is seen by this process alone.
const STAGE: &str = "/proc";

/// Room in the new root: for a few hundred folders that others are mounted on, and no more.
const ROOM: &str = "size=1m,nr_inodes=2048,mode=755";

/// Where what is mounted is listed.
const MOUNTS: &str = "/proc/self/mountinfo";

/// Makes a root of the given files and folders, each at its own path, the root of this process.
///
/// Called in a mount name space of its own, with the rights to mount.
///
/// # Errors
///
/// When something is not there, or cannot be mounted.
pub(crate) fn enter(read: &[PathBuf], write: &[PathBuf]) -> io::Result<()> {
    // Nothing that is mounted here may show outside.
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(None::<&str>, "/", None::<&str>, private, None::<&str>)?;
    let mounted = mount_points()?;
    let bare = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("tmpfs"), STAGE, Some("tmpfs"), bare, Some(ROOM))
        .map_err(|errno| failed("mount", Path::new(STAGE), &errno.into()))?;
    for path in read {
        show(path, &mounted, bare | MsFlags::MS_RDONLY)?;
    }
    for path in write {
        show(path, &mounted, bare)?;
    }
    if !(read.is_empty() && write.is_empty()) {
        bind(Path::new(NULL))?;
    }
    // Both the old root and the new one are then at `/`, the old one on top; it goes.
    chdir(STAGE)?;
    pivot_root(".", ".").map_err(|errno| failed("enter", Path::new(STAGE), &errno.into()))?;
    umount2(".", MntFlags::MNT_DETACH)?;
    chdir("/")?;
    let closed = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | bare;
    Ok(mount(None::<&str>, "/", None::<&str>, closed, None::<&str>)?)
}

/// Shows a file or folder, with everything that is mounted in it; of a link, the link alone.
fn show(path: &Path, mounted: &[PathBuf], flags: MsFlags) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path).map_err(|error| failed("find", path, &error))?;
    if metadata.is_symlink() {
        let (to, at) = (fs::read_link(path)?, staged(path));
        prepare_parent(&at)?;
        return symlink(to, at).map_err(|error| failed("link", path, &error));
    }
    bind(path)?;
    for point in mounted.iter().map(PathBuf::as_path).filter(|point| point.starts_with(path)) {
        // What is mounted below a folder is shown with it, and as open as before.
        if point != path {
            restrict(point, flags)?;
        }
    }
    restrict(path, flags)
}

/// Where a path is while the new root is put together.
fn staged(path: &Path) -> PathBuf {
    Path::new(STAGE).join(path.strip_prefix("/").unwrap_or(path))
}

fn prepare_parent(at: &Path) -> io::Result<()> {
    at.parent().map_or(Ok(()), fs::create_dir_all)
}

fn bind(path: &Path) -> io::Result<()> {
    let at = staged(path);
    let made = if at.exists() {
        // In a folder that is shown already.
        Ok(())
    } else if path.is_dir() {
        fs::create_dir_all(&at)
    } else {
        prepare_parent(&at).and_then(|()| File::create(&at).map(drop))
    };
    made.map_err(|error| failed("show", path, &error))?;
    let whole = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount(Some(path), &at, None::<&str>, whole, None::<&str>)
        .map_err(|errno| failed("show", path, &errno.into()))
}

/// Takes from what is shown what it should not have; what it never had it does not get.
fn restrict(path: &Path, flags: MsFlags) -> io::Result<()> {
    let at = staged(path);
    let has = statvfs(&at).map_err(|errno| failed("look at", path, &errno.into()))?.flags();
    let kept = [
        (FsFlags::ST_RDONLY, MsFlags::MS_RDONLY),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ];
    let kept = kept.into_iter().filter(|(flag, _)| has.contains(*flag)).map(|(_, flag)| flag);
    let flags = kept.fold(flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND, |all, flag| all | flag);
    mount(None::<&str>, &at, None::<&str>, flags, None::<&str>)
        .map_err(|errno| failed("close", path, &errno.into()))
}

/// Where something is mounted.
fn mount_points() -> io::Result<Vec<PathBuf>> {
    let listed = fs::read_to_string(MOUNTS).map_err(|e| failed("read", Path::new(MOUNTS), &e))?;
    Ok(listed.lines().filter_map(|line| line.split(' ').nth(4)).map(unescaped).collect())
}

/// Blanks and the like stand as `\` and three octal digits.
fn unescaped(word: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = word.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..3).filter(|_| *first == b'\\');
        let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        rest = after.get(if code.is_some() { 3 } else { 0 }..).unwrap_or_default();
        bytes.push(code.unwrap_or(*first));
    }
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
}

fn failed(what: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_read_as_they_are_written() {
        for (written, read) in
            [("/a", "/a"), (r"/a\040b\134", r"/a b\"), (r"/a\04", r"/a\04"), (r"\", r"\")]
        {
            assert_eq!(unescaped(written), PathBuf::from(read));
        }
        assert!(mount_points().unwrap().contains(&PathBuf::from("/")));
    }
}
