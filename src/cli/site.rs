//! Project, program and tools that grading needs from the machine.

use std::path::PathBuf;

use softmark_sandbox::{Level, Sandbox};

use crate::build::Tools;
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::suite::{Catalog, Project};

/// Default folder of the project: the one from which this program was built.
const BUILT_FROM: &str = env!("CARGO_MANIFEST_DIR");

/// Environment variable that names the project's folder.
const HOME: &str = "SOFTMARK_HOME";

/// Paths of the project and the program.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Path of the project's folder.
    pub(crate) home: PathBuf,
    /// Exams of the assignments.
    pub(crate) catalog: Catalog,
    /// Path of this program; `None` if the system does not report it.
    program: Option<PathBuf>,
    env: Env,
}

impl Site {
    /// Takes the paths from the environment, without checking them.
    pub(crate) fn of(env: &Env) -> Self {
        let home = env.var(HOME).map_or_else(|| PathBuf::from(BUILT_FROM), PathBuf::from);
        Self { home, catalog: env.catalog, program: env.program.clone(), env: env.clone() }
    }

    /// Returns the folder and the exams of the project.
    pub(crate) fn project(&self) -> Project<'_> {
        Project { home: &self.home, catalog: self.catalog }
    }

    /// Returns the folder of the prebuilt dependencies.
    pub(crate) fn cache(&self) -> PathBuf {
        self.home.join("target").join("softmark-pack")
    }

    /// Checks that the project exists.
    ///
    /// # Errors
    ///
    /// Fails if it does not exist.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let folders = ["assignments", "crates", "solutions"];
        match folders.iter().find(|folder| !self.home.join(folder).is_dir()) {
            None => Ok(()),
            Some(missing) => Err(Failure::broken(
                format!("{} is no Softmark project: it has no `{missing}/`", self.home.display()),
                format!("set {HOME} to the folder that holds `assignments/` and `crates/`"),
            )),
        }
    }

    /// Returns the path of this program.
    ///
    /// # Errors
    ///
    /// Fails if the system does not report the path.
    pub(crate) fn program(&self) -> Result<PathBuf, Failure> {
        self.program.clone().ok_or_else(|| {
            Failure::broken(
                "the system does not say which program this is",
                "is /proc mounted? Isolation starts this program again, under its own path",
            )
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::exit::Exit;

    #[test]
    fn the_environment_may_name_the_project() {
        assert_eq!(Site::of(&Env::of(&[])).home, PathBuf::from(BUILT_FROM));
        assert!(Site::of(&Env::of(&[])).check().is_ok());
        let site = Site::of(&Env::of(&[(HOME, "/nowhere")]));
        assert_eq!(site.cache(), PathBuf::from("/nowhere/target/softmark-pack"));
        let failure = site.check().unwrap_err();
        assert_eq!(failure.exit, Exit::NoGrade);
        assert!(failure.hint.unwrap().contains(HOME));
    }
}
