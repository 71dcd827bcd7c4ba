//! Compiling a submission of which not every file compiles.
//!
//! A file with an error takes all others down with it. So it is replaced by what the assignment handed
//! out, as if the student had not begun it: what the other files are worth is then seen, and a file
//! that does not compile is worth what a skeleton is.

use std::collections::BTreeMap;
use std::path::Path;

use crate::build::compile::{Built, ProgramSpec, Source, folder};
use crate::build::fault::{BuildFault, BuildFaultKind, Failure};
use crate::build::pack::{BuildError, Pack};
use crate::model::Usage;

/// A submission that became programs, perhaps without some of its files.
#[derive(Debug, Clone)]
pub struct Salvaged {
    /// The programs; their usage is that of all attempts.
    pub built: Built,
    /// The files that do not compile, which the programs hold the skeleton of; none as a rule.
    pub broken: BTreeMap<String, Broken>,
}

/// A file that does not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Its first error and where that is, in one line: `error[E0308]: mismatched types (src/a.rs:3:5)`.
    pub error: String,
}

impl Broken {
    /// Takes the first error in `file` from what the compiler says, or else the first one.
    fn read(file: &str, message: &str) -> Self {
        let lines = || message.lines().zip(message.lines().skip(1).chain([""]));
        let place = |line: &str| line.trim_start().strip_prefix("--> ").map(str::to_owned);
        let own = format!("src/{file}:");
        let found = lines()
            .filter(|(line, _)| line.starts_with("error"))
            .find(|(_, next)| place(next).is_some_and(|place| place.starts_with(&own)));
        let error = match found.or_else(|| lines().next()) {
            None => String::new(),
            Some((line, next)) => match place(next) {
                Some(place) => format!("{line} ({place})"),
                None => line.to_owned(),
            },
        };
        Self { error }
    }
}

/// Most files of a submission that are replaced: more than an assignment has, and few enough that a
/// submission whose every round is slow to fail does not hold up a class. Rounds are counted, because a
/// limit on measured time would decide differently from run to run.
const MAX_REPLACED: usize = 8;

impl Pack {
    /// Makes programs of a submission. A file that does not compile is replaced by that of `skeleton`,
    /// if any other file of the student's is left.
    ///
    /// # Errors
    ///
    /// As [`Pack::compile`].
    pub fn compile_or_replace(
        &self,
        source: &Source,
        skeleton: &Source,
        programs: &[ProgramSpec],
        scratch: &Path,
    ) -> Result<Result<Salvaged, BuildFault>, BuildError> {
        if let Some(fault) = self.refused(source)? {
            return Ok(Err(fault));
        }
        let mut rounds =
            Rounds { pack: self, programs, scratch, number: 0, usage: Usage::default() };
        let first = match rounds.compile(source)? {
            Ok(built) => return Ok(Ok(rounds.salvaged(built, BTreeMap::new()))),
            Err(failure) => failure,
        };
        let (mut current, mut broken) = (source.clone(), BTreeMap::new());
        let mut failure = Failure { fault: first.fault.clone(), places: first.places };
        let built = loop {
            let Some(file) = to_replace(&failure, &current, skeleton) else {
                return Ok(Err(BuildFault { usage: rounds.usage, ..first.fault }));
            };
            current.extend(skeleton.get(&file).map(|text| (file.clone(), text.clone())));
            let reason = Broken::read(&file, &failure.fault.message);
            broken.insert(file, reason);
            let nothing_left = skeleton.iter().all(|(name, text)| current.get(name) == Some(text));
            if nothing_left || broken.len() > MAX_REPLACED {
                return Ok(Err(BuildFault { usage: rounds.usage, ..first.fault }));
            }
            match rounds.compile(&current)? {
                Ok(built) => break built,
                Err(next) => failure = next,
            }
        };
        Ok(Ok(rounds.salvaged(built, broken)))
    }
}

/// The attempts at one submission.
struct Rounds<'a> {
    pack: &'a Pack,
    programs: &'a [ProgramSpec],
    scratch: &'a Path,
    number: usize,
    usage: Usage,
}

impl Rounds<'_> {
    fn compile(&mut self, source: &Source) -> Result<Result<Built, Failure>, BuildError> {
        let scratch = folder(self.scratch, &format!("round{}", self.number))?;
        let is_first = self.number == 0;
        self.number += 1;
        let compiled = self.pack.try_twice(source, self.programs, &scratch, is_first)?;
        let used = match &compiled {
            Ok(built) => built.usage,
            Err(failure) => failure.fault.usage,
        };
        self.usage.cpu += used.cpu;
        self.usage.wall += used.wall;
        self.usage.peak_bytes = self.usage.peak_bytes.max(used.peak_bytes);
        Ok(compiled)
    }

    fn salvaged(&self, built: Built, broken: BTreeMap<String, Broken>) -> Salvaged {
        Salvaged { built: Built { usage: self.usage, ..built }, broken }
    }
}

/// The file to replace after a failure: the first one with a syntax error, since others may follow
/// from it, or else the first one with any error. An error in a provided file is its fault whose module
/// stands there. `None` where no file is to blame or it is a skeleton already.
fn to_replace(failure: &Failure, current: &Source, skeleton: &Source) -> Option<String> {
    if failure.fault.kind != BuildFaultKind::Compile {
        return None;
    }
    let replaceable = |name: &str| {
        skeleton.get(name).is_some_and(|text| current.get(name).is_some_and(|it| it != text))
    };
    let (syntax, others): (Vec<_>, Vec<_>) =
        failure.places.iter().partition(|place| place.is_syntax);
    let places = || syntax.iter().chain(&others);
    let own = places().filter_map(|place| place.file.strip_prefix("src/"));
    if let Some(name) = own.into_iter().find(|name| replaceable(name)) {
        return Some(name.to_owned());
    }
    let modules = places().flat_map(|place| words(&place.text));
    let mut files = modules.map(|module| format!("{module}.rs"));
    files.find(|name| replaceable(name))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::fault::Place;

    fn source(files: &[(&str, &str)]) -> Source {
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    fn replaced(places: &[(&str, &str, bool)], current: &[(&str, &str)]) -> Option<String> {
        let place = |(file, text, is_syntax): &(&str, &str, bool)| Place {
            file: (*file).to_owned(),
            text: (*text).to_owned(),
            is_syntax: *is_syntax,
        };
        let (kind, message) = (BuildFaultKind::Compile, String::new());
        let fault = BuildFault { kind, message, errors: 1, usage: Usage::default() };
        let failure = Failure { fault, places: places.iter().map(place).collect() };
        let skeleton = source(&[("a.rs", "todo"), ("b.rs", "todo"), ("deep/c.rs", "todo")]);
        to_replace(&failure, &source(current), &skeleton)
    }

    #[test]
    fn replaces_the_file_that_the_first_error_is_in() {
        let all = [("lib.rs", ""), ("a.rs", "x"), ("b.rs", "y"), ("deep/c.rs", "z")];
        let is = |places: &[(&str, &str, bool)]| replaced(places, &all);
        assert_eq!(is(&[("src/b.rs", "", false), ("src/a.rs", "", false)]).unwrap(), "b.rs");
        assert_eq!(is(&[("src/b.rs", "", false), ("src/a.rs", "", true)]).unwrap(), "a.rs");
        assert_eq!(is(&[("src/deep/c.rs", "", false)]).unwrap(), "deep/c.rs");
        // In what is provided, the line names the module.
        assert_eq!(is(&[("src/lib.rs", "    type First = b::First;", false)]).unwrap(), "b.rs");
        assert_eq!(is(&[("src/lib.rs", "type A = c::A;", false)]), None);
        assert_eq!(is(&[]), None);
    }

    #[test]
    fn a_skeleton_is_not_replaced_again() {
        let places = [("src/a.rs", "", false), ("src/b.rs", "", false)];
        assert_eq!(replaced(&places, &[("a.rs", "todo"), ("b.rs", "y")]).unwrap(), "b.rs");
        assert_eq!(replaced(&places, &[("a.rs", "todo"), ("b.rs", "todo")]), None);
        assert_eq!(replaced(&places, &[("b.rs", "todo")]), None);
    }

    #[test]
    fn says_the_first_error_of_a_file_in_one_line() {
        let say = |file: &str, message: &str| Broken::read(file, message).error;
        let two = "error: a\n --> src/a.rs:1:2\n  |\n\nerror[E1]: b\n  --> src/b.rs:3:4\n";
        assert_eq!(say("a.rs", two), "error: a (src/a.rs:1:2)");
        assert_eq!(say("b.rs", two), "error[E1]: b (src/b.rs:3:4)");
        assert_eq!(say("c.rs", two), "error: a (src/a.rs:1:2)");
        assert_eq!(say("a.rs", "error: a\n\nmore"), "error: a");
        assert_eq!(say("a.rs", ""), "");
    }
}
