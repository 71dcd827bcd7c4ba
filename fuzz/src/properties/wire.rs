//! Frames, and the messages in them.

use softmark::session::{Broken, read_reply};
use softmark_wire::{
    Construction, FrameError, MAX_FRAME_BYTES, Recipe, Reply, Request, read_frame, write_frame,
};

/// Bytes from a worker are frames or none, messages or none, answers or faults; and what was read
/// is written as the same bytes.
pub fn wire(data: &[u8]) {
    message(data);
    frames(data);
    for request in questions() {
        answer(data, &request);
    }
}

/// One question of each kind.
fn questions() -> [Request; 12] {
    let component =
        Construction { part: String::new(), config: Vec::new(), parameters: Vec::new() };
    [
        Request::Hello { version: 1 },
        Request::Construct(component.clone()),
        Request::ConstructAndAsk { component, request: Box::new(Request::Parameters) },
        Request::Forward { inputs: Vec::new() },
        Request::Gradients { inputs: Vec::new(), cotangents: Vec::new() },
        Request::Parameters,
        Request::Train {
            examples: Vec::new(),
            recipe: Recipe {
                seed: 1,
                epochs: 1,
                batch_size: 1,
                learning_rate: 0.1,
                warm_up: 0.0,
                weight_decay: 0.0,
                clip_norm: 1.0,
                stopping_threshold: 0.0,
            },
        },
        Request::Detectors,
        Request::Detect { detector: 0, config: Vec::new() },
        Request::Observed(Ok(Vec::new())),
        Request::ReadParameters,
        Request::SetParameters { parameters: Vec::new() },
    ]
}

fn message(bytes: &[u8]) {
    if let Ok(reply) = Reply::decode(bytes) {
        assert_eq!(reply.encode(), bytes, "a reply is written in another way than it was read");
    }
    if let Ok(request) = Request::decode(bytes) {
        assert_eq!(request.encode(), bytes, "a request is written in another way than it was read");
    }
}

/// As many frames as there are, and why there is no other.
fn frames(mut data: &[u8]) {
    loop {
        let before = data;
        match read_frame(&mut data, MAX_FRAME_BYTES) {
            Ok(read) => {
                let mut written = Vec::new();
                assert!(write_frame(&mut written, &read).is_ok(), "what was read is too long");
                let taken = before.len() - data.len();
                assert_eq!(before.get(..taken), Some(written.as_slice()));
                message(&read);
            }
            Err(FrameError::Io(error)) => panic!("bytes in memory cannot be read: {error}"),
            Err(FrameError::Closed) => {
                assert!(before.is_empty());
                return;
            }
            Err(FrameError::Cut) => {
                assert!(!before.is_empty());
                return;
            }
            Err(FrameError::Mark(mark)) => {
                assert_eq!(before.get(..4), Some(mark.as_slice()));
                return;
            }
            Err(FrameError::TooLong { claimed, limit }) => {
                assert!(claimed > limit);
                return;
            }
        }
    }
}

/// Whatever comes is an answer to the question, or the worker's own fault.
fn answer(mut data: &[u8], request: &Request) {
    match read_reply(&mut data, request) {
        Ok(reply) => assert!(
            matches!(
                (request, &reply),
                (Request::Hello { .. }, Reply::Hello { .. })
                    | (Request::Construct(_), Reply::Constructed | Reply::Failed(_))
                    | (Request::Forward { .. }, Reply::Outputs(_) | Reply::Failed(_))
                    | (Request::Gradients { .. }, Reply::Gradients { .. } | Reply::Failed(_))
                    | (
                        Request::Parameters | Request::ConstructAndAsk { .. },
                        Reply::Parameters(_) | Reply::Failed(_)
                    )
                    | (Request::Train { .. }, Reply::Trained(_) | Reply::Failed(_))
                    | (Request::ReadParameters, Reply::ParameterValues(_) | Reply::Failed(_))
                    | (Request::SetParameters { .. }, Reply::Updated | Reply::Failed(_))
                    | (Request::Detectors, Reply::Detectors(_) | Reply::Failed(_))
                    | (
                        Request::Detect { .. } | Request::Observed(_),
                        Reply::Experiment { .. } | Reply::Verdict { .. } | Reply::Failed(_)
                    )
            ),
            "{reply:?} is taken for an answer to {request:?}"
        ),
        Err(Broken::Closed | Broken::Garbled(_)) => {}
        Err(broken @ (Broken::TimedOut | Broken::Io(_))) => {
            panic!("the grader takes bytes for its own fault: {broken:?}")
        }
    }
}
