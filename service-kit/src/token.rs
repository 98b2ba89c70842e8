//! Bearer tokens that guard an internal or admin listener.
//!
//! Up to two tokens are valid at a time, so that one can be replaced without a pause; each has a name, which is the
//! actor that is recorded. A listener needs only the SHA-256 of a token, and may be given just that: whoever checks a
//! token need not be able to send it. Tokens are compared in constant time and never show in `Debug`.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::config::Secret;
use crate::problem::Problem;

const MAX_TOKENS: usize = 2;
const MIN_TOKEN_CHARS: usize = 16;
const DEFAULT_NAME: &str = "default";
/// Before a digest in hexadecimal that stands for its token.
const DIGEST_PREFIX: &str = "sha256:";
/// So that a digest without a name is not taken for a token of that name.
const DIGEST_NAME: &str = "sha256";

type TokenDigest = [u8; 32];

/// The name of the token that a request came with; in the request's extensions behind [`guard`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor(pub String);

/// The tokens of one listener.
#[derive(Debug, Clone, Default)]
pub struct Tokens(Vec<(String, Secret<TokenDigest>)>);

/// A setting of tokens that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TokenFault {
    /// Its form is not `name:token[,name:token]`.
    #[error(
        "must be one or two tokens of the form name:token, separated by a comma, each with its own name"
    )]
    Form,
    /// A token that can be guessed.
    #[error("a token must have at least 16 printable characters without blanks")]
    Weak,
    /// A digest that is none.
    #[error("after sha256: a token's digest must stand, 64 hexadecimal digits")]
    Digest,
    /// A listener that anyone could reach and use.
    #[error("{0} is not a loopback address: a token must be set to bind there")]
    PublicWithoutToken(SocketAddr),
}

impl std::str::FromStr for Tokens {
    type Err = TokenFault;

    /// Reads `name:token,name2:token2`; a bare token gets the name `default`. `name:sha256:…` is the digest of a token.
    fn from_str(text: &str) -> Result<Self, TokenFault> {
        let mut tokens: Vec<(String, Secret<TokenDigest>)> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let named = part
                .split_once(':')
                .filter(|(name, _)| *name != DIGEST_NAME);
            let (name, token) = named.unwrap_or((DEFAULT_NAME, part));
            if name.is_empty()
                || tokens.iter().any(|(other, _)| other == name)
                || tokens.len() == MAX_TOKENS
            {
                return Err(TokenFault::Form);
            }
            tokens.push((name.to_owned(), Secret::new(digest_of(token)?)));
        }
        Ok(Self(tokens))
    }
}

impl Tokens {
    /// Whether no token is set: then every request is refused.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These and `more`, for routes that several may ask.
    #[must_use]
    pub fn and(mut self, more: &Self) -> Self {
        self.0.extend(more.0.iter().cloned());
        self
    }

    /// The actor whose token the request carries.
    ///
    /// # Errors
    /// 401 when there is none or it is not valid.
    pub fn authenticate(&self, headers: &HeaderMap) -> Result<Actor, Problem> {
        let given = headers
            .get(header::AUTHORIZATION)
            .map(HeaderValue::as_bytes);
        let Some(given) = given.and_then(bearer) else {
            return Err(refused(
                "missing_token",
                "The header Authorization lacks a bearer token.",
            ));
        };
        // Every token is compared, whatever matched before: the time must not tell which one it was.
        let given = TokenDigest::from(Sha256::digest(given));
        let actor = self.0.iter().fold(None, |found, (name, token)| {
            if given.ct_eq(token.expose()).into() {
                Some(name)
            } else {
                found
            }
        });
        actor
            .map(|name| Actor(name.clone()))
            .ok_or_else(|| refused("invalid_token", "The bearer token is not valid."))
    }
}

/// Lets only requests with a valid token pass to the routes of `router`, with their [`Actor`] in the extensions.
/// Unknown routes and methods keep their 404 and 405, which come first in the order of checks.
pub fn guard(router: Router, tokens: Tokens) -> Router {
    router.route_layer(from_fn_with_state(tokens, check))
}

/// Refuses to bind beyond loopback without a token.
///
/// # Errors
/// [`TokenFault::PublicWithoutToken`].
pub fn refuse_public_bind_without_token(
    addr: SocketAddr,
    tokens: &Tokens,
) -> Result<(), TokenFault> {
    if tokens.is_empty() && !addr.ip().is_loopback() {
        return Err(TokenFault::PublicWithoutToken(addr));
    }
    Ok(())
}

async fn check(State(tokens): State<Tokens>, mut request: Request, next: Next) -> Response {
    match tokens.authenticate(request.headers()) {
        Ok(actor) => {
            request.extensions_mut().insert(actor);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

fn digest_of(token: &str) -> Result<TokenDigest, TokenFault> {
    if let Some(digest) = token.strip_prefix(DIGEST_PREFIX) {
        let mut bytes = TokenDigest::default();
        let decoded = hex::decode_to_slice(digest, &mut bytes);
        return decoded.map(|()| bytes).map_err(|_| TokenFault::Digest);
    }
    if token.len() < MIN_TOKEN_CHARS || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(TokenFault::Weak);
    }
    Ok(Sha256::digest(token).into())
}

fn refused(reason: &'static str, message: &str) -> Problem {
    Problem::unauthorized(reason, message)
        .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn both_tokens_are_valid_and_name_their_actor() {
        let tokens: Tokens = "ops:aaaaaaaaaaaaaaaa,next:bbbbbbbbbbbbbbbb"
            .parse()
            .unwrap();
        assert_eq!(
            tokens.authenticate(&with("Bearer aaaaaaaaaaaaaaaa")),
            Ok(Actor("ops".into()))
        );
        assert_eq!(
            tokens.authenticate(&with("bearer bbbbbbbbbbbbbbbb")),
            Ok(Actor("next".into()))
        );
        let bare: Tokens = "cccccccccccccccc".parse().unwrap();
        assert_eq!(
            bare.authenticate(&with("Bearer cccccccccccccccc")),
            Ok(Actor("default".into()))
        );
    }

    #[test]
    fn a_listener_that_has_only_the_digest_takes_the_token_and_not_the_digest() {
        let token = "aaaaaaaaaaaaaaaa";
        let hex: String = Sha256::digest(token)
            .iter()
            .map(|b| format!("{b:02X}"))
            .collect();
        let tokens: Tokens = format!("ops:sha256:{hex}").parse().unwrap();
        assert_eq!(
            tokens.authenticate(&with(&format!("Bearer {token}"))),
            Ok(Actor("ops".into()))
        );
        for wrong in [hex.as_str(), &hex.to_lowercase(), &format!("sha256:{hex}")] {
            assert!(
                tokens
                    .authenticate(&with(&format!("Bearer {wrong}")))
                    .is_err()
            );
        }
        let bare: Tokens = format!("sha256:{hex}").parse().unwrap();
        assert!(bare.authenticate(&with(&format!("Bearer {hex}"))).is_err());
        assert!(bare.authenticate(&with(&format!("Bearer {token}"))).is_ok());
        let short = format!("ops:sha256:{}", &hex[..62]).parse::<Tokens>();
        assert_eq!(short.unwrap_err(), TokenFault::Digest);
        let odd = format!("ops:sha256:{}", "+1".repeat(32)).parse::<Tokens>();
        assert_eq!(odd.unwrap_err(), TokenFault::Digest);
    }

    #[test]
    fn anything_else_is_a_401_that_says_whether_the_token_is_missing_or_wrong() {
        let tokens: Tokens = "aaaaaaaaaaaaaaaa".parse().unwrap();
        for (headers, reason) in [
            (HeaderMap::new(), "missing_token"),
            (with("Basic aaaaaaaaaaaaaaaa"), "missing_token"),
            (with("Bearer aaaaaaaaaaaaaaa"), "invalid_token"),
            (with("Bearer aaaaaaaaaaaaaaab"), "invalid_token"),
        ] {
            let problem = tokens.authenticate(&headers).unwrap_err();
            assert_eq!(
                (problem.status().as_u16(), &problem.details_ref()["reason"]),
                (401, &json!(reason))
            );
        }
        assert!(Tokens::default().authenticate(&with("Bearer ")).is_err());
    }

    #[test]
    fn weak_doubled_and_surplus_tokens_are_refused_at_the_start() {
        for (text, fault) in [
            ("short", TokenFault::Weak),
            ("a:aaaaaaaaaaaaaaa b", TokenFault::Weak),
            (":aaaaaaaaaaaaaaaa", TokenFault::Form),
            ("a:aaaaaaaaaaaaaaaa,a:bbbbbbbbbbbbbbbb", TokenFault::Form),
            (
                "a:aaaaaaaaaaaaaaaa,b:bbbbbbbbbbbbbbbb,c:cccccccccccccccc",
                TokenFault::Form,
            ),
        ] {
            assert_eq!(text.parse::<Tokens>().unwrap_err(), fault, "{text}");
        }
    }

    #[test]
    fn a_public_address_needs_a_token() {
        let tokens: Tokens = "aaaaaaaaaaaaaaaa".parse().unwrap();
        let public: SocketAddr = "0.0.0.0:1".parse().unwrap();
        assert!(refuse_public_bind_without_token(public, &Tokens::default()).is_err());
        assert_eq!(refuse_public_bind_without_token(public, &tokens), Ok(()));
        assert_eq!(
            refuse_public_bind_without_token("[::1]:1".parse().unwrap(), &Tokens::default()),
            Ok(())
        );
    }
}
