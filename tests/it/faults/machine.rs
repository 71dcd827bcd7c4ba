//! Disks are full; the toolchain, the network or a library is not what it should be.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use super::{CLASS, Undisturbed, desk, record_of, two};
use crate::support::grade::{Desk, HOME, Ran};
use crate::support::notice::skipped;
use crate::support::pack::{cache, pack};
use crate::support::results::{results, whole};

/// Runs a script of `sh` in which `mount` works and is seen by nobody else, with `GRADE` set to the
/// program; `None` where the machine does not let anybody do that.
fn mounting(desk: &Desk, script: &str) -> Option<Ran> {
    let spaces = ["--user", "--map-root-user", "--mount", "--propagation", "private"];
    let run = |script: &str| {
        let mut command = desk.other("unshare");
        command.args(spaces).args(["sh", "-euc", script]).output()
    };
    if !run("mount -t tmpfs -o size=64k none scratch").is_ok_and(|output| output.status.success()) {
        skipped("no mount namespace here: no small disk can be filled");
        return None;
    }
    Some(Ran::of(&run(script).unwrap()))
}

#[test]
fn a_full_disk_of_results_loses_no_record() {
    let undisturbed = Undisturbed::get();
    let mut kept_some = false;
    for kibibytes in [160, 288, 416] {
        let desk = desk();
        fs::create_dir(desk.path("results")).unwrap();
        let script = format!(
            "mount -t tmpfs -o size={kibibytes}k none results
             code=0
             \"$GRADE\" class --jobs 1 --format json > full.json 2> full.txt || code=$?
             cp -a results full
             mount -o remount,size=64m results
             \"$GRADE\" class --format json
             cp -a results after
             exit $code"
        );
        let Some(ran) = mounting(&desk, &script) else { return };
        let told = desk.read("full.txt");
        assert_eq!(ran.code, 2, "{kibibytes} KiB are not full: {told}\n{ran}");
        assert!(told.contains("not full?") || told.contains("is there room"), "{told}");
        assert!(told.contains("results/"), "where: {told}");
        whole(&desk.path("full"));
        kept_some |= !desk.list("full/records").is_empty();
        assert_eq!(ran.stdout, undisturbed.stdout);
        assert_eq!(results(&desk.path("after")), undisturbed.kept);
        assert_eq!(desk.list("scratch"), ["readme"]);
    }
    assert!(kept_some, "all disks were full before the first record");
}

#[test]
fn a_full_scratch_is_no_students_fault() {
    let undisturbed = Undisturbed::get();
    let mut kinds = BTreeSet::new();
    // Full before anything is compiled, at the library, and at one of the programs.
    for kibibytes in [8, 64, 1024, 4096] {
        let desk = desk();
        let script = format!(
            "mount -t tmpfs -o size={kibibytes}k none scratch
             : > scratch/readme
             code=0
             \"$GRADE\" class --jobs 1 --format json > full.json 2> full.txt || code=$?
             umount scratch
             \"$GRADE\" class --format json
             exit $code"
        );
        let Some(ran) = mounting(&desk, &script) else { return };
        let told = desk.read("full.txt");
        assert_eq!(ran.code, 2, "{kibibytes} KiB are not full: {told}\n{ran}");
        let document: Value = serde_json::from_str(&desk.read("full.json")).unwrap_or_default();
        for record in document["records"].as_array().into_iter().flatten() {
            let outcome = record["outcome"].as_str().unwrap();
            kinds.insert(outcome.to_owned());
            assert_eq!(outcome, "no_grade", "{kibibytes} KiB: {record}");
            let reason = record["reason"].as_str().unwrap();
            assert!(reason.contains("room"), "what to do: {reason}");
        }
        assert_eq!(ran.stdout, undisturbed.stdout, "{kibibytes} KiB");
        assert_eq!(results(&desk.path("results")), undisturbed.kept);
    }
    assert_eq!(kinds.len(), 1, "no disk was full in the middle of anything");
}

/// A copy of the project, without what was built of it.
fn project(desk: Desk) -> Desk {
    let desk = ["assignments", "benches", "crates", "labs", "solutions"]
        .iter()
        .fold(desk, |desk, folder| desk.submission(&format!("project/{folder}"), folder))
        .submission("class/amara", "fixtures/class/amara");
    for file in ["Cargo.toml", "Cargo.lock", "softmark.toml"] {
        fs::copy(Path::new(HOME).join(file), desk.path("project").join(file)).unwrap();
    }
    // The grader itself is a member of the workspace, too.
    for (file, text) in [("src/lib.rs", ""), ("src/main.rs", "fn main() {}\n")] {
        fs::create_dir_all(desk.path("project/src")).unwrap();
        fs::write(desk.path("project").join(file), text).unwrap();
    }
    fs::create_dir_all(desk.path("project/tests/it")).unwrap();
    fs::write(desk.path("project/tests/it/main.rs"), "").unwrap();
    let (home, cache) = (desk.path("project"), desk.path("project/target/softmark-pack"));
    desk.env("SOFTMARK_HOME", home).env("SOFTMARK_CACHE", cache)
}

#[test]
fn a_first_run_without_network_says_what_it_needs() {
    let desk = project(Desk::new()).env("CARGO_NET_OFFLINE", "true");
    fs::create_dir(desk.path("empty")).unwrap();
    let empty = desk.path("empty");
    let ran = desk.env("CARGO_HOME", empty).grade("class").exit(2);
    assert!(ran.stderr.contains("cannot fetch the libraries"), "{ran}");
    assert!(ran.stderr.contains("cargo fetch --locked"), "what to do: {ran}");
}

#[test]
fn a_full_disk_of_libraries_says_so() {
    let desk = project(Desk::new());
    fs::create_dir(desk.path("project/target")).unwrap();
    let script = "mount -t tmpfs -o size=1m none project/target; exec \"$GRADE\" class";
    let Some(ran) = mounting(&desk.file("scratch/readme", ""), script) else { return };
    let ran = ran.exit(2);
    assert!(ran.stderr.contains("is there room on the disk"), "what to do: {ran}");
}

#[test]
fn what_is_built_needs_neither_network_nor_a_home_to_write_in() {
    let undisturbed = Undisturbed::get();
    let desk = desk();
    let home = format!("mount --bind '{HOME}' '{HOME}'; mount -o remount,bind,ro '{HOME}'");
    let script = format!("{home}; ! touch '{HOME}/x' 2> no; exec \"$GRADE\" class --format json");
    let Some(ran) = mounting(&desk, &script) else { return };
    assert_eq!(ran.exit(0).stdout, undisturbed.stdout);
    // Results that cannot be written are an error before anything is graded.
    let script = "mkdir results; mount --bind results results; mount -o remount,bind,ro results; \
                  exec \"$GRADE\" class";
    let Some(ran) = mounting(&two(), script) else { return };
    let ran = ran.exit(2);
    assert!(ran.stderr.contains("you may only read results, because of"), "{ran}");
}

#[test]
fn a_machine_without_rust_says_what_is_missing() {
    let ran = two().env("PATH", "/usr/bin:/bin").grade("class").exit(2);
    assert!(ran.stderr.contains("rustc is not on the PATH"), "{ran}");
    assert!(ran.stderr.contains("https://rustup.rs"), "what to do: {ran}");
}

/// A compiler that says it is another than the one that the libraries were built with is not asked
/// to use them, and neither is one that has become another by the time that a build fails.
#[test]
fn a_compiler_that_was_replaced_is_no_students_fault() {
    // Nothing of it can be saved: all other files are the skeleton.
    let broken = "pub struct MultiHead;\nfn f() -> u8 { \"\" }\n";
    let desk = two()
        .submission("class/dilnoza", "assignments/attention")
        .file("class/dilnoza/src/multi_head.rs", broken);
    let undisturbed = desk.grade("class/dilnoza --format json --out before").exit(0);
    assert!(undisturbed.stdout.contains("build_failed"), "{undisturbed}");
    let sysroot = desk.other("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8(sysroot.stdout).unwrap();
    // Calls itself by another name once it has compiled something.
    let real = format!("{}/bin/rustc", sysroot.trim());
    let flag = desk.path("replaced").display().to_string();
    let root = desk.path("rust").display().to_string();
    let compiler = format!(
        "#!/bin/sh\nfor arg in \"$@\"; do case $arg in sysroot) echo '{root}'; exit;; esac; done\n\
         if [ -e '{flag}' ] && [ \"$1\" = -vV ]; then echo 'rustc 9.9.9'; exit; fi\n\
         exec '{real}' \"$@\"\n"
    );
    let desk = desk.file("rust/bin/rustc", &compiler).file("replaced", "");
    let cargo = "#!/bin/sh\necho 'it would be built again' >&2\nexit 1\n";
    let desk = desk.file("rust/bin/cargo", cargo);
    for tool in ["rust/bin/rustc", "rust/bin/cargo"] {
        fs::set_permissions(desk.path(tool), Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", desk.path("rust/bin").display());
    let desk = desk.env("PATH", path);
    let ran = desk.grade("class/dilnoza").exit(2);
    assert!(ran.stderr.contains("it would be built again"), "{ran}");
}

#[test]
fn a_damaged_library_is_no_students_fault() {
    let desk = desk();
    // The pack is everybody's here: a copy is damaged, at the place of the original.
    let packs = cache().join("packs").join(pack().key());
    let packs = packs.display();
    let script = format!(
        "mkdir pack; cp -r '{packs}/.' pack; mount --bind pack '{packs}'
         file=$(ls pack/student/libcandle_core-*.rlib)
         size=$(stat -c %s \"$file\")
         tail -c +4097 \"$file\" | tr '\\000-\\377' '\\001-\\377\\000' > turned
         dd if=turned of=\"$file\" bs=4096 seek=1 conv=notrunc 2> dd
         [ $(stat -c %s \"$file\") = $size ]
         exec \"$GRADE\" class --format json"
    );
    let Some(ran) = mounting(&desk, &script) else { return };
    let ran = ran.exit(2);
    for name in CLASS {
        let record = record_of(&ran.stdout, name);
        assert_eq!(record["outcome"], "no_grade", "{record}");
        let reason = record["reason"].as_str().unwrap();
        assert!(reason.contains("libcandle_core") && reason.contains("is damaged"), "{reason}");
        assert!(reason.contains("the next run builds"), "what to do: {reason}");
    }
}
