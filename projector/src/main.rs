//! projector
fn main() {}
