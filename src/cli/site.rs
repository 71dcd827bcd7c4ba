//! Course, program and tools that grading needs from the machine.

use std::path::{Path, PathBuf};

use softmark_sandbox::{Level, Sandbox};

use crate::build::Tools;
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::course::{self, Course};
use crate::digest;
use crate::suite::{Catalog, Project};

/// Environment variable that names the folder of the prebuilt libraries.
const CACHE: &str = "SOFTMARK_CACHE";

/// Environment variable that names cargo's build folder.
const BUILD_FOLDER: &str = "CARGO_TARGET_DIR";

/// Environment variables that name the folders of the user, and of what programs keep there to save time.
const USER_HOME: &str = "HOME";
const USER_CACHE: &str = "XDG_CACHE_HOME";

/// Paths of the course and the program.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Path of the course's folder; the current folder if it is in no course.
    pub(crate) home: PathBuf,
    /// Exams of the assignments.
    pub(crate) catalog: Catalog,
    /// Path of this program; `None` if the system does not report it.
    program: Option<PathBuf>,
    env: Env,
}

impl Site {
    /// Finds the course: the folder that the environment names, or the one that the current folder is in.
    ///
    /// # Errors
    ///
    /// Fails if the environment names none, and the current folder is in a course that lies in another one.
    pub(crate) fn of(env: &Env) -> Result<Self, Failure> {
        let home =
            env.var(course::HOME).map_or_else(|| found(env), |home| Ok(PathBuf::from(home)))?;
        let program = env.program.clone();
        Ok(Self { home, catalog: env.catalog, program, env: env.clone() })
    }

    /// Returns the paths of a run that another process has set up.
    pub(crate) fn at(home: &Path, cache: &Path, env: &Env) -> Self {
        let mut env = env.clone();
        for (name, path) in [(course::HOME, home), (CACHE, cache)] {
            env.vars.insert(name.into(), path.into());
        }
        let (home, program) = (home.to_owned(), env.program.clone());
        Self { home, catalog: env.catalog, program, env }
    }

    /// Returns the folder and the exams of the course.
    pub(crate) fn project(&self) -> Project<'_> {
        Project { home: &self.home, catalog: self.catalog }
    }

    /// Returns the folder of the prebuilt libraries: the one that the environment names, or one of the user's, which all
    /// courses share. It is in the course's build folder if the user has none.
    pub(crate) fn cache(&self) -> PathBuf {
        let of_course = || self.home.join("target").join("softmark-pack");
        let of_user = || user_cache(&self.env).map_or_else(of_course, |it| it.join("softmark"));
        self.env.var(CACHE).map_or_else(of_user, PathBuf::from)
    }

    /// Returns the folder into which cargo has built the course, with libraries that a released folder needs as well; `None` if the
    /// course was not built.
    pub(crate) fn build_folder(&self) -> Option<PathBuf> {
        let of_course = || self.home.join("target");
        let folder = self.env.var(BUILD_FOLDER).map_or_else(of_course, PathBuf::from);
        folder.join("debug").is_dir().then_some(folder)
    }

    /// Reads the course.
    ///
    /// # Errors
    ///
    /// Fails if there is none, its `softmark.toml` is not valid, or a folder is missing.
    pub(crate) fn check(&self) -> Result<Course, Failure> {
        let home = self.home.display();
        if !self.home.join(course::FILE).is_file() {
            let file = course::FILE;
            let message = if self.env.var(course::HOME).is_some() {
                format!("{home}, which {} names, is no course: it has no `{file}`", course::HOME)
            } else {
                format!("{home} is in no course: neither it nor a folder above it has a `{file}`")
            };
            let hint = "go to the folder of the course, or set SOFTMARK_HOME to it; \
                        `grade new course DIR` makes one";
            return Err(Failure::broken(message, hint));
        }
        if let Some(missing) =
            ["assignments", "solutions"].iter().find(|folder| !self.home.join(folder).is_dir())
        {
            return Err(Failure::broken(
                format!("the course in {home} has no folder `{missing}`"),
                "`grade new assignment ID` makes the folders of an assignment",
            ));
        }
        Course::read(&self.home)
            .map_err(|error| Failure::broken(error.to_string(), "mend the file; nothing was done"))
    }

    /// Checks that the course does not lie in a submission. A student who hands in a `softmark.toml` would decide what
    /// is asked and built, if somebody ran the program in that folder.
    ///
    /// # Errors
    ///
    /// Fails if it does.
    pub(crate) fn is_apart_from(&self, submissions: &[PathBuf]) -> Result<(), Failure> {
        let Ok(home) = self.home.canonicalize() else { return Ok(()) };
        let holds = |path: &&PathBuf| path.canonicalize().is_ok_and(|path| home.starts_with(path));
        match submissions.iter().find(holds) {
            None => Ok(()),
            Some(path) => Err(Failure::usage(
                format!(
                    "the submission {} holds the {} by which the course is found",
                    path.display(),
                    course::FILE
                ),
                "run `grade` in the folder of your course, never in a submission",
            )),
        }
    }

    /// Returns the path of this program.
    ///
    /// # Errors
    ///
    /// Fails if the system does not report the path.
    pub(crate) fn program(&self) -> Result<PathBuf, Failure> {
        let hint = "is /proc mounted? Isolation starts this program again, under its own path";
        let unknown = || Failure::broken("the system does not say which program this is", hint);
        self.program.clone().ok_or_else(unknown)
    }

    /// Returns the SHA-256 of this program, in hexadecimal.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub(crate) fn program_digest(&self) -> Result<String, Failure> {
        let path = self.program()?;
        let failed = |error| {
            let hint = "the program has to stay where it was started";
            Failure::broken(format!("cannot read {}: {error}", path.display()), hint)
        };
        digest::of_file(&path).map_err(failed)
    }

    /// Returns the sandbox at this isolation level, and the environment, for compilers and submissions.
    ///
    /// # Errors
    ///
    /// Fails if this program cannot be found.
    pub(crate) fn tools(&self, level: Level) -> Result<Tools, Failure> {
        Ok(Tools { sandbox: Sandbox::new(self.program()?, level), env: self.env.vars.clone() })
    }
}

/// Returns the folder for files that a user's programs keep to save time; `None` if the user has no folder.
fn user_cache(env: &Env) -> Option<PathBuf> {
    let named = env.var(USER_CACHE).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = env.var(USER_HOME).map(PathBuf::from);
    let home = home.filter(|path| path.is_absolute() && path.is_dir());
    let usual = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    named.or_else(|| home.map(|home| home.join(usual)))
}

/// Returns the folder of the course that the current folder is in, or the current folder if it is in none.
fn found(env: &Env) -> Result<PathBuf, Failure> {
    let hint = "run `grade` in the folder of your course, never in a submission; if your course lies in another one, \
                set SOFTMARK_HOME to its folder";
    let current = env.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    match course::find(&current) {
        Ok(found) => Ok(found.unwrap_or(&current).to_owned()),
        Err(error) => Err(Failure::usage(error.to_string(), hint)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::exit::Exit;

    #[test]
    fn the_environment_may_name_the_course() {
        let built_from = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let below = Env { folder: Some(built_from.join("src/cli")), ..Env::of(&[]) };
        let site = Site::of(&below).unwrap();
        assert_eq!(site.home, built_from);
        assert!(site.check().is_ok());
        let site = Site::of(&Env::of(&[(course::HOME, "/nowhere")])).unwrap();
        let failure = site.check().unwrap_err();
        assert_eq!(failure.exit, Exit::NoGrade);
        assert!(failure.hint.unwrap().contains(course::HOME));
    }

    #[test]
    fn courses_of_a_user_share_a_cache() {
        let user = tempfile::tempdir().unwrap();
        let home = user.path().to_str().unwrap();
        let cache = |vars: &[(&str, &str)]| {
            let course = [(course::HOME, "/course")];
            Site::of(&Env::of(&[&course, vars].concat())).unwrap().cache().display().to_string()
        };
        let usual = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        let in_home = format!("{home}/{usual}/softmark");
        let in_course = "/course/target/softmark-pack";
        assert_eq!(cache(&[(USER_HOME, home)]), in_home);
        assert_eq!(cache(&[(USER_HOME, home), (USER_CACHE, "relative")]), in_home);
        assert_eq!(cache(&[(USER_HOME, home), (USER_CACHE, "/x")]), "/x/softmark");
        assert_eq!(cache(&[(USER_HOME, home), (USER_CACHE, "/x"), (CACHE, "/y")]), "/y");
        assert_eq!(cache(&[(USER_HOME, "/nonexistent")]), in_course);
        assert_eq!(cache(&[]), in_course);
    }

    #[test]
    fn outside_a_course_one_is_told_so() {
        let dir = tempfile::tempdir().unwrap();
        let env = Env { folder: Some(dir.path().to_owned()), ..Env::of(&[]) };
        let site = Site::of(&env).unwrap();
        let failure = site.check().unwrap_err();
        assert!(failure.message.contains("is in no course"), "{}", failure.message);
        std::fs::write(dir.path().join(course::FILE), "title = 1").unwrap();
        assert!(site.check().unwrap_err().message.ends_with("has no folder `assignments`"));
        for folder in ["assignments", "solutions"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
        }
        let failure = site.check().unwrap_err();
        assert!(failure.message.contains("line 1, column 9"), "{}", failure.message);
    }

    #[test]
    fn in_a_course_below_another_one_the_environment_has_to_name_it() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("class/amara");
        std::fs::create_dir_all(&inner).unwrap();
        for folder in [dir.path(), &inner] {
            std::fs::write(folder.join(course::FILE), "title = 'T'").unwrap();
        }
        let env = |vars: &[(&str, &str)]| Env { folder: Some(inner.clone()), ..Env::of(vars) };
        let failure = Site::of(&env(&[])).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        assert!(failure.message.contains("which of the two courses"), "{}", failure.message);
        assert!(failure.hint.unwrap().contains(course::HOME));
        let named = inner.to_str().unwrap();
        assert_eq!(Site::of(&env(&[(course::HOME, named)])).unwrap().home, inner);
    }
}
