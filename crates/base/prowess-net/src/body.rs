//! The body of an answer, taken in piece by piece within bounds.

use std::io::{self, Write};
use std::time::Duration;

use flate2::write::MultiGzDecoder;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH};

use crate::NetError;
use crate::clock::Clock;
use crate::error::shown;

/// Takes what arrives, unpacked.
type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

/// The destination of the bytes, and their limit.
pub(crate) struct Intake<'a> {
    pub(crate) limit: u64,
    pub(crate) sink: Sink<'a>,
    pub(crate) progress: &'a mut dyn FnMut(u64, Option<u64>),
}

/// Counts the unpacked bytes on their way.
struct Bounded<'a> {
    sink: Sink<'a>,
    left: u64,
    is_full: bool,
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| {
            self.is_full = true;
            io::Error::other("too large")
        })?;
        (self.sink)(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Decoder<'a> {
    Plain(Bounded<'a>),
    Gzip(Box<MultiGzDecoder<Bounded<'a>>>),
}

impl<'a> Decoder<'a> {
    fn bounded(&self) -> &Bounded<'a> {
        match self {
            Self::Plain(bounded) => bounded,
            Self::Gzip(decoder) => decoder.get_ref(),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(bounded) => bounded.write_all(bytes),
            Self::Gzip(decoder) => decoder.write_all(bytes),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(_) => Ok(()),
            Self::Gzip(decoder) => decoder.try_finish(),
        }
    }
}

/// Reads a body to its end: whole, as long as it was announced, and not larger than it may be.
/// `silence` is the time limit for one piece.
pub(crate) async fn receive(
    mut response: Response,
    has_body: bool,
    clock: &Clock,
    silence: Duration,
    intake: Intake<'_>,
) -> Result<(), NetError> {
    let url = shown(response.url());
    let limit = intake.limit;
    let too_large = || NetError::TooLarge { url: url.clone(), limit };
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let expected: Option<u64> = header(CONTENT_LENGTH).and_then(|text| text.trim().parse().ok());
    if has_body && expected.is_some_and(|expected| expected > limit) {
        return Err(too_large());
    }
    let bounded = Bounded { sink: intake.sink, left: limit, is_full: false };
    let mut decoder = match header(CONTENT_ENCODING).unwrap_or("identity").trim() {
        "identity" | "" => Decoder::Plain(bounded),
        "gzip" | "x-gzip" => Decoder::Gzip(Box::new(MultiGzDecoder::new(bounded))),
        _ => return Err(NetError::Encoding { url }),
    };
    let failed = |decoder: &Decoder<'_>, source: io::Error| match source.kind() {
        _ if decoder.bounded().is_full => too_large(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
            if matches!(decoder, Decoder::Gzip(_)) =>
        {
            NetError::Encoding { url: url.clone() }
        }
        _ => NetError::Write { url: url.clone(), source },
    };
    let mut received = 0;
    loop {
        let truncated = || NetError::Truncated { url: url.clone(), received, expected };
        let chunk = clock.run_within(silence, &url, response.chunk()).await?;
        let Some(chunk) = chunk.map_err(|_| truncated())? else { break };
        received += chunk.len() as u64;
        if received > limit {
            return Err(too_large());
        }
        decoder.write(&chunk).map_err(|error| failed(&decoder, error))?;
        (intake.progress)(received, expected);
    }
    if has_body && expected.is_some_and(|expected| expected != received) {
        return Err(NetError::Truncated { url, received, expected });
    }
    if received > 0 {
        decoder.finish().map_err(|error| failed(&decoder, error))?;
    }
    Ok(())
}
