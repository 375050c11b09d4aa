//! What a run did, recognised: a crash becomes a signature, which says what every variant must do as well.

mod line;
mod open;
mod signature;
mod table;

pub use line::Line;
pub use open::Own;
pub use signature::{Signature, recognise};
