//! A connection that ends when the other side lets it wait for too long.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::seat::Seat;

/// A connection. The head of a request must come within the limit after the connection began or the last answer was
/// taken; an answer must be taken bit by bit within the limit.
#[derive(Debug)]
pub struct Patient<P> {
    stream: TcpStream,
    seat: Arc<Seat>,
    patience: Duration,
    deadline: Pin<Box<Sleep>>,
    /// True if bytes wait for the other side to take them.
    is_blocked: bool,
    /// Resolves when the slot is needed for another connection.
    expelled: Pin<Box<WaitForCancellationFutureOwned>>,
    /// The guard that the server holds while it lasts.
    _place: P,
}

impl<P> Patient<P> {
    pub(super) fn new(
        stream: TcpStream,
        seat: Arc<Seat>,
        patience: Duration,
        expelled: CancellationToken,
        place: P,
    ) -> Self {
        let deadline = Box::pin(tokio::time::sleep(patience));
        let expelled = Box::pin(expelled.cancelled_owned());
        Self { stream, seat, patience, deadline, is_blocked: false, expelled, _place: place }
    }

    /// Its standing.
    pub fn seat(&self) -> &Arc<Seat> {
        &self.seat
    }

    fn wait_anew(&mut self) {
        self.deadline.as_mut().reset(Instant::now() + self.patience);
    }

    /// The result of a write, unless it timed out.
    fn taken<T>(&mut self, tried: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.is_blocked = false;
            self.wait_anew();
            return tried;
        }
        if self.seat.is_upgraded() {
            return Poll::Pending;
        }
        if !std::mem::replace(&mut self.is_blocked, true) {
            self.wait_anew();
        }
        ready!(self.deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<P: Unpin> AsyncRead for Patient<P> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let ready @ Poll::Ready(_) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            return ready;
        }
        // While a request is worked on, its owner looks at the time.
        if self.is_blocked || !self.seat.is_awaited() {
            return Poll::Pending;
        }
        // Its place may have been needed in the moment in which its request came; then it is no longer unfinished.
        let is_expelled = self.seat.is_unfinished() && self.expelled.as_mut().poll(context).is_ready();
        if !is_expelled {
            ready!(self.deadline.as_mut().poll(context));
        }
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<P: Unpin> AsyncWrite for Patient<P> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.taken(tried, context)
    }

    // Without these two an answer would be copied into a buffer that grows with it and stays as long as the connection.
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.taken(tried, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket has nothing to flush, so this says nothing about the other side.
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
