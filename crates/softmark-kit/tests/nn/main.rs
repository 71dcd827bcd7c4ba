//! The layers: against PyTorch, against numeric gradients, and for any number of threads.

mod dropout;
mod errors;
mod golden;
mod gradients;
mod layers;
mod operation;
mod threads;
