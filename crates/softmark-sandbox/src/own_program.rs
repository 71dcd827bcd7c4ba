//! This program, started again with other arguments.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio, id};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid};

use crate::clock::Clock;

/// Most bytes of a line that are kept.
const MOST_BYTES: u64 = 4096;

/// Limit of the wait for lines once the program has ended. Without a limit, another process that holds its standard error open would
/// make it run forever.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time that a program gets to end once it is told to: more than a grader takes to remove its temporary files.
const GRACE: Duration = Duration::from_secs(10);

/// Time between two looks whether a program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Environment variable of a program that was started as an [`OwnProgram`]: the id of the process that started it. What that program starts
/// inherits the variable, and has another parent.
const STARTER: &str = "SOFTMARK_STARTER";

/// Process that started this one as an [`OwnProgram`].
#[derive(Debug)]
pub struct Starter(());

impl Starter {
    /// Returns the process that started this one; `None` if it was not started as an [`OwnProgram`].
    #[expect(clippy::disallowed_methods, reason = "the variable is this module's own")]
    pub fn find() -> Option<Self> {
        let id = std::env::var(STARTER).ok()?.parse().ok()?;
        (getppid() == Pid::from_raw(id)).then_some(Self(()))
    }

    /// Waits until the process has ended, however it has: it holds the standard input of this one open, and writes nothing to it.
    pub fn wait_for_end(self) {
        io::copy(&mut io::stdin().lock(), &mut io::sink()).ok();
    }
}

/// This program, started again with other arguments, such as those of a grading run. It has no limits and no isolation: it is
/// the grader, and isolates by itself what it runs. It is told to end when this value is dropped, and killed if it does not. It learns
/// of the end of this process from its standard input ([`Starter`]), so that it can end even if this process is killed.
#[derive(Debug)]
pub struct OwnProgram {
    child: Child,
    /// Thread that reads its lines.
    reader: Option<JoinHandle<()>>,
    /// Time since the program was found to have ended; `None` before.
    since_end: Option<Clock>,
}

impl OwnProgram {
    /// Starts the program in the folder `dir` with these arguments and this environment. `on_line` gets each line that it writes
    /// to its standard error; what it writes to its standard output is dropped.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be started.
    pub fn start(
        program: &Path,
        args: &[OsString],
        env: &BTreeMap<OsString, OsString>,
        dir: &Path,
        on_line: impl FnMut(String) + Send + 'static,
    ) -> io::Result<Self> {
        let mut command = command(program);
        command.args(args).env_clear().envs(env).env(STARTER, id().to_string()).current_dir(dir);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // It is told to end if nobody can listen to it.
        let mut started = Self { child: command.spawn()?, reader: None, since_end: None };
        if let Some(errors) = started.child.stderr.take() {
            let thread = thread::Builder::new().name("own program".to_owned());
            let read = move || read_lines(BufReader::new(errors), on_line);
            started.reader = Some(thread.spawn(read)?);
        }
        Ok(started)
    }

    /// Tells the program to end, as Ctrl-C does. If it has ended, nothing happens.
    ///
    /// The signal is not that of Ctrl-C: a shell tells the programs that a script starts in the background to ignore that, and so
    /// would all that they start.
    ///
    /// # Errors
    ///
    /// Fails if the system does not let it be told.
    pub fn interrupt(&mut self) -> io::Result<()> {
        // The id of a process that has ended may belong to another one by now.
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        let id = i32::try_from(self.child.id()).map_err(io::Error::other)?;
        Ok(kill(Pid::from_raw(id), Signal::SIGTERM)?)
    }

    /// Returns how the program ended; `None` if it runs, or if lines of it may still come.
    ///
    /// # Errors
    ///
    /// Fails if the system does not tell.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        let Some(status) = self.child.try_wait()? else { return Ok(None) };
        let since_end = self.since_end.get_or_insert_with(Clock::start);
        let is_heard = self.reader.as_ref().is_none_or(JoinHandle::is_finished);
        Ok((is_heard || since_end.elapsed() > PATIENCE).then_some(status))
    }
}

impl Drop for OwnProgram {
    fn drop(&mut self) {
        self.interrupt().ok();
        let since_told = Clock::start();
        while matches!(self.child.try_wait(), Ok(None)) && since_told.elapsed() < GRACE {
            thread::sleep(PAUSE);
        }
        // Fails if it has ended.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Reads lines until the program closes its standard error. Of a long line, the beginning is kept.
fn read_lines(mut errors: impl BufRead, mut on_line: impl FnMut(String)) {
    loop {
        let mut line = Vec::new();
        match errors.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => on_line(String::from_utf8_lossy(&line).trim_end().to_owned()),
        }
        if !line.ends_with(b"\n") && errors.skip_until(b'\n').is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const SOON: Duration = Duration::from_secs(10);

    fn start(script: &str) -> (OwnProgram, mpsc::Receiver<String>) {
        let (sender, receiver) = mpsc::channel();
        let args = ["-c".into(), script.into()];
        let on_line = move |line| drop(sender.send(line));
        let env = BTreeMap::from([("WORD".into(), "told".into())]);
        let program = OwnProgram::start(Path::new("/bin/sh"), &args, &env, Path::new("/"), on_line);
        (program.unwrap(), receiver)
    }

    #[test]
    fn lines_are_heard_and_the_end_is_known() {
        let (mut program, lines) = start("echo out; echo $WORD >&2; echo more >&2; exit 3");
        assert_eq!(lines.recv_timeout(SOON).unwrap(), "told");
        assert_eq!(lines.recv_timeout(SOON).unwrap(), "more");
        assert!(lines.recv_timeout(SOON).is_err(), "its end closes the channel");
        assert_eq!(wait_for(&mut program).code(), Some(3));
    }

    #[test]
    fn a_program_knows_its_starter_and_what_it_starts_has_another_parent() {
        let (mut program, lines) = start(
            "[ $SOFTMARK_STARTER = $PPID ] && echo own >&2; sh -c '[ $SOFTMARK_STARTER = $PPID ]' || echo other >&2",
        );
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["own", "other"]);
        wait_for(&mut program);
    }

    /// The end is known when all lines are: here they are read slowly, and there the channel is held open by another process.
    #[test]
    fn lines_come_before_the_end() {
        let args = ["-c".into(), "for n in 1 2 3; do echo $n >&2; done".into()];
        let (sender, receiver) = mpsc::channel();
        let on_line = move |line| {
            thread::sleep(Duration::from_millis(100));
            drop(sender.send(line));
        };
        let shell = Path::new("/bin/sh");
        let program = OwnProgram::start(shell, &args, &BTreeMap::new(), Path::new("/"), on_line);
        assert_eq!(wait_for(&mut program.unwrap()).code(), Some(0));
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), ["1", "2", "3"]);

        let (mut program, lines) = start("sleep 60 & echo $! >&2; exit 3");
        assert_eq!(wait_for(&mut program).code(), Some(3));
        program.interrupt().unwrap();
        let sleeper = lines.recv_timeout(SOON).unwrap().parse().unwrap();
        kill(Pid::from_raw(sleeper), Signal::SIGKILL).unwrap();
    }

    fn wait_for(program: &mut OwnProgram) -> ExitStatus {
        loop {
            match program.ended().unwrap() {
                Some(status) => return status,
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    #[test]
    fn of_a_long_line_the_beginning_is_kept() {
        let long = "x".repeat(10_000);
        let mut lines = Vec::new();
        read_lines(format!("{long}\nnext\n{long}").as_bytes(), |line| lines.push(line));
        let cut = long.get(..4096).unwrap();
        assert_eq!(lines, [cut, "next", cut]);
    }

    /// Started as a shell starts what a script puts into the background: Ctrl-C is ignored, by what it starts as well.
    #[test]
    fn a_program_in_the_background_is_told_to_end() {
        let script =
            "trap 'echo ended >&2; exit 1' TERM; echo ready >&2; while :; do sleep 0.05; done";
        let (mut program, lines) = start(&format!("trap '' INT; exec sh -c \"{script}\""));
        assert_eq!(lines.recv_timeout(SOON).unwrap(), "ready");
        program.interrupt().unwrap();
        assert_eq!(lines.recv_timeout(SOON).unwrap(), "ended");
        assert_eq!(wait_for(&mut program).code(), Some(1));
    }

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        let (program, lines) =
            start("trap '' INT TERM; echo ready >&2; while :; do sleep 0.05; done");
        assert_eq!(lines.recv_timeout(SOON).unwrap(), "ready");
        drop(program);
        assert!(lines.recv_timeout(SOON).is_err(), "it has ended");
    }
}
