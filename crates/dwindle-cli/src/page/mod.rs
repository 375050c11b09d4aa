//! `--report FILE`: a reduction as one page of HTML that needs nothing else.

mod charts;
mod passes;
mod record;
mod sides;
mod survivors;
mod write;

pub(crate) use record::Record;
pub(crate) use write::{Page, check_place, write_page};
