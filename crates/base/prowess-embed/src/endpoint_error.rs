//! What can go wrong with an endpoint, in words that say what to do.

/// The reason an endpoint gave no vectors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// Nobody listens there.
    #[error("cannot reach `{url}`; is the server running?")]
    Unreachable {
        /// The address of the request.
        url: String,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The answer did not come in time.
    #[error("`{url}` did not answer in time")]
    TimedOut {
        /// The address of the request.
        url: String,
    },
    /// The request could not be made or its answer not be read.
    #[error("the request to `{url}` failed")]
    Request {
        /// The address of the request.
        url: String,
        /// The reason.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// 401 or 403.
    #[error("`{url}` refuses the key (status {status})")]
    Unauthorised {
        /// The address of the request.
        url: String,
        /// 401 or 403.
        status: u16,
    },
    /// 404: no such path, or no such model.
    #[error("`{url}` has no model `{model}`, or no embeddings: {answer}")]
    NotFound {
        /// The address of the request.
        url: String,
        /// The requested model.
        model: String,
        /// The first line of the answer.
        answer: String,
    },
    /// Any other status.
    #[error("`{url}` answered with status {status}: {answer}")]
    Status {
        /// The address of the request.
        url: String,
        /// The status.
        status: u16,
        /// The first line of the answer.
        answer: String,
    },
    /// The answer is not what the protocol says.
    #[error("the answer of `{url}` cannot be used: {problem}")]
    Shape {
        /// The address of the request.
        url: String,
        /// The problem with it.
        problem: String,
    },
    /// The vectors are longer or shorter than before: another model answers under the same name.
    #[error("`{model}` gave a vector of {found} numbers after one of {expected}")]
    Dimensions {
        /// The model.
        model: String,
        /// Of this vector.
        found: usize,
        /// Of the first vector.
        expected: usize,
    },
    /// A vector of zeros, or of no numbers at all.
    #[error("`{model}` gave a vector without a direction")]
    NoDirection {
        /// The model.
        model: String,
    },
    /// The key holds characters that no key can have.
    #[error("the key cannot be sent: it holds control characters or is not ASCII")]
    Key,
}
