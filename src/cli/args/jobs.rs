//! Arguments about job engines.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args as ClapArgs;

use crate::jobs::{CommandEngine, PLAN, PLANS};

/// Name of the engine that runs a command.
pub(crate) const COMMAND: &str = "command";

/// Engine that grades.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum On {
    /// This process grades.
    Local,
    /// Slurm.
    Slurm,
    /// A command for each chunk.
    Command(String),
}

impl FromStr for On {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("local", "") => Ok(Self::Local),
            ("slurm", "") => Ok(Self::Slurm),
            (COMMAND, command) if CommandEngine::is_command(command) => {
                Ok(Self::Command(command.to_owned()))
            }
            (COMMAND, _) => Err(format!(
                "a command has {PLAN} for the file of a chunk, or {PLANS} for the files of all: \
                 --on command 'ssh node grade chunk {PLAN}'"
            )),
            _ => Err("the engines are `local`, `slurm` and `command`".to_owned()),
        }
    }
}

/// Options about job engines.
#[derive(Debug, ClapArgs)]
pub(crate) struct JobsArgs {
    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// Number of chunks [default: as many as take about three minutes each].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) chunks: Option<NonZeroUsize>,
}

/// Choice of a job engine.
#[derive(Debug, ClapArgs)]
pub(crate) struct EngineArgs {
    /// Work here (`local`), in a job array (`slurm`), or in processes that a command starts: `--on command CMD`
    /// runs CMD for each chunk of the work, with the chunk's file in place of {plan}, or once with all of
    /// them in place of {plans}.
    #[arg(long, value_name = "ENGINE", default_value = "local")]
    pub(crate) on: On,

    /// Arguments of `sbatch`, after `--`.
    #[arg(last = true, value_name = "SBATCH_ARGUMENT")]
    pub(crate) sbatch: Vec<String>,
}

/// Arguments of `grade chunk`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ChunkArgs {
    /// File of the chunk, in the folder of its run.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// Arguments of `grade doctor`.
#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// Number of jobs that describe the machines of the engine.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "1")]
    pub(crate) probes: NonZeroUsize,

    /// Folder that this machine shares with those of the engine, as for `grade run` [default: results].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Arguments of `grade attach`.
#[derive(Debug, ClapArgs)]
pub(crate) struct AttachArgs {
    /// Folder of the run, below `runs/` in the folder of results.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_a_place_for_the_plan() {
        assert_eq!("slurm".parse(), Ok(On::Slurm));
        let command = "ssh n grade chunk {plan}";
        assert_eq!(format!("command {command}").parse(), Ok(On::Command(command.to_owned())));
        for wrong in ["command", "command true", "sge", "slurm now"] {
            assert!(wrong.parse::<On>().is_err(), "{wrong}");
        }
    }
}
