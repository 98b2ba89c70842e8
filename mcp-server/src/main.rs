//! mcp-server
fn main() {}
