//! query-service
fn main() {}
