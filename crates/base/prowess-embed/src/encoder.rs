//! What every encoder offers, whoever computes it.

/// Turns texts into vectors whose dot products tell how close their meanings are.
pub trait Encoder: Send + Sync {
    /// Changes whenever the weights, the tokenizer or the arithmetic do: vectors may be kept by it, and only
    /// vectors with the same id may be compared. For example `prowess-minilm-1a2b3c4d`.
    fn id(&self) -> &str;

    /// The family that calibration speaks of, such as `prowess-minilm`.
    fn name(&self) -> &str;

    /// Length of the vectors.
    fn dimensions(&self) -> usize;

    /// The vector of a text, of unit length. Any text has one, the empty text too.
    fn encode(&self, text: &str) -> Result<Vec<f32>, EncodeError>;

    /// The vectors of many texts, in their order.
    fn encode_all(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        texts.iter().map(|text| self.encode(text)).collect()
    }
}

/// The reason a text has no vector.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The encoder computed something that is not a direction: its weights are damaged.
    #[error("encoder `{0}` gives no usable vector; its pack is damaged")]
    Degenerate(String),
    /// The endpoint did not answer as it should.
    #[error(transparent)]
    Endpoint(#[from] crate::EndpointError),
}
