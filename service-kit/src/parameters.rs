//! The query parameters of a URL, with the same rules as a body: unknown ones are refused.

use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Query, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::Uri;
use http::request::Parts;
use serde_json::json;

use crate::Problem;

/// The parameters as they came; [`Parameters::only`] refuses what is unknown or given twice.
#[derive(Debug)]
pub struct Parameters(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Self::of(&parts.uri)
    }
}

impl Parameters {
    /// Those of a URL.
    ///
    /// # Errors
    /// 400 where they cannot be read.
    pub fn of(uri: &Uri) -> Result<Self, Problem> {
        match Query::try_from_uri(uri) {
            Ok(Query(pairs)) => Ok(Self(pairs)),
            Err(_) => Err(Problem::bad_request(
                "unknown_parameter",
                "The query string cannot be read.",
            )),
        }
    }

    /// Refuses the parameters of an endpoint that takes none: an option that is ignored there, and then billed, would be the worst answer.
    ///
    /// # Errors
    /// 400 `unknown_parameter`.
    pub fn refuse_any(uri: &Uri) -> Result<(), Problem> {
        Self::of(uri)?.only(&[])
    }

    /// Middleware: [`Self::refuse_any`] of every route that it lies on.
    ///
    /// # Errors
    /// As of that.
    pub async fn none(request: Request, next: Next) -> Result<Response, Problem> {
        Self::refuse_any(request.uri())?;
        Ok(next.run(request).await)
    }

    /// Refuses names that are not in `accepted` and names given twice.
    ///
    /// # Errors
    /// 400 `unknown_parameter`.
    pub fn only(&self, accepted: &[&str]) -> Result<(), Problem> {
        let is_bad = |(at, (name, _)): &(usize, &(String, String))| {
            let before = self.0.iter().take(*at);
            !accepted.contains(&name.as_str()) || before.into_iter().any(|(other, _)| other == name)
        };
        let bad = self.0.iter().enumerate().filter(is_bad);
        let bad: Vec<&String> = bad.map(|(_, (name, _))| name).collect();
        if bad.is_empty() {
            return Ok(());
        }
        let what = if accepted.is_empty() {
            "This endpoint takes no query parameters; what it takes stands in the body or in headers."
        } else {
            "A query parameter is not known or given twice."
        };
        Err(Problem::bad_request("unknown_parameter", what)
            .detail("parameters", json!(bad))
            .detail("accepted", json!(accepted)))
    }

    /// A parameter as it came.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        let pair = self.0.iter().find(|(key, _)| key == name);
        pair.map(|(_, value)| value.as_str())
    }

    /// A whole number of a range, if it was given.
    ///
    /// # Errors
    /// 422.
    pub fn integer(
        &self,
        name: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, Problem> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        match text.parse().ok().filter(|number| range.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                let (low, high) = range.into_inner();
                Err(self.invalid(
                    name,
                    &format!("must be a whole number from {low} to {high}"),
                ))
            }
        }
    }

    /// The id of the last one of an earlier page.
    ///
    /// # Errors
    /// 422.
    pub fn cursor<T: FromStr>(&self) -> Result<Option<T>, Problem> {
        let id = self.text("cursor").map(str::parse);
        id.transpose().map_err(|_| self.no_cursor())
    }

    /// 422: no page ended with that.
    #[must_use]
    pub fn no_cursor(&self) -> Problem {
        self.invalid("cursor", "must be the cursor of an earlier page")
    }

    /// 422 of a parameter; 400 where it is missing.
    #[must_use]
    pub fn invalid(&self, name: &'static str, rule: &str) -> Problem {
        match self.text(name) {
            Some(value) => Problem::invalid_field(name, &json!(value), rule, None),
            None => Problem::bad_request(
                "missing_parameter",
                format!("The query lacks the parameter {name}."),
            )
            .detail("parameters", json!([name])),
        }
    }
}
