//! Fetching of files, from the cache or over the network into it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use hf_hub::progress::Progress;
use hf_hub::{HFClientBuilder, HFClientSync, HFError, split_id};

use crate::hub::file::{HubFile, Kind};
use crate::hub::options::{HubOptions, Network};
use crate::hub::transfer::{Hearing, Transfer};

/// Number of retries after a network or server error, and the delay before the first one.
const RETRIES: usize = 2;
const FIRST_DELAY: Duration = Duration::from_millis(200);

/// Errors of fetching a file from the Hub.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HubError {
    /// There is no such file, commit or repository, or it is private.
    #[error("{file} is not on {endpoint}; check its name, and set HF_TOKEN if it is private")]
    NotFound {
        /// The file.
        file: Box<HubFile>,
        /// The Hub's address.
        endpoint: String,
        /// Error of `hf-hub`.
        #[source]
        source: Box<HFError>,
    },
    /// The account must be granted access by the repository's owner, or there is no account.
    #[error(
        "{file} is gated or private; accept its terms on {endpoint} and set HF_TOKEN to a token of \
         the account that did"
    )]
    Gated {
        /// The file.
        file: Box<HubFile>,
        /// The Hub's address.
        endpoint: String,
        /// Error of `hf-hub`.
        #[source]
        source: Box<HFError>,
    },
    /// The Hub was not reached.
    #[error(
        "{endpoint} cannot be reached for {file}; check the network, or fetch the file elsewhere and \
         set HF_HUB_CACHE to that cache"
    )]
    NoNetwork {
        /// The file.
        file: Box<HubFile>,
        /// Address that was not reached.
        endpoint: String,
        /// Error of `hf-hub`.
        #[source]
        source: Box<HFError>,
    },
    /// The network may not be used, and the file is not in the cache.
    #[error("{file} is not in the cache {}, and HF_HUB_OFFLINE forbids fetching it", cache.display())]
    Offline {
        /// The file.
        file: Box<HubFile>,
        /// The cache.
        cache: PathBuf,
    },
    /// The Hub's response cannot be used.
    #[error("{endpoint} cannot give {file}: {source}")]
    Answer {
        /// The file.
        file: Box<HubFile>,
        /// The Hub's address.
        endpoint: String,
        /// Error of `hf-hub`.
        source: Box<HFError>,
    },
    /// The Hub returned the file of another commit.
    #[error("{endpoint} answered with another commit than that of {file}")]
    WrongCommit {
        /// The file.
        file: Box<HubFile>,
        /// The Hub's address.
        endpoint: String,
    },
    /// The client could not be created.
    #[error("the options for the Hub cannot be used: {0}")]
    Options(#[source] Box<HFError>),
}

/// A client of the Hub.
pub struct Hub {
    client: HFClientSync,
    network: Network,
    endpoint: String,
    cache: PathBuf,
    progress: Option<Progress>,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub")
            .field("endpoint", &self.endpoint)
            .field("network", &self.network)
            .finish_non_exhaustive()
    }
}

impl Hub {
    /// Returns a client with these options, without a request to the Hub.
    ///
    /// # Errors
    ///
    /// Fails with [`HubError::Options`] if the endpoint is not a URL.
    pub fn new(options: HubOptions) -> Result<Self, HubError> {
        let mut builder =
            HFClientBuilder::new().retry_max_attempts(RETRIES).retry_base_delay(FIRST_DELAY);
        if let Some(endpoint) = options.endpoint {
            builder = builder.endpoint(endpoint);
        }
        if let Some(token) = options.token {
            builder = builder.token(token);
        }
        if let Some(cache) = options.cache {
            builder = builder.cache_dir(cache);
        }
        let failed = |error| HubError::Options(Box::new(error));
        let client = builder.build().map_err(failed)?;
        let (endpoint, cache) = (client.endpoint().to_owned(), client.cache_dir().to_owned());
        let client = HFClientSync::from_inner(client).map_err(failed)?;
        Ok(Self { client, network: options.network, endpoint, cache, progress: None })
    }

    /// Returns the same client, which reports the progress of transfers to `hear`.
    #[must_use]
    pub fn telling(self, hear: impl Fn(&Transfer<'_>) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Progress::new(Hearing(hear))), ..self }
    }

    /// Returns the path of a file in the cache; fetches the file if it is not there. A file in the cache is
    /// not requested again, since the content at a commit does not change.
    ///
    /// # Errors
    ///
    /// Returns the [`HubError`] of the failure. Network and server errors are returned after retries; all
    /// other errors are returned at once.
    pub fn fetch(&self, file: &HubFile) -> Result<PathBuf, HubError> {
        let (owner, name) = split_id(file.repository());
        let cached = self.network == Network::Offline;
        let fetched = match file.kind() {
            Kind::Dataset => self
                .client
                .dataset(owner, name)
                .download_file()
                .filename(file.path())
                .revision(file.commit())
                .local_files_only(cached)
                .maybe_progress(self.progress.clone())
                .send(),
            Kind::Model => self
                .client
                .model(owner, name)
                .download_file()
                .filename(file.path())
                .revision(file.commit())
                .local_files_only(cached)
                .maybe_progress(self.progress.clone())
                .send(),
        };
        let path = fetched.map_err(|error| self.explained(error, file))?;
        // The cache's folder is named after the commit that the server reports for the file.
        if path.iter().any(|part| part == file.commit()) {
            return Ok(path);
        }
        Err(HubError::WrongCommit { file: Box::new(file.clone()), endpoint: self.endpoint.clone() })
    }

    /// Converts an error of `hf-hub` to the error for a caller that requested `file`.
    fn explained(&self, error: HFError, file: &HubFile) -> HubError {
        let file = Box::new(file.clone());
        let endpoint = self.endpoint.clone();
        if self.network == Network::Offline {
            return HubError::Offline { file, cache: self.cache.clone() };
        }
        let source = Box::new(error);
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "there may be more, and each is an answer"
        )]
        match *source {
            HFError::RepoNotFound { .. }
            | HFError::RevisionNotFound { .. }
            | HFError::EntryNotFound { .. } => HubError::NotFound { file, endpoint, source },
            HFError::AuthRequired { .. } | HFError::Forbidden { .. } => {
                HubError::Gated { file, endpoint, source }
            }
            HFError::Request { .. } => HubError::NoNetwork { file, endpoint, source },
            _ => HubError::Answer { file, endpoint, source },
        }
    }
}
