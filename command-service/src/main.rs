//! command-service
fn main() {}
