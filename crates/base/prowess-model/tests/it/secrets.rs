//! A key reaches the endpoint and nothing else.

use std::error::Error as _;

use prowess_model::{ModelApi, ModelEndpoint, ModelError, ModelOptions};
use prowess_net::NetProxy;
use prowess_testkit::chat::{ChatServer, Turn};
use prowess_types::Secret;

use crate::{APIS, KEY, ask_hello, options};

#[tokio::test]
async fn an_endpoint_that_echoes_the_key_is_not_quoted() {
    let echo = format!("your key {KEY} is bad");
    for api in APIS {
        for status in [400, 401, 403, 429, 500] {
            let turns = (0..4).map(|_| Turn::refusal(status, &echo)).collect();
            assert_key_is_not_told(api, ChatServer::start(turns)).await;
        }
        let stream = |data: &str| ChatServer::start((0..4).map(|_| Turn::verbatim(data)).collect());
        assert_key_is_not_told(api, stream(&format!("data: {{{KEY}\n\n"))).await;
        assert_key_is_not_told(api, stream(&format!("<p>{KEY}</p>"))).await;
        assert_key_is_not_told(api, stream(&format!("{{{KEY}"))).await;
        let error =
            format!("event: error\ndata: {{\"type\":\"error\",\"error\":{{\"message\":\"{echo}\"}}}}\n\n");
        assert_key_is_not_told(api, stream(&error)).await;
        let moved = Turn::status(302).header("location", &format!("http://h/{KEY}"));
        assert_key_is_not_told(api, ChatServer::start(vec![moved])).await;
    }
}

async fn assert_key_is_not_told(api: ModelApi, server: ChatServer) {
    let answer = ask_hello(api, &server).await;
    let error = answer.reply.expect_err("no answer");
    let told = format!("{error} {error:?} {:?} {:?}", error.source(), answer.heard);
    assert!(!told.contains(KEY), "{told}");
    let said = server.requests()[0].headers.iter().any(|(_, value)| value.contains(KEY));
    assert!(said, "the endpoint got no key");
}

#[test]
fn a_key_is_not_shown() {
    for api in APIS {
        let mut options = ModelOptions::new("https://example.com", "m");
        options.api_key = Some(Secret::new(KEY));
        options.proxy = Some(NetProxy::new(format!("http://me:{KEY}@proxy:1")));
        let endpoint = ModelEndpoint::new(api, options.clone()).unwrap();
        for shown in [format!("{options:?}"), format!("{endpoint:?}"), format!("{endpoint:#?}")] {
            assert!(!shown.contains(KEY), "{shown}");
            assert!(shown.contains("example.com"), "{shown}");
        }
    }
}

#[test]
fn a_key_is_not_sent_in_clear() {
    let server = ChatServer::start(Vec::new());
    for api in APIS {
        let mut options = options(&server);
        options.base_url = "http://example.com".to_owned();
        assert!(matches!(ModelEndpoint::new(api, options.clone()), Err(ModelError::Address(..))));
        options.allow_insecure = true;
        assert!(ModelEndpoint::new(api, options).is_ok());
    }
}

#[test]
fn a_key_that_no_header_can_carry_is_refused_without_showing_it() {
    for api in APIS {
        let mut options = ModelOptions::new("https://example.com", "m");
        options.api_key = Some(Secret::new(format!("{KEY}\n{KEY}")));
        let error = ModelEndpoint::new(api, options).expect_err("no endpoint");
        assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
    }
}
