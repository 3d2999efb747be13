//! An encoder behind an OpenAI-compatible `/v1/embeddings`: Ollama, llama.cpp, vLLM, or a service.
//!
//! Nothing is sent but the texts, the name of the model and the key; redirects are not followed, and the
//! environment is not asked for a proxy.

mod wire;

use std::fmt;
use std::time::Duration;

use prowess_net::{Client, NetOptions, NetProxy, NetworkReach, Redirects};
use sha2::{Digest as _, Sha256};

use self::wire::Wire;
use crate::encoder::{EncodeError, Encoder};
use crate::endpoint_error::EndpointError;
use crate::pack::short_hex;

/// Texts in one request.
const BATCH: usize = 32;

/// A key that no log will show.
#[derive(Clone)]
pub struct EndpointKey(String);

impl EndpointKey {
    /// Takes a key; white space around it is not part of it.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }
}

impl fmt::Debug for EndpointKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// The address of an endpoint and the way to talk to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EndpointOptions {
    /// With or without `/v1` and `/v1/embeddings`: `http://localhost:11434`, `https://api.example.com/v1`.
    pub url: String,
    /// The model to ask for.
    pub model: String,
    /// Sent as a bearer token.
    pub key: Option<EndpointKey>,
    /// A proxy to go through.
    pub proxy: Option<NetProxy>,
    /// The time limit of one request.
    pub timeout: Duration,
    /// Longer texts are cut: what choosing a skill needs stands at the beginning.
    pub max_characters: usize,
    /// The most that is waited before the one retry, whatever the server asks for.
    pub max_wait: Duration,
}

impl EndpointOptions {
    /// The usual way to talk to a model at a URL.
    pub fn new(url: &str, model: &str) -> Self {
        Self {
            url: url.to_owned(),
            model: model.to_owned(),
            key: None,
            proxy: None,
            timeout: Duration::from_secs(30),
            max_characters: 2_000,
            max_wait: Duration::from_secs(5),
        }
    }
}

/// An encoder that another program computes.
#[derive(Debug)]
pub struct EndpointEncoder {
    id: String,
    model: String,
    dimensions: usize,
    max_characters: usize,
    wire: Wire,
}

impl EndpointEncoder {
    /// Asks for one vector, to see that the endpoint works and how long its vectors are.
    ///
    /// ```no_run
    /// use prowess_embed::{Encoder as _, EndpointEncoder, EndpointOptions};
    ///
    /// let encoder = EndpointEncoder::connect(EndpointOptions::new("http://localhost:11434", "nomic-embed-text"))?;
    /// println!("{} gives {} numbers", encoder.name(), encoder.dimensions());
    /// # Ok::<(), prowess_embed::EndpointError>(())
    /// ```
    pub fn connect(options: EndpointOptions) -> Result<Self, EndpointError> {
        let url = embeddings_url(&options.url);
        let client = Client::new(net_options(&options))
            .map_err(|error| EndpointError::Request { url: url.clone(), source: error.into() })?;
        let wire = Wire::new(client, url, options.model.clone(), options.key, options.max_wait)?;
        let probe = wire.embed(&["hello"])?;
        let dimensions = probe.first().map_or(0, Vec::len);
        if dimensions == 0 {
            return Err(EndpointError::Shape {
                url: wire.url().to_owned(),
                problem: "an empty vector".to_owned(),
            });
        }
        let digest = Sha256::digest(format!("{}\n{}\n{dimensions}", wire.url(), options.model));
        let id = format!("endpoint-{}-{}", options.model, short_hex(&digest));
        Ok(Self { id, model: options.model, dimensions, max_characters: options.max_characters, wire })
    }

    /// A text as it is sent: not too long, and never empty, which some servers refuse.
    fn prepared<'a>(&self, text: &'a str) -> &'a str {
        let end = text.char_indices().nth(self.max_characters).map_or(text.len(), |(index, _)| index);
        if end == 0 { " " } else { &text[..end] }
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let mut vectors = self.wire.embed(texts)?;
        for vector in &mut vectors {
            if vector.len() != self.dimensions {
                let (found, expected) = (vector.len(), self.dimensions);
                return Err(EndpointError::Dimensions { model: self.model.clone(), found, expected }.into());
            }
            let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
            if !length.is_normal() {
                return Err(EndpointError::NoDirection { model: self.model.clone() }.into());
            }
            for number in vector {
                *number /= length;
            }
        }
        Ok(vectors)
    }
}

impl Encoder for EndpointEncoder {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.model
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn encode(&self, text: &str) -> Result<Vec<f32>, EncodeError> {
        Ok(self.embed(&[self.prepared(text)])?.swap_remove(0))
    }

    fn encode_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let texts: Vec<&str> = texts.iter().map(|text| self.prepared(text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.embed(batch)?);
        }
        Ok(vectors)
    }
}

/// The user chose the endpoint: it may be anywhere, over http too. Nothing else is asked, and nothing is repeated.
fn net_options(options: &EndpointOptions) -> NetOptions {
    NetOptions {
        reach: NetworkReach::Anywhere,
        allow_http: true,
        redirects: Redirects::Stop,
        proxy: options.proxy.clone(),
        connect_timeout: options.timeout,
        attempt_timeout: options.timeout,
        total_timeout: options.timeout,
        idle_timeout: options.timeout,
        retries: 0,
        ..NetOptions::default()
    }
}

/// The whole URL, from as much of it as people write.
fn embeddings_url(url: &str) -> String {
    let url = url.trim().trim_end_matches('/');
    if url.ends_with("/embeddings") {
        url.to_owned()
    } else if url.ends_with("/v1") {
        format!("{url}/embeddings")
    } else {
        format!("{url}/v1/embeddings")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_is_completed() {
        for url in
            ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", "http://h:1/v1/embeddings"]
        {
            assert_eq!(embeddings_url(url), "http://h:1/v1/embeddings");
        }
        assert_eq!(embeddings_url("http://h/api/v1"), "http://h/api/v1/embeddings");
    }

    #[test]
    fn a_key_is_not_shown() {
        let mut options = EndpointOptions::new("http://h", "m");
        options.key = Some(EndpointKey::new("sk-secret\n"));
        assert!(!format!("{options:?}").contains("secret"));
    }
}
