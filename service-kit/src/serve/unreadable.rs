//! The one error body for what is no HTTP request.
//!
//! A head that hyper cannot read (a byte that no header may hold, a target that is no URI, more headers than it takes) never
//! reaches the edge: hyper answers it with an empty 400 or 431 and ends the connection. In its place this socket sends the
//! refusal of `docs/API.md`, "Errors". Whatever the edge answers has a `Request-ID`, by which the two are told apart.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use uuid::Uuid;

use super::MAX_HEADERS;
use crate::problem::{HEADERS_TOO_LARGE, Problem};

/// A socket on which hyper's own refusals have the one body.
pub(super) struct Unreadable<S> {
    socket: S,
    max_header_bytes: usize,
    /// What is still to be sent of the refusal that stands in place of hyper's.
    refusal: Option<Bytes>,
}

impl<S: AsyncWrite + Unpin> Unreadable<S> {
    pub(super) fn new(socket: S, max_header_bytes: usize) -> Self {
        Self {
            socket,
            max_header_bytes,
            refusal: None,
        }
    }

    /// Sends the refusal in place of `head`, if that is one of hyper's own; `None` if it is not. hyper shows the same head
    /// again until it is told that all of it is written.
    fn poll_refusal(
        &mut self,
        cx: &mut Context<'_>,
        head: &[u8],
    ) -> Option<Poll<io::Result<usize>>> {
        let rest = match self.refusal.as_mut() {
            Some(rest) => rest,
            None => {
                let status = refused_by_hyper(head)?;
                self.refusal
                    .insert(in_one_form(status, self.max_header_bytes))
            }
        };
        let sent = poll_all(Pin::new(&mut self.socket), cx, rest);
        if sent.is_ready() {
            self.refusal = None;
        }
        Some(sent.map_ok(|()| head.len()))
    }
}

fn poll_all<S: AsyncWrite>(
    mut socket: Pin<&mut S>,
    cx: &mut Context<'_>,
    rest: &mut Bytes,
) -> Poll<io::Result<()>> {
    while !rest.is_empty() {
        match ready!(socket.as_mut().poll_write(cx, rest))? {
            0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
            sent => rest.advance(sent),
        }
    }
    Poll::Ready(Ok(()))
}

/// The status of an answer that hyper gives by itself: a head without a body and without the edge's `Request-ID`.
fn refused_by_hyper(head: &[u8]) -> Option<StatusCode> {
    let refused = [
        StatusCode::BAD_REQUEST,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    ];
    let code = head.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
    let status = StatusCode::from_bytes(code).ok()?;
    let is_whole = head.ends_with(b"\r\n\r\n");
    let has_id = head
        .windows(b"\r\nrequest-id:".len())
        .any(|line| line == b"\r\nrequest-id:");
    (refused.contains(&status) && is_whole && !has_id).then_some(status)
}

fn in_one_form(status: StatusCode, max_header_bytes: usize) -> Bytes {
    let problem = if status == StatusCode::BAD_REQUEST {
        Problem::bad_request("malformed_header", "The request is not well-formed HTTP.")
    } else {
        // Which of the two it is hyper does not say.
        let message = format!(
            "The request has more than {MAX_HEADERS} headers or {max_header_bytes} bytes of them."
        );
        Problem::new(HEADERS_TOO_LARGE, message).detail("max_bytes", max_header_bytes)
    };
    let id = Uuid::now_v7();
    let body = problem.body(id).to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\
         request-id: {id}\r\nprocess-time: 0.0\r\n\r\n",
        body.len()
    );
    Bytes::from(head + &body)
}

impl<S: AsyncRead + Unpin> AsyncRead for Unreadable<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Unreadable<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.poll_refusal(cx, buf) {
            Some(sent) => sent,
            None => Pin::new(&mut self.socket).poll_write(cx, buf),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let head = bufs.first().map_or(&[][..], |first| first);
        match self.poll_refusal(cx, head) {
            Some(sent) => sent,
            None => Pin::new(&mut self.socket).poll_write_vectored(cx, bufs),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}
