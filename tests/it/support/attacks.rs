//! The attacks in `fixtures/attacks`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::support::grade::HOME;

/// What an attack's folder says of it; `fixtures/README.md` explains the keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) attack: String,
    pub(crate) source: String,
    pub(crate) attacks: Vec<String>,
    pub(crate) outcome: String,
    pub(crate) trace: String,
    pub(crate) assignment: String,
    #[serde(default)]
    pub(crate) base: Base,
    #[serde(default)]
    pub(crate) points: f64,
    pub(crate) status: Option<Vec<String>>,
    pub(crate) folder: Option<String>,
    pub(crate) named: Option<String>,
    #[serde(default)]
    pub(crate) odd: Vec<String>,
    /// The archive that it comes as.
    pub(crate) archive: Option<String>,
    #[serde(default)]
    pub(crate) slow: bool,
    /// Most seconds of processor time that it may cost, its workers and the grader together.
    pub(crate) most_cpu: Option<u64>,
    pub(crate) proof: Option<Proof>,
    pub(crate) stopped: Option<Stopped>,
}

/// Where the files come from that an attack's folder does not hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Base {
    /// The assignment's folder.
    #[default]
    Skeleton,
    /// Its solution's.
    Solution,
}

/// What would be seen if the attack had worked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proof {
    /// A text in its record.
    pub(crate) shows: Option<String>,
    /// Files.
    #[serde(default)]
    pub(crate) writes: Vec<String>,
    /// Something arrives at a listener.
    pub(crate) reaches: Option<Listener>,
    /// Something of the environment is not as it was.
    pub(crate) harms: Option<Target>,
    /// Whether the attack is carried out without a sandbox too, to see that it works there.
    pub(crate) control: bool,
    /// Why it is not.
    pub(crate) why: Option<String>,
}

/// A listener of the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Listener {
    Tcp,
    Udp,
    SocketFile,
    AbstractSocket,
}

/// A thing of the environment that an attack may harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Target {
    Victim,
    Decoy,
}

/// From which level on the attack is stopped.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stopped {
    pub(crate) from: String,
    pub(crate) why: String,
}

/// An attack of the corpus.
#[derive(Debug, Clone)]
pub(crate) struct Attack {
    /// Its folder's name.
    pub(crate) name: String,
    /// The folder that contains its files and `expect.toml`.
    pub(crate) dir: PathBuf,
    pub(crate) expect: Expect,
}

impl Attack {
    /// What its record is called, where its folder is called `folder`.
    pub(crate) fn record(&self) -> &str {
        self.expect.named.as_deref().unwrap_or(&self.name)
    }

    pub(crate) fn folder(&self) -> &str {
        self.expect.folder.as_deref().unwrap_or(&self.name)
    }

    /// Returns true if isolation or a limit stops the attack: it reaches for the machine, or its process ends. Other attacks are
    /// stopped by intake, by the compiler, or by the comparison of numbers.
    pub(crate) fn tries_the_machine(&self) -> bool {
        let Expect { proof, stopped, most_cpu, status, .. } = &self.expect;
        let dies = status.iter().flatten().any(|status| status == "fault");
        proof.is_some() || stopped.is_some() || most_cpu.is_some() || dies
    }

    pub(crate) fn is_control(&self) -> bool {
        self.expect.proof.as_ref().is_some_and(|proof| proof.control)
    }
}

/// All attacks, in the order of their names.
pub(crate) fn corpus() -> Vec<Attack> {
    let dir = Path::new(HOME).join("fixtures/attacks");
    let mut attacks: Vec<Attack> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| {
            let dir = entry.unwrap().path();
            let path = dir.join("expect.toml");
            let text = fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let expect =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Attack { name: dir.file_name().unwrap().to_str().unwrap().to_owned(), dir, expect }
        })
        .collect();
    attacks.sort_by(|a, b| a.name.cmp(&b.name));
    attacks
}
