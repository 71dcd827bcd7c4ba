//! Secret permutation of token ids and class numbers.

use softmark_checks::CheckError;
use softmark_common::data::vocabulary::{PADDING, UNKNOWN};
use softmark_common::examples::Examples;
use softmark_common::rng::Stream;
use softmark_wire::{Data, Input, Tensor};

use crate::check::plan::{Plan, inconsistent};

/// Permutation of the ids and of the classes that only the grader knows.
#[derive(Debug, Clone)]
pub(crate) struct Permutation {
    ids: Vec<u32>,
    classes: Vec<u32>,
}

fn mixed(mut numbers: Vec<u32>, stream: &mut Stream) -> Vec<u32> {
    for last in (1..numbers.len()).rev() {
        let at = usize::try_from(stream.below(last as u64 + 1)).unwrap_or(0);
        numbers.swap(last, at);
    }
    numbers
}

impl Permutation {
    /// Draws a permutation from `seed`. Padding and the unknown word keep their ids, because a
    /// model may have to know them.
    pub(crate) fn new(plan: &Plan, seed: u64) -> Self {
        let mut stream = Stream::derive(seed, "training/blind", 0);
        let words = mixed((UNKNOWN + 1..plan.vocabulary).collect(), &mut stream);
        let count = u32::try_from(plan.classes.len()).unwrap_or(0);
        let classes = mixed((0..count).collect(), &mut stream);
        Self { ids: [PADDING, UNKNOWN].into_iter().chain(words).collect(), classes }
    }

    fn id(&self, id: u32) -> Result<u32, CheckError> {
        let known = usize::try_from(id).ok().and_then(|at| self.ids.get(at)).copied();
        known.ok_or_else(|| inconsistent(format!("the vocabulary ends before the id {id}")))
    }

    fn class(&self, class: u32) -> Result<u32, CheckError> {
        let known = usize::try_from(class).ok().and_then(|at| self.classes.get(at)).copied();
        known.ok_or_else(|| inconsistent(format!("there is no class {class}")))
    }

    /// Returns the class whose permuted number is `blind`.
    pub(crate) fn seen_through(&self, blind: usize) -> Option<usize> {
        self.classes.iter().position(|&number| usize::try_from(number) == Ok(blind))
    }

    /// Returns the inputs `ids` `[N, T]`, permuted, and `mask` `[N, T]`, padded to the longest
    /// text.
    pub(crate) fn texts(&self, texts: &[Vec<u32>]) -> Result<Vec<Input>, CheckError> {
        let (n, t) = (texts.len(), texts.iter().map(Vec::len).max().unwrap_or(0).max(1));
        let places = || texts.iter().flat_map(|text| (0..t).map(|at| text.get(at).copied()));
        let ids = places().map(|id| id.map_or(Ok(PADDING), |id| self.id(id)));
        let real = places().map(|id| u8::from(id.is_some())).collect();
        Ok(vec![
            input("ids", &[n, t], Data::U32(ids.collect::<Result<_, _>>()?))?,
            input("mask", &[n, t], Data::U8(real))?,
        ])
    }

    /// Returns the inputs of [`texts`](Self::texts), and `labels` `[N]`, permuted.
    pub(crate) fn examples(&self, examples: &Examples) -> Result<Vec<Input>, CheckError> {
        let (texts, labels) = (examples.ids.len(), examples.labels.len());
        if texts != labels {
            return Err(inconsistent(format!("{labels} labels for {texts} texts")));
        }
        let mut inputs = self.texts(&examples.ids)?;
        let labels = examples.labels.iter().map(|&label| self.class(label));
        let labels = Data::U32(labels.collect::<Result<_, _>>()?);
        inputs.push(input("labels", &[examples.labels.len()], labels)?);
        Ok(inputs)
    }

    /// Permutes the rows of parameters that belong to ids and classes, so that the model computes
    /// the same function of the permuted ids and classes.
    pub(crate) fn move_rows(
        &self,
        plan: &Plan,
        parameters: &mut [(String, Tensor)],
    ) -> Result<(), CheckError> {
        let orders = [(&plan.rows_of_ids, &self.ids), (&plan.rows_of_classes, &self.classes)];
        for (names, order) in orders {
            for name in names {
                let found = parameters.iter_mut().find(|(other, _)| other == name);
                let (_, tensor) = found.ok_or_else(|| {
                    inconsistent(format!("rows of `{name}` are to be moved, and it is not there"))
                })?;
                *tensor = moved(name, tensor, order)?;
            }
        }
        Ok(())
    }
}

/// Returns a tensor whose row `order[i]` is row `i` of `tensor`.
fn moved(name: &str, tensor: &Tensor, order: &[u32]) -> Result<Tensor, CheckError> {
    let (shape, Data::F32(values)) = (tensor.shape(), tensor.data()) else {
        return Err(inconsistent(format!("{name} is not f32")));
    };
    if shape.first() != Some(&order.len()) {
        let rows = shape.first().copied().unwrap_or(0);
        return Err(inconsistent(format!(
            "`{name}` has {rows} rows, and {} are to be moved",
            order.len()
        )));
    }
    // Empty rows need not be moved; the width must not be 0 for `chunks`.
    let width = (values.len() / order.len().max(1)).max(1);
    let mut rows: Vec<(u32, &[f32])> = order.iter().copied().zip(values.chunks(width)).collect();
    rows.sort_by_key(|(at, _)| *at);
    let values = rows.into_iter().flat_map(|(_, row)| row.iter().copied()).collect();
    Tensor::f32(shape, values).map_err(|error| inconsistent(format!("{name}: {error}")))
}

fn input(name: &str, shape: &[usize], data: Data) -> Result<Input, CheckError> {
    let tensor =
        Tensor::new(shape, data).map_err(|error| inconsistent(format!("{name}: {error}")))?;
    Ok(Input { name: name.to_owned(), tensor, strided: false })
}
