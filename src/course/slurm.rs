//! Settings of Slurm in `softmark.toml`.

use serde::Deserialize;

/// Settings of Slurm in `softmark.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SlurmSettings {
    /// Partition.
    pub partition: Option<String>,
    /// Account that pays.
    pub account: Option<String>,
    /// Quality of service.
    pub qos: Option<String>,
    /// Features that nodes must have.
    pub constraint: Option<String>,
    /// Generic resources, such as `gpu:1`.
    pub gres: Option<String>,
    /// Most tasks of an array that run at the same time.
    pub array_limit: Option<u32>,
    /// Processors of each job, and submissions that it grades at the same time.
    pub cpus: Option<u32>,
    /// Minutes that a chunk should take.
    pub chunk_minutes: Option<u32>,
}

impl SlurmSettings {
    /// Returns the arguments of `sbatch` for the settings that Slurm itself has.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let each = [
            ("partition", &self.partition),
            ("account", &self.account),
            ("qos", &self.qos),
            ("constraint", &self.constraint),
            ("gres", &self.gres),
        ];
        let given = each.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        given.map(|(name, value)| format!("--{name}={value}")).collect()
    }
}
