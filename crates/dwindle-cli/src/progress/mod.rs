//! What is shown while a reduction runs.

mod display;
mod plain;
mod said;
mod screen;
mod standing;
mod view;
mod words;

pub(crate) use display::{Display, Means, Watched};
pub(crate) use said::{end_of, rate};
pub(crate) use words::of_label as words_of;
