//! A root file system that contains only the files of a job.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{chdir, pivot_root};

use crate::job::NULL_DEVICE;

/// Directory where the new root is assembled: every Linux system has it, and no job needs a file in it.
/// Only this process sees the file system that is mounted over it.
const STAGING: &str = "/proc";

/// Options of the new root's tmpfs: room for a few hundred mount points, and no more.
const TMPFS_OPTIONS: &str = "size=1m,nr_inodes=2048,mode=755";

/// List of all mounts.
const MOUNT_INFO: &str = "/proc/self/mountinfo";

/// Replaces the root of this process by one that contains the given files and directories, each at its
/// own path: `read` read-only, `write` writable.
///
/// The process must be in a mount namespace of its own, with the capability to mount.
///
/// # Errors
///
/// Fails if a path does not exist or cannot be mounted.
pub(crate) fn enter(read: &[PathBuf], write: &[PathBuf]) -> io::Result<()> {
    // Keeps these mounts out of other namespaces.
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(None::<&str>, "/", None::<&str>, private, None::<&str>)?;
    let mounted = mount_points()?;
    let bare = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("tmpfs"), STAGING, Some("tmpfs"), bare, Some(TMPFS_OPTIONS))
        .map_err(|errno| failed("mount", Path::new(STAGING), &errno.into()))?;
    for path in read {
        expose(path, &mounted, bare | MsFlags::MS_RDONLY)?;
    }
    for path in write {
        expose(path, &mounted, bare)?;
    }
    if !(read.is_empty() && write.is_empty()) {
        bind(Path::new(NULL_DEVICE))?;
    }
    // Afterwards both roots are mounted at `/`, the old one on top, which is then detached.
    chdir(STAGING)?;
    pivot_root(".", ".").map_err(|errno| failed("enter", Path::new(STAGING), &errno.into()))?;
    umount2(".", MntFlags::MNT_DETACH)?;
    chdir("/")?;
    let read_only = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | bare;
    Ok(mount(None::<&str>, "/", None::<&str>, read_only, None::<&str>)?)
}

/// Makes a file or directory visible in the new root, with everything that is mounted below it. A
/// symbolic link is recreated.
fn expose(path: &Path, mounted: &[PathBuf], flags: MsFlags) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path).map_err(|error| failed("find", path, &error))?;
    if metadata.is_symlink() {
        let (target, link) = (fs::read_link(path)?, staged(path));
        create_parent(&link)?;
        return symlink(target, link).map_err(|error| failed("link", path, &error));
    }
    bind(path)?;
    for point in mounted.iter().map(PathBuf::as_path).filter(|point| point.starts_with(path)) {
        // A recursive bind mount keeps the flags of the mounts below it, so each needs its own.
        if point != path {
            restrict(point, flags)?;
        }
    }
    restrict(path, flags)
}

/// Returns the place of a path in the new root while that is assembled.
fn staged(path: &Path) -> PathBuf {
    Path::new(STAGING).join(path.strip_prefix("/").unwrap_or(path))
}

fn create_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Bind-mounts a file or directory into the new root.
fn bind(path: &Path) -> io::Result<()> {
    let at = staged(path);
    let created = if at.exists() {
        // It is in a directory that is mounted already.
        Ok(())
    } else if path.is_dir() {
        fs::create_dir_all(&at)
    } else {
        create_parent(&at).and_then(|()| File::create(&at).map(drop))
    };
    created.map_err(|error| failed("mount", path, &error))?;
    let recursive = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount(Some(path), &at, None::<&str>, recursive, None::<&str>)
        .map_err(|errno| failed("mount", path, &errno.into()))
}

/// Adds mount flags to those that a mount has already.
fn restrict(path: &Path, flags: MsFlags) -> io::Result<()> {
    let at = staged(path);
    let current = statvfs(&at).map_err(|errno| failed("inspect", path, &errno.into()))?.flags();
    let inherited = [
        (FsFlags::ST_RDONLY, MsFlags::MS_RDONLY),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        // `relatime` needs no flag: the kernel keeps it.
    ];
    let inherited = inherited.into_iter().filter(|(flag, _)| current.contains(*flag));
    let remount = flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND;
    let flags = inherited.fold(remount, |flags, (_, inherited)| flags | inherited);
    mount(None::<&str>, &at, None::<&str>, flags, None::<&str>)
        .map_err(|errno| failed("remount", path, &errno.into()))
}

/// Returns all mount points.
fn mount_points() -> io::Result<Vec<PathBuf>> {
    let list = fs::read_to_string(MOUNT_INFO);
    let list = list.map_err(|error| failed("read", Path::new(MOUNT_INFO), &error))?;
    Ok(list.lines().filter_map(|line| line.split(' ').nth(4)).map(unescaped).collect())
}

/// Decodes a path of `mountinfo`, where blanks and the like are `\` and three octal digits.
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
    PathBuf::from(OsString::from_vec(bytes))
}

fn failed(action: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {action} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_escaped_mount_points() {
        for (escaped, path) in
            [("/a", "/a"), (r"/a\040b\134", r"/a b\"), (r"/a\04", r"/a\04"), (r"\", r"\")]
        {
            assert_eq!(unescaped(escaped), PathBuf::from(path));
        }
        assert!(mount_points().unwrap().contains(&PathBuf::from("/")));
    }
}
