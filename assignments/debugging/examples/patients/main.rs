//! Eleven programs, each with one thing wrong.
//!
//! ```console
//! cargo run --release --example patients            # who they are
//! cargo run --release --example patients -- p03     # one of them
//! cargo run --release --example patients -- p03 7   # the same, from another seed
//! ```
//!
//! Each is a file of its own beside this one, to be read from top to bottom. What is wrong stands in one
//! line. Everything repeats to the last digit.

mod course;
mod draw;
mod p01;
mod p02;
mod p03;
mod p04;
mod p05;
mod p06;
mod p07;
mod p08;
mod p09;
mod p10;
mod p11;

use std::process::ExitCode;

use course::{Failure, Outcome};

/// Where no seed is given.
const SEED: u64 = 1;

struct Patient {
    id: &'static str,
    /// What its owner says.
    complaint: &'static str,
    /// What whoever looks at its numbers sees.
    noticed: &'static str,
    run: fn(u64) -> Outcome,
}

const PATIENTS: [Patient; 11] = [
    Patient {
        id: "p01",
        complaint: "the loss jumps up and down, and the model ends where it began",
        noticed: "Training loss wanders about ln 4 = 1.386, which is what guessing among four costs, \
                  up in one epoch and down in the next; validation accuracy is that of guessing \
                  throughout.",
        run: p01::run,
    },
    Patient {
        id: "p02",
        complaint: "all texts that are asked about together get the same answer",
        noticed: "A text's answer depends on its company: in a batch, every text is answered like \
                  the first. Alone, the same texts are answered rightly.",
        run: p02::run,
    },
    Patient {
        id: "p03",
        complaint: "validation is perfect, and questions that people type are answered badly",
        noticed: "Validation is perfect after the first epoch. On questions that were typed by hand, \
                  of the same kind, accuracy is no better than guessing.",
        run: p03::run,
    },
    Patient {
        id: "p04",
        complaint: "it learns the training texts well, and does badly where it is used",
        noticed: "Texts that are answered rightly as long as they are, are answered wrongly when \
                  they are padded to the length that the service pads to.",
        run: p04::run,
    },
    Patient {
        id: "p05",
        complaint: "the task is easy, and accuracy is stuck at chance",
        noticed: "Training loss creeps below ln 4 = 1.386, validation loss stays above it, and \
                  validation accuracy is that of guessing from the first epoch to the last.",
        run: p05::run,
    },
    Patient {
        id: "p06",
        complaint: "the loss is the same in every epoch, to the last digit",
        noticed: "The loss is ln 5 = 1.609438 and does not move at all; every text gets the same \
                  answer.",
        run: p06::run,
    },
    Patient {
        id: "p07",
        complaint: "the answers seem to have nothing to do with the words",
        noticed: "Accuracy is that of guessing. With other words in its place a text keeps its \
                  answer; with more padding behind it, it may lose it.",
        run: p07::run,
    },
    Patient {
        id: "p08",
        complaint: "the loss falls nicely, then climbs, and the program ends in NaN",
        noticed: "At first the loss falls; then each swing is larger than the last, and in the end \
                  it is no number any more.",
        run: p08::run,
    },
    Patient {
        id: "p09",
        complaint: "validation was perfect, and then the exam was a disaster",
        noticed: "Validation loss and accuracy are those of training, to the last digit; on texts that \
                  the program has never seen, accuracy is far below.",
        run: p09::run,
    },
    Patient {
        id: "p10",
        complaint: "it never learns which of two things comes first",
        noticed: "A text that is turned around keeps its answer; a text that changes places with \
                  another one of its batch may lose it.",
        run: p10::run,
    },
    Patient {
        id: "p11",
        complaint: "the notebook says one thing, the service another, about the same texts",
        noticed: "As long as they are, texts are answered rightly; the more padding stands behind \
                  them, the worse it gets.",
        run: p11::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match start(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(arguments: &[String]) -> Result<(), Failure> {
    let (id, seed) = match arguments {
        [] => return list(),
        [id] if id == "--list" => return list(),
        [id] => (id, SEED),
        [id, seed] => {
            let seed = seed.parse();
            (id, seed.map_err(|_| "a seed is a whole number, such as 7, and stands last")?)
        }
        _ => return Err("one patient at a time: its id, and a seed if you want another".into()),
    };
    let Some(patient) = PATIENTS.iter().find(|patient| patient.id == id) else {
        return Err(format!("there is no patient `{id}`: `--list` says who is there").into());
    };
    println!("{}: {}\n", patient.id, patient.complaint);
    let course = softmark_kit::in_pool(|| (patient.run)(seed))?;
    println!("{course}\n{}", patient.noticed);
    Ok(())
}

fn list() -> Result<(), Failure> {
    for patient in &PATIENTS {
        println!("{}  {}", patient.id, patient.complaint);
    }
    Ok(())
}
