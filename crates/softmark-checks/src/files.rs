//! A session over files with answers, so that they are checked like any other part.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use softmark_wire::{
    Asked, Attempt, Construction, Data, Fault, Reply, Request, Session, SessionError, Tensor,
};

use crate::signature::Signature;

/// The part that stands for the files with answers.
pub static ANSWERS: Signature = Signature::new("answers", &[], &[], &["answers.toml"]);

/// Names of the files with answers.
pub const NAMES: [&str; 2] = ["answers.toml", "answers.md"];

/// A session that answers with the contents of files, each under its name, and runs nothing.
#[derive(Debug, Clone, Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// A session about these files.
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self(files)
    }

    /// A session about the [files with answers](NAMES) in the folder `dir`; one that cannot be read
    /// answers nothing.
    pub fn read(dir: &Path) -> Self {
        let read = |name: &&str| Some(((*name).to_owned(), fs::read(dir.join(name)).ok()?));
        Self(NAMES.iter().filter_map(read).collect())
    }
}

impl Session for Files {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        let garbled = |what: &str| Ok(Attempt::Fault(Fault::Garbled(what.to_owned())));
        match request {
            Request::Construct(_) => Ok(Attempt::Success(Reply::Constructed)),
            Request::Forward { .. } => {
                let mut outputs = Vec::new();
                for (name, bytes) in &self.0 {
                    match Tensor::new(&[bytes.len()], Data::U8(bytes.clone())) {
                        Ok(tensor) => outputs.push((name.clone(), tensor)),
                        Err(error) => return garbled(&format!("`{name}`: {error}")),
                    }
                }
                Ok(Attempt::Success(Reply::Outputs(outputs)))
            }
            Request::Hello { .. }
            | Request::Gradients { .. }
            | Request::Parameters
            | Request::Train { .. }
            | Request::Detectors
            | Request::Detect { .. }
            | Request::Observed(_)
            | Request::ReadParameters
            | Request::SetParameters { .. }
            | Request::ConstructAndAsk { .. } => garbled("files are read, and nothing else"),
        }
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        Ok(())
    }
}

/// A session with a student's code that also has the answers beside it.
struct WithAnswers<'a> {
    code: &'a mut dyn Session,
    answers: Files,
    is_about_answers: bool,
}

/// `code`, and the answers in the folder `dir`; a file that is not there is none.
pub fn with_answers<'a>(code: &'a mut dyn Session, dir: &Path) -> impl Session + 'a {
    WithAnswers { code, answers: Files::read(dir), is_about_answers: false }
}

impl Session for WithAnswers<'_> {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        if let Request::Construct(Construction { part, .. }) = request {
            self.is_about_answers = part == ANSWERS.part;
        }
        if self.is_about_answers { self.answers.ask(request) } else { self.code.ask(request) }
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.code.renew()
    }
}
