//! The student's code: a part that misbehaves in the way that it is asked for.

use std::time::Duration;

use candle_core::{Error, Result, Tensor};
use softmark_checks::Signature;
use softmark_kit::component::{Component, Components, Inputs, Outputs, unknown};

/// The part: its kind is the way of misbehaving.
pub(crate) static PART: Signature = Signature::new("part", &[&["kind"]], &["x"], &["output"]);

/// Ways of misbehaving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Right,
    Loops,
    Sleeps,
    Aborts,
    Exits,
    Grows,
    Overflows,
    Panics,
    Refuses,
    Floods,
    IsUnwritten,
    Counts,
}

pub(crate) const KINDS: [Kind; 12] = [
    Kind::Right,
    Kind::Loops,
    Kind::Sleeps,
    Kind::Aborts,
    Kind::Exits,
    Kind::Grows,
    Kind::Overflows,
    Kind::Panics,
    Kind::Refuses,
    Kind::Floods,
    Kind::IsUnwritten,
    Kind::Counts,
];

struct Part(Kind);

impl Component for Part {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let x = inputs.get("x")?.clone();
        self.misbehave(&x)?;
        Ok(vec![("output", x)])
    }
}

impl Part {
    fn misbehave(&self, x: &Tensor) -> Result<()> {
        match self.0 {
            Kind::Right => println!("nobody sees this"),
            Kind::Loops => {
                println!("the loop begins");
                while x.elem_count() > 0 {}
            }
            Kind::Sleeps => std::thread::sleep(Duration::from_mins(1)),
            Kind::Aborts => std::process::abort(),
            Kind::Exits => std::process::exit(0),
            Kind::Grows => grow(x),
            Kind::Overflows => {
                overflow(x);
            }
            Kind::Panics => panic!("index 3 of 2"),
            Kind::Refuses => return Err(Error::Msg("shapes do not fit".to_owned())),
            Kind::Floods => flood(x),
            #[expect(clippy::todo, reason = "this is how a stub is written")]
            Kind::IsUnwritten => todo!("task 1"),
            Kind::Counts => {
                for line in 1..=50 {
                    println!("line {line}");
                }
                return Err(Error::Msg("that was all".to_owned()));
            }
        }
        Ok(())
    }
}

fn grow(x: &Tensor) {
    let mut taken = Vec::new();
    while x.elem_count() > 0 {
        taken.push(vec![1_u8; 1 << 24]);
    }
}

fn flood(x: &Tensor) {
    let line = "x".repeat(1 << 16);
    while x.elem_count() > 0 {
        println!("{line}");
    }
}

#[expect(unconditional_recursion, reason = "this is what overflows the stack")]
fn overflow(x: &Tensor) -> usize {
    let more = x.clone();
    overflow(&more) + 1
}

pub(crate) fn components() -> Components {
    Box::new(|part, sizes, _| {
        if part != PART.part {
            return Err(unknown(part));
        }
        let kind = KINDS.get(sizes.get("kind")?).copied();
        let kind = kind.ok_or_else(|| Error::Msg("no such kind".to_owned()))?;
        Ok(Box::new(Part(kind)))
    })
}
