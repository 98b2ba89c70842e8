//! The id of a record that came without one.

use events_schema::record::RecordKind;
use uuid::Uuid;

/// Ids of records are UUIDv5 in this namespace. Part of the stored format.
const NAMESPACE: Uuid = Uuid::from_u128(0x2f9d_1e6b_43c7_4a58_b0e2_95d6_7c18_3af4);

/// The id made of the strongest identifier, or of the whole record.
pub(super) fn made(kind: RecordKind, strongest: Option<(&str, &str)>, record: &[u8]) -> Uuid {
    let mut name = format!("{kind}\n").into_bytes();
    match strongest {
        Some((field, value)) => name.extend(format!("{field}\n{value}").into_bytes()),
        None => name.extend_from_slice(record),
    }
    Uuid::new_v5(&NAMESPACE, &name)
}
