//! A refusal of command-service about a build, read from its answer.

use http::StatusCode;
use serde::Deserialize;

/// A refusal of command-service about this build. Any other 404 or 409 is a fault: another program may listen at the address, or a gateway
/// may answer for a command-service that is down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("command-service refuses: {reason} ({status})")]
pub struct Refusal {
    status: StatusCode,
    reason: String,
}

impl Refusal {
    /// The refusal in an answer, if it is one.
    pub(super) fn of(status: StatusCode, body: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Body {
            error: String,
            details: Details,
        }
        #[derive(Deserialize)]
        struct Details {
            reason: String,
            subject_type: Option<String>,
        }
        let body: Body = serde_json::from_slice(body).ok()?;
        let of_build = body.details.subject_type.as_deref() == Some("data_build");
        let is_one = match (status, body.error.as_str()) {
            (StatusCode::NOT_FOUND, "not_found") => of_build,
            (StatusCode::CONFLICT, "bad_request") => true,
            _ => false,
        };
        is_one.then_some(Self {
            status,
            reason: body.details.reason,
        })
    }

    /// Whether the build exists, in a state in which the report makes no sense.
    pub(super) fn is_conflict(&self) -> bool {
        self.status == StatusCode::CONFLICT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_of_command_service_about_the_build_is_a_refusal() {
        let refusal = |status: u16, body: &str| {
            let status = StatusCode::from_u16(status).unwrap_or_default();
            Refusal::of(status, body.as_bytes()).map(|refusal| refusal.to_string())
        };
        let conflict = r#"{"error":"bad_request","details":{"reason":"active"}}"#;
        assert_eq!(
            refusal(409, conflict).as_deref(),
            Some("command-service refuses: active (409 Conflict)")
        );
        let unknown =
            r#"{"error":"not_found","details":{"reason":"no_match","subject_type":"data_build"}}"#;
        assert!(refusal(404, unknown).is_some());
        for (status, body) in [
            (404, "<html>404 Not Found</html>"),
            (
                404,
                r#"{"error":"route_not_found","details":{"path":"/x"}}"#,
            ),
            (409, "{}"),
            (503, conflict),
        ] {
            assert_eq!(refusal(status, body), None, "{body}");
        }
    }
}
