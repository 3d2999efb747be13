//! The URL of a model: completed, and refused where a key would be sent in clear.
//!
//! The address policy itself is that of [`prowess_net`].

use prowess_net::{is_loopback_url, without_secrets as shown};
use prowess_types::ModelApi;
use url::Url;

use crate::ModelError;
use crate::options::ModelOptions;

/// Where requests go, if they may go there.
pub(crate) fn resolve(api: ModelApi, options: &ModelOptions) -> Result<Url, ModelError> {
    let refuse = |why| ModelError::Address(shown(&options.base_url), why);
    let mut url = Url::parse(options.base_url.trim()).map_err(|_| refuse("it is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refuse("it must begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("it holds a user or a password; a key belongs into its own setting"));
    }
    let exposed = url.scheme() == "http" && !is_loopback_url(url.as_str());
    if exposed && options.key().is_some() && !options.allow_insecure {
        return Err(refuse("a key would be sent in clear over a network; use https"));
    }
    let path = complete(api, url.path());
    url.set_path(&path);
    url.set_fragment(None);
    Ok(url)
}

/// The whole path, from as much of it as people write.
fn complete(api: ModelApi, path: &str) -> String {
    let path = path.trim_end_matches('/');
    let (version, end) = match api {
        // Other services have their version elsewhere in the path, so only a missing path is completed.
        ModelApi::OpenAi => (path.is_empty(), "/chat/completions"),
        ModelApi::Anthropic => (!path.ends_with("/v1"), "/messages"),
    };
    match (path.ends_with(end), version) {
        (true, _) => path.to_owned(),
        (false, true) => format!("{path}/v1{end}"),
        (false, false) => format!("{path}{end}"),
    }
}

#[cfg(test)]
mod tests {
    use prowess_types::Secret;

    use super::*;

    fn resolved(api: ModelApi, base: &str) -> String {
        resolve(api, &ModelOptions::new(base, "m")).expect("an address").to_string()
    }

    fn refused(base: &str) -> String {
        let mut options = ModelOptions::new(base, "m");
        options.api_key = Some(Secret::new("sk"));
        resolve(ModelApi::OpenAi, &options).expect_err("no address").to_string()
    }

    #[test]
    fn addresses_are_completed() {
        for base in ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/chat/completions"] {
            assert_eq!(resolved(ModelApi::OpenAi, base), "http://h:1/v1/chat/completions");
        }
        assert_eq!(
            resolved(ModelApi::OpenAi, "http://h/v1beta/openai/"),
            "http://h/v1beta/openai/chat/completions"
        );
        assert_eq!(resolved(ModelApi::OpenAi, "http://h/v1?key=a"), "http://h/v1/chat/completions?key=a");
        for base in ["https://h", "https://h/v1", "https://h/v1/", "https://h/v1/messages"] {
            assert_eq!(resolved(ModelApi::Anthropic, base), "https://h/v1/messages");
        }
        assert_eq!(resolved(ModelApi::Anthropic, "https://h/anthropic"), "https://h/anthropic/v1/messages");
    }

    #[test]
    fn keys_stay_on_the_machine_or_travel_encrypted() {
        assert!(refused("http://example.com/v1").contains("in clear"));
        assert!(refused("http://192.168.1.2:11434").contains("in clear"));
        assert!(refused("http://localhost.example.com").contains("in clear"));
        let mut options = ModelOptions::new("", "m");
        options.api_key = Some(Secret::new("sk"));
        for base in ["https://example.com", "http://localhost:1", "http://127.9.9.9", "http://[::1]:11434"] {
            base.clone_into(&mut options.base_url);
            assert!(resolve(ModelApi::OpenAi, &options).is_ok(), "{base}");
        }
        options.base_url = "http://example.com".to_owned();
        options.allow_insecure = true;
        assert!(resolve(ModelApi::OpenAi, &options).is_ok());
        options.allow_insecure = false;
        options.api_key = Some(Secret::new("  "));
        assert!(resolve(ModelApi::OpenAi, &options).is_ok(), "a blank key is none");
    }

    #[test]
    fn what_is_secret_in_an_address_is_not_shown() {
        for base in ["https://me:hunter2@h/v1?key=hunter2", "htps//me:hunter2@h/v1#hunter2", "me:hunter2@h"] {
            assert!(!refused(base).contains("hunter2"), "{base}");
            assert!(!format!("{:?}", ModelOptions::new(base, "m")).contains("hunter2"), "{base}");
        }
        assert_eq!(shown("https://me:pw@h:1/v1?x"), "https://h:1/v1");
        assert!(refused("ftp://h").contains("http"));
    }
}
