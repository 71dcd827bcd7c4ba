//! The solutions, asked in this process.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use softmark_checks::files::Files;
use softmark_exam::Program;
use softmark_kit::component::Components;
use softmark_wire::{Asked, Attempt, Fault, Reply, Request, Session, SessionError};
use softmark_worker::Dispatcher;

use crate::support::pack::HOME;

type Attention = attention_solution::Submission;
type Debugging = debugging_solution::Submission;
type Encoder = encoder_solution::Submission;
type Modern = modern_solution::Submission;
type Tuning = prefix_tuning_solution::Submission;

fn components(assignment: &str, program: Program) -> Components {
    match (assignment, program) {
        ("attention", Program::Own) => attention_spec::adapter::components::<Attention>(),
        ("attention", Program::WithReference("multi-head")) => {
            attention_spec::adapter::multi_head_with::<
                Attention,
                attention_solution::attention::ScaledDotProduct,
            >()
        }
        ("attention", Program::WithReference("classifier")) => {
            attention_spec::adapter::classifier_with::<Attention, Attention>()
        }
        ("debugging", Program::Own) => debugging_spec::adapter::components::<Debugging>(),
        ("encoder", Program::Own) => encoder_spec::adapter::components::<Encoder>(),
        ("encoder", Program::WithReference("encoder-layer")) => {
            encoder_spec::adapter::layer_with::<Encoder, Encoder>()
        }
        ("encoder", Program::WithReference("encoder")) => {
            encoder_spec::adapter::encoder_with::<Encoder, Encoder>()
        }
        ("encoder", Program::WithReference("classifier")) => {
            encoder_spec::adapter::classifier_with::<Encoder, Encoder>()
        }
        ("modern", Program::Own) => modern_spec::adapter::components::<Modern>(),
        ("modern", Program::WithReference("grouped-query")) => {
            modern_spec::adapter::grouped_query_with::<Modern, Modern>()
        }
        ("modern", Program::WithReference("decoder-block")) => {
            modern_spec::adapter::decoder_block_with::<Modern, Modern>()
        }
        ("prefix-tuning", Program::Own) => prefix_tuning_spec::adapter::components::<Tuning>(),
        (_, _) => panic!("the solution of `{assignment}` has no {program:?}"),
    }
}

/// A session with code on a thread of its own: while it answers, it can ask for experiments.
struct OnAThread {
    requests: Sender<Request>,
    replies: Receiver<Reply>,
}

impl OnAThread {
    fn new(assignment: &str, program: Program) -> Self {
        let ((requests, asked), (answers, replies)) = (channel::<Request>(), channel());
        let assignment = assignment.to_owned();
        let answering = move || {
            let mut dispatcher = Dispatcher::new(components(&assignment, program));
            while let Ok(request) = asked.recv() {
                let mut back = |experiment: &Reply| {
                    answers.send(experiment.clone()).ok()?;
                    asked.recv().ok()
                };
                let reply = dispatcher.answer(&request, &mut back);
                if answers.send(reply).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("solution".to_owned()).spawn(answering).unwrap();
        Self { requests, replies }
    }
}

impl Session for OnAThread {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        self.requests.send(request.clone()).unwrap();
        let reply = self.replies.recv().unwrap();
        Ok(if let Reply::Failed(failure) = reply {
            Attempt::Fault(Fault::Code(failure))
        } else {
            Attempt::Success(reply)
        })
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        Ok(())
    }
}

/// A session with a program of an assignment's solution, or with its answers.
pub(crate) fn session(assignment: &str, program: Program) -> Box<dyn Session> {
    if program == Program::Answers {
        let dir = Path::new(HOME).join("solutions").join(assignment);
        Box::new(Files::read(&dir))
    } else {
        Box::new(OnAThread::new(assignment, program))
    }
}
