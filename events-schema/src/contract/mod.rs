//! Billing contracts: grants and charges of credits.

pub mod movement;
pub mod v1;
