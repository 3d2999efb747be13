//! The log of the gateway: lines for people on a terminal, JSON for programs.
//!
//! No line holds a token, params or an answer. What clients say about themselves is cut and escaped first.

use std::str::FromStr;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt};

/// Maximum length of a client's text in the log.
const MAX_SHOWN: usize = 64;

/// The format of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GatewayLogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// What is written down, and how.
#[derive(Clone, Debug, Default)]
pub struct LogOptions {
    /// The format of lines.
    pub format: GatewayLogFormat,
    /// The level: `silent`, `error`, `warn`, `info`, `debug` or `trace`; `info` if it is none of these.
    pub level: Option<String>,
    /// True if lines for people may have colours.
    pub ansi: bool,
    /// The address of an OpenTelemetry collector for traces. It counts only in a program built with the feature
    /// `otel`.
    pub otlp_endpoint: Option<String>,
}

/// Keeps what sends traces; they are sent to the end when it is dropped.
#[derive(Debug)]
#[must_use = "traces are sent for as long as this is kept"]
pub struct Logging {
    #[cfg(feature = "otel")]
    provider: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

/// Starts to write to standard error, for the whole process. A second start changes nothing.
pub fn start(options: &LogOptions) -> Logging {
    let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
    let lines = match options.format {
        GatewayLogFormat::Text => lines.with_ansi(options.ansi).boxed(),
        GatewayLogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    };
    let level = level(options.level.as_deref());
    // Other crates speak of what they do for us only when something is wrong.
    let others = level.min(LevelFilter::WARN);
    let filter = EnvFilter::default()
        .add_directive(others.into())
        .add_directive(directive("prowess_gateway", level))
        .add_directive(directive("prowess", level));
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(feature = "otel")]
    {
        let provider = options.otlp_endpoint.as_deref().and_then(otel::provider);
        let _ = registry.with(provider.as_ref().map(otel::layer)).try_init();
        Logging { provider }
    }
    #[cfg(not(feature = "otel"))]
    {
        let _ = registry.try_init();
        Logging {}
    }
}

#[cfg(feature = "otel")]
impl Drop for Logging {
    fn drop(&mut self) {
        if let Some(provider) = self.provider.take() {
            let _ = provider.shutdown();
        }
    }
}

fn directive(name: &str, level: LevelFilter) -> tracing_subscriber::filter::Directive {
    let text = format!("{name}={level}");
    tracing_subscriber::filter::Directive::from_str(&text).unwrap_or_else(|_| level.into())
}

fn level(name: Option<&str>) -> LevelFilter {
    match name.map(|name| name.trim().to_ascii_lowercase()).as_deref() {
        Some("silent" | "off") => LevelFilter::OFF,
        Some("fatal" | "error") => LevelFilter::ERROR,
        Some("warn") => LevelFilter::WARN,
        Some("debug") => LevelFilter::DEBUG,
        Some("trace") => LevelFilter::TRACE,
        _ => LevelFilter::INFO,
    }
}

/// What a client said, as it may be written down.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect()
}

#[cfg(feature = "otel")]
mod otel {
    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
    use tracing::Subscriber;
    use tracing_opentelemetry::OpenTelemetryLayer;
    use tracing_subscriber::registry::LookupSpan;

    /// What sends traces to a collector; none if its address cannot be used.
    pub(super) fn provider(endpoint: &str) -> Option<SdkTracerProvider> {
        let endpoint = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        let exporter = SpanExporter::builder().with_http().with_endpoint(endpoint).build().ok()?;
        let resource = Resource::builder().with_service_name("prowess-gateway").build();
        Some(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
    }

    pub(super) fn layer<S>(provider: &SdkTracerProvider) -> OpenTelemetryLayer<S, SdkTracer>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        tracing_opentelemetry::layer().with_tracer(provider.tracer("prowess-gateway"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_say_cannot_break_a_line() {
        assert_eq!(shown("cli"), "cli");
        assert_eq!(shown("a\n\u{1b}[31mb"), "a\\n\\u{1b}[31mb");
        assert!(shown(&"x".repeat(500)).len() <= MAX_SHOWN);
    }

    #[test]
    fn levels_have_the_names_of_the_config() {
        assert_eq!(level(Some("silent")), LevelFilter::OFF);
        assert_eq!(level(Some(" Debug ")), LevelFilter::DEBUG);
        assert_eq!(level(None), LevelFilter::INFO);
        assert_eq!(level(Some("loud")), LevelFilter::INFO);
    }
}
