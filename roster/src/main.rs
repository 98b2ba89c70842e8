//! roster
fn main() {}
