//! Compiles one submission and links its programs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread::{self, Scope, ScopedJoinHandle};

use softmark_sandbox::{CompletedProcess, Level, Limits};

use crate::build::code::{self, Source};
use crate::build::error::BuildError;
use crate::build::fault::{self, BuildFault, BuildFaultKind, Compiled};
use crate::build::pack::{CANDLE_CORE, Pack};
use crate::build::rustc::Rustc;
use crate::build::{ProgramSpec, StudentCrates};
use crate::build::{inputs, rustc, scan};
use crate::model::Usage;

/// Name of the crate that a student's code is compiled as.
pub(crate) const CRATE: &str = "submission";

/// Name of the folder that the student's library is compiled into.
const LIBRARY: &str = "library";

/// Name, in that folder, of the compiler's list of files that it read (`--emit=dep-info`).
const READ: &str = "submission.d";

/// Name of the link to the compiler's own libraries, in the folder that the compiler runs in.
const TOOLCHAIN: &str = "toolchain";

/// Name of the folder of a second attempt.
const AGAIN: &str = "again";

/// Submission that was compiled and linked.
#[derive(Debug, Clone)]
pub struct Built {
    /// Programs: name → file.
    pub programs: BTreeMap<String, PathBuf>,
    /// Resources used by all steps together.
    pub usage: Usage,
    /// Resources used by each step.
    pub steps: Vec<Step>,
}

/// One run of the compiler.
#[derive(Debug, Clone)]
pub struct Step {
    /// Name of the step: `submission`, or the program's name.
    pub name: String,
    /// Resources used by the step.
    pub usage: Usage,
}

impl Step {
    /// True if the step compiles the student's code; all others link programs.
    pub(crate) fn is_submission(&self) -> bool {
        self.name == CRATE
    }
}

/// Settings of the compiler for a student's code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compilation<'a> {
    /// Libraries that the code names.
    pub(crate) crates: &'a StudentCrates,
    /// Further flags of the compiler.
    pub(crate) flags: &'a [String],
    /// Limits of the compiler.
    pub(crate) limits: &'a Limits,
}

/// Returns the libraries that the code of a submission with these programs names.
pub(crate) fn crates_of(programs: &[ProgramSpec]) -> StudentCrates {
    programs.first().map(|program| program.crates.clone()).unwrap_or_default()
}

impl Pack {
    /// Compiles a submission and links its programs. All output is written into `scratch`, which
    /// must be an empty folder used for nothing else.
    ///
    /// # Errors
    ///
    /// Fails only if the grader's side fails; an error in the student's code is a [`BuildFault`].
    pub fn compile(
        &self,
        source: &Source,
        programs: &[ProgramSpec],
        scratch: &Path,
    ) -> Result<Compiled<Built>, BuildError> {
        if let Some(fault) = self.refused(source)? {
            return Ok(Compiled::Faulty(fault));
        }
        self.try_twice(source, programs, scratch, true)
    }

    /// Returns the fault of a submission that must not be compiled at all.
    pub(crate) fn refused(&self, source: &Source) -> Result<Option<BuildFault>, BuildError> {
        if self.tools.sandbox.level() == Level::Strict {
            return Err(BuildError::NeedsIsolation);
        }
        Ok(scan::reads(source))
    }

    /// Compiles a submission and links its programs; tries again if the compiler failed without
    /// naming a location in the code. `is_first` is true if the toolchain has not been tested for
    /// this submission.
    pub(crate) fn try_twice(
        &self,
        source: &Source,
        programs: &[ProgramSpec],
        scratch: &Path,
        is_first: bool,
    ) -> Result<Compiled<Built>, BuildError> {
        let limits = rustc::first_limits();
        let fault = match self.attempt(source, programs, scratch, &limits)? {
            built @ Compiled::Built(_) => return Ok(built),
            Compiled::Faulty(fault) => fault,
        };
        if is_first {
            self.is_fit(scratch)?;
        }
        if !fault.places.is_empty() || fault.kind == BuildFaultKind::Forbidden {
            return Ok(Compiled::Faulty(fault));
        }
        // The compiler names no location in the code. A resource may have been missing for a
        // moment, such as disk space that another submission took. A time-out is final after a run
        // with twice the time.
        let again = folder(scratch, AGAIN)?;
        let limits = rustc::second_limits(&limits, fault.kind);
        self.attempt(source, programs, &again, &limits)
    }

    /// Compiles a submission and links its programs, or returns the compiler's errors. `limits`
    /// apply to each run of the compiler.
    pub(crate) fn attempt(
        &self,
        source: &Source,
        programs: &[ProgramSpec],
        scratch: &Path,
        limits: &Limits,
    ) -> Result<Compiled<Built>, BuildError> {
        let scratch = scratch.canonicalize().map_err(|e| BuildError::io("find", scratch, e))?;
        let how = Compilation { crates: &crates_of(programs), flags: &[], limits };
        let mut usage = match self.compile_library(source, &scratch, &how)? {
            Compiled::Built(usage) => usage,
            Compiled::Faulty(fault) => return Ok(Compiled::Faulty(fault)),
        };
        let prefixes = self.prefixes_in(&scratch);
        let libraries = [(CRATE.to_owned(), library_of(&scratch))];
        let mut steps = vec![Step { name: CRATE.to_owned(), usage }];
        let mut built = BTreeMap::new();
        let mut faults = Vec::new();
        let mut links = Usage::default();
        let linked = self.link_all(programs, (&libraries, limits), &scratch)?;
        for (program, finished) in programs.iter().zip(linked) {
            links.cpu += finished.usage.cpu;
            // The links run at the same time.
            links.wall = links.wall.max(finished.usage.wall);
            links.peak_bytes = links.peak_bytes.max(finished.usage.peak_bytes);
            steps.push(Step { name: program.name.clone(), usage: finished.usage.into() });
            built.insert(program.name.clone(), output(program, &scratch));
            let fault = fault::read(&finished, limits, &prefixes);
            faults.extend(fault.map(|fault| (program, fault)));
        }
        usage = Usage {
            cpu: usage.cpu + links.cpu,
            wall: usage.wall + links.wall,
            peak_bytes: usage.peak_bytes.max(links.peak_bytes),
        };
        match faults.into_iter().next() {
            None => Ok(Compiled::Built(Built { programs: built, usage, steps })),
            // The grader wrote the text of that program.
            Some((program, fault)) if fault.is_at(&main_file(program)) => {
                let (name, message) = (program.name.clone(), fault.message.to_multiline());
                Err(BuildError::Program { name, message })
            }
            Some((_, fault)) => Ok(Compiled::Faulty(BuildFault { usage, ..fault })),
        }
    }

    /// Writes a submission's files below `scratch` and compiles them to [a library](library_of); returns the
    /// resources used.
    pub(crate) fn compile_library(
        &self,
        source: &Source,
        scratch: &Path,
        how: &Compilation<'_>,
    ) -> Result<Compiled<Usage>, BuildError> {
        code::write(source, &scratch.join(CRATE).join("src"))?;
        let out = folder(scratch, LIBRARY)?;
        let finished = self.student_library(&out, &scratch.join(CRATE), how)?;
        let usage = finished.usage.into();
        let fault = fault::read(&finished, how.limits, &self.prefixes_in(scratch));
        if let Some(fault) = inputs::foreign(&out.join(READ), source)? {
            return Ok(Compiled::Faulty(BuildFault { usage, ..fault }));
        }
        Ok(match fault {
            None => Compiled::Built(usage),
            // If the compiler failed before it wrote its list, errors located in another file show
            // that it read that file. Their text may be the file's content, so it is not shown.
            Some(fault) if fault.places.iter().any(|it| it.is_foreign(source)) => {
                Compiled::Faulty(BuildFault { usage, ..inputs::reads_file() })
            }
            Some(fault) => Compiled::Faulty(fault),
        })
    }

    /// Returns machine paths, with those of a submission in `scratch`, and their replacements.
    fn prefixes_in(&self, scratch: &Path) -> Vec<(PathBuf, &'static str)> {
        let mut prefixes = self.prefixes.clone();
        prefixes.push((scratch.join(CRATE), "."));
        prefixes.push((scratch.to_owned(), "."));
        prefixes
    }

    /// Compiles the student's crate alone into the folder `out`; the code cannot name anything of
    /// the grader's.
    fn student_library(
        &self,
        out: &Path,
        dir: &Path,
        how: &Compilation<'_>,
    ) -> Result<CompletedProcess, BuildError> {
        let link = dir.join(TOOLCHAIN);
        symlink(self.toolchain.sysroot.join("lib"), &link)
            .map_err(|e| BuildError::io("make", &link, e))?;
        let rustc = Rustc::new(self, CRATE, "src/lib.rs", out)
            .limits(how.limits)
            // A crate cannot override a lint that the command line forbids.
            .flags(&["--crate-type=rlib", "-Funsafe_code", "--emit=link,dep-info"])
            .flags(how.flags)
            .libraries_by(TOOLCHAIN)
            .dependencies(self.student_dir())
            .library(CANDLE_CORE, &self.library(CANDLE_CORE)?)
            .library("candle_nn", &self.library(&how.crates.candle_nn)?)
            .library("softmark_kit", &self.library(&how.crates.kit)?);
        rustc.run(dir)
    }

    /// Links all programs at the same time; returns the results in the order of `programs`.
    fn link_all(
        &self,
        programs: &[ProgramSpec],
        (libraries, limits): (&[(String, PathBuf)], &Limits),
        scratch: &Path,
    ) -> Result<Vec<CompletedProcess>, BuildError> {
        let link = |program: &ProgramSpec| self.link(program, (libraries, limits), scratch);
        thread::scope(|scope| {
            let links = programs.iter().map(|program| on_thread(scope, program, link));
            let links: Vec<_> = links.collect::<Result<_, _>>()?;
            links.into_iter().map(joined).collect()
        })
    }

    /// Links one program with submissions' libraries; each comes with the crate name that the
    /// program's text uses.
    pub(crate) fn link(
        &self,
        program: &ProgramSpec,
        (libraries, limits): (&[(String, PathBuf)], &Limits),
        scratch: &Path,
    ) -> Result<CompletedProcess, BuildError> {
        let main = main_file(program);
        let dir = folder(scratch, &program.name)?;
        let path = dir.join(&main);
        fs::write(&path, &program.main).map_err(|e| BuildError::io("write", &path, e))?;
        let linker = self.show_linker(&dir)?;
        let mut rustc = Rustc::new(self, &program.name, &main, &dir)
            .limits(limits)
            .flags(&["--crate-type=bin", STRIP, STATIC])
            .flags(&linking(linker.as_deref()))
            .dependencies(self.student_dir())
            .dependencies(self.trusted_dir())
            .linker(&dir);
        for (name, file) in libraries {
            rustc = rustc.library(name, file);
        }
        for name in &program.libraries {
            rustc = rustc.library(name, &self.library(name)?);
        }
        let finished = rustc.run(&dir)?;
        if let Some(linker) = linker {
            // The program runs in this folder next, perhaps without isolation.
            fs::remove_file(&linker).map_err(|e| BuildError::io("remove", &linker, e))?;
        }
        Ok(finished)
    }

    /// Links the toolchain's own linker, if it has one, into `dir` under the name that the C
    /// compiler looks for. The linker also chooses its mode by that name.
    fn show_linker(&self, dir: &Path) -> Result<Option<PathBuf>, BuildError> {
        let Some(linker) = &self.linker else {
            return Ok(None);
        };
        let link = dir.join("ld.lld");
        symlink(linker, &link).map_err(|e| BuildError::io("make", &link, e))?;
        Ok(Some(link))
    }
}

/// Result of linking a program.
type Linked = Result<CompletedProcess, BuildError>;

/// Links a program on a thread of its own.
fn on_thread<'scope>(
    scope: &'scope Scope<'scope, '_>,
    program: &'scope ProgramSpec,
    link: impl FnOnce(&ProgramSpec) -> Linked + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, Linked>, BuildError> {
    let thread = thread::Builder::new().name(format!("link {}", program.name));
    thread.spawn_scoped(scope, move || link(program)).map_err(BuildError::Thread)
}

/// Waits for the thread that links a program.
fn joined(link: ScopedJoinHandle<'_, Linked>) -> Linked {
    link.join().unwrap_or_else(|_| Err(BuildError::Thread(io::Error::other("it panicked"))))
}

/// Returns linker flags for calling the linker in the folder of `linker` directly. The wrapper
/// program that otherwise chooses it finds itself through `/proc`, which is not mounted.
fn linking(linker: Option<&Path>) -> Vec<OsString> {
    let Some(dir) = linker.and_then(Path::parent) else {
        return Vec::new();
    };
    let mut found = OsString::from("-Clink-arg=-B");
    found.push(dir);
    vec!["-Clinker-features=-lld".into(), "-Clink-arg=-fuse-ld=lld".into(), found]
}

/// Creates a folder in `scratch` and returns its path.
pub(crate) fn folder(scratch: &Path, name: &str) -> Result<PathBuf, BuildError> {
    let dir = scratch.join(name);
    fs::create_dir(&dir).map_err(|source| BuildError::io("make", &dir, source))?;
    Ok(dir)
}

/// Returns the path of the library of a submission that is compiled in `scratch`.
pub(crate) fn library_of(scratch: &Path) -> PathBuf {
    scratch.join(LIBRARY).join(format!("lib{CRATE}.rlib"))
}

/// Returns the path of a linked program.
fn output(program: &ProgramSpec, scratch: &Path) -> PathBuf {
    scratch.join(&program.name).join(&program.name)
}

/// Flag that strips debug information: 2.6 MB instead of 6.6 MB to write and to load, in the same
/// time.
///
/// Other ways of linking were slower. A worker with candle takes 0.15 s of processor time with the
/// toolchain's own `lld`, and 0.48 s with the system's linker (`-Clinker-features=-lld`);
/// `--gc-sections` and a linker with one thread change nothing that can be measured. Library and
/// two programs together: 0.65 s of processor time, 0.55 s from start to end.
const STRIP: &str = "-Cstrip=debuginfo";

/// Flag for static linking: a worker can open no file, hence no shared library. Static programs
/// also start faster.
const STATIC: &str = "-Ctarget-feature=+crt-static";

fn main_file(program: &ProgramSpec) -> String {
    format!("{}.rs", program.name)
}
