//! The main function of a worker that a student's `cargo test` starts.

use std::net::{Ipv4Addr, TcpStream};
use std::process::ExitCode;

use softmark_kit::component::Components;

use crate::answering::{Experiments, answer_on_a_thread};

/// Answers requests about the components that `components` returns, over a connection to `port` of this machine, until the
/// other side closes it.
///
/// Unlike [`serve`](crate::serve), it works on every system, and experiments of detectors are not answered: only the grader
/// has the layers that they ask about.
pub fn serve_at(components: fn() -> Components, port: u16) -> ExitCode {
    let open = move || {
        let channel = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        // Each frame is one write, and the other side waits for it.
        channel.set_nodelay(true)?;
        Ok(channel)
    };
    ExitCode::from(answer_on_a_thread(components, open, Experiments::Unanswered))
}
