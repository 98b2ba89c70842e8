//! 405 before what the layers of a route refuse.
//!
//! axum runs the layers of a route for methods that it does not have, too, so that a wrong method with a wrong token
//! or a large body would be told of those instead. When a layer has refused, the route is asked which methods it has.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use http::{Method, StatusCode, Uri, header};
use tower::ServiceExt;

use crate::problem::Problem;

/// Marks the question; [`super::admit::by_headers`], the outermost layer of every route, answers it in place.
#[derive(Clone, Copy)]
struct Probe;

pub(super) fn is_probe(request: &Request) -> bool {
    request.extensions().get::<Probe>().is_some()
}

/// The 405 that should have come instead of `status`, if the route lacks `method`.
pub(super) async fn refused_by_a_layer(
    router: Router,
    method: &Method,
    uri: Uri,
    status: StatusCode,
) -> Option<Problem> {
    if !matches!(status.as_u16(), 400 | 401 | 403 | 413 | 415 | 429) {
        return None;
    }
    let allowed = methods_of(router, uri).await?;
    let allowed: Vec<&str> = allowed.split(',').map(str::trim).collect();
    (!allowed.contains(&method.as_str())).then(|| Problem::method_not_allowed(&allowed))
}

/// The methods of the route at `uri`; `None` if there is no route, or if it takes any method.
async fn methods_of(router: Router, uri: Uri) -> Option<String> {
    let mut probe = Request::new(Body::empty());
    *probe.uri_mut() = uri;
    *probe.method_mut() = Method::from_bytes(b"PROBE").ok()?;
    probe.extensions_mut().insert(Probe);
    let answer = router.oneshot(probe).await.ok()?;
    answer
        .headers()
        .get(header::ALLOW)?
        .to_str()
        .ok()
        .map(str::to_owned)
}
