//! A time limit on the bytes by which a connection says which HTTP it speaks.
//!
//! hyper's header timeout begins once the version is known, and the version is known only when the bytes differ from
//! the preface of HTTP/2 or complete it. A client that sends nothing, or half a preface, would stay for ever.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A socket that fails with `TimedOut` if its client has not shown its version in time.
pub(super) struct FirstBytes {
    socket: TcpStream,
    /// Bytes of the preface still to come and their deadline; `None` once the version is known.
    waiting: Option<(&'static [u8], Pin<Box<Sleep>>)>,
}

impl FirstBytes {
    pub(super) fn new(socket: TcpStream, limit: Duration) -> Self {
        Self {
            socket,
            waiting: Some((PREFACE, Box::pin(sleep(limit)))),
        }
    }

    fn note(&mut self, received: &[u8]) {
        let Some((rest, _)) = &mut self.waiting else {
            return;
        };
        match received.strip_prefix(*rest) {
            Some(_) => self.waiting = None,
            None => match rest.strip_prefix(received) {
                // The end of the stream is hyper's to notice, without a deadline.
                Some(_) if received.is_empty() => self.waiting = None,
                Some(left) => *rest = left,
                None => self.waiting = None,
            },
        }
    }
}

impl AsyncRead for FirstBytes {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if let Poll::Ready(result) = Pin::new(&mut self.socket).poll_read(cx, buf) {
            self.note(buf.filled().get(before..).unwrap_or_default());
            return Poll::Ready(result);
        }
        let Some((_, deadline)) = &mut self.waiting else {
            return Poll::Pending;
        };
        ready!(deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for FirstBytes {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(cx, bufs)
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
