//! What tests share.

pub(crate) mod archive;
pub(crate) mod attacks;
pub(crate) mod bench;
pub(crate) mod browser;
pub(crate) mod cargo;
pub(crate) mod course;
pub(crate) mod environment;
pub(crate) mod exams;
pub(crate) mod grade;
pub(crate) mod hostile_archives;
pub(crate) mod imitation;
pub(crate) mod library;
pub(crate) mod mask;
pub(crate) mod notice;
pub(crate) mod pack;
pub(crate) mod processes;
pub(crate) mod question;
pub(crate) mod reader;
pub(crate) mod reading;
pub(crate) mod records;
pub(crate) mod results;
pub(crate) mod served;
pub(crate) mod signatures;
pub(crate) mod solved;
pub(crate) mod traces;
