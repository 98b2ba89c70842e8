//! The tables of a build. The only file with SQL that is put together at run time: names of schemas and columns.
use uuid::Uuid;
/// x
#[must_use]
pub fn schema_name(build: &str) -> String {
    let id = Uuid::new_v5(&NAMESPACE, build.as_bytes());
    let hex = id.simple().to_string();
    format!("b_{}", hex.get(..16).unwrap_or(&hex))
}
/// x
const NAMESPACE: Uuid = Uuid::from_u128(0x6f0b_7c52_9a41_4d0e_8f35_2d1c_77aa_40e1);
