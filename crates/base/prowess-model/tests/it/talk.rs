//! Conversations in which nothing goes wrong.

use prowess_model::{
    ChatDelta, ChatModel as _, Message, ModelApi, ModelEndpoint, Request, StopReason, ToolCall, ToolSpec,
};
use prowess_testkit::chat::{ChatServer, Stop, Turn};
use prowess_types::Usage;
use serde_json::json;

use crate::{APIS, KEY, ask, ask_hello, options, user};

#[tokio::test]
async fn words_come_piece_by_piece() {
    for api in APIS {
        let server = ChatServer::start(vec![Turn::think("Ein Gruß?").and(Turn::say("Grüße, 世界! 👋"))]);
        let answer = ask_hello(api, &server).await;
        let reply = answer.reply.unwrap();
        assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("Grüße, 世界! 👋", "Ein Gruß?"));
        assert_eq!(reply.stop, StopReason::End);
        let usage = Usage { input_tokens: 100, output_tokens: 20, cached_tokens: 40, requests: 1 };
        assert_eq!(reply.usage, usage);
        let texts: Vec<&ChatDelta> =
            answer.heard.iter().filter(|delta| matches!(delta, ChatDelta::Text(_))).collect();
        assert!(texts.len() > 3, "{texts:?}");
        assert_eq!(answer.heard.first(), Some(&ChatDelta::Thinking("Ein".to_owned())));
    }
}

#[tokio::test]
async fn a_request_says_who_asks_what() {
    for api in APIS {
        let server = ChatServer::start(vec![Turn::say("ok")]);
        let tools = [ToolSpec {
            name: "exec".to_owned(),
            description: "Runs a command".to_owned(),
            input: json!({"type": "object", "properties": {"command": {"type": "string"}}}),
        }];
        let model = ModelEndpoint::new(api, options(&server)).unwrap();
        assert_eq!(model.name(), "test-model");
        let request = Request { system: "Be brief.", messages: &[user("hello")], tools: &tools };
        model.reply(request, &mut |_| {}).await.unwrap();
        let request = &server.requests()[0];
        assert_eq!(request.system(), "Be brief.");
        assert_eq!(request.last_words(), "hello");
        assert_eq!(request.tools(), ["exec"]);
        assert_eq!(request.body["stream"], true);
        match api {
            ModelApi::OpenAi => {
                assert_eq!(request.path, "/v1/chat/completions");
                assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
            }
            ModelApi::Anthropic => {
                assert_eq!(request.path, "/v1/messages");
                assert_eq!(request.header("x-api-key"), Some(KEY));
                assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
                assert_eq!(request.header("authorization"), None);
            }
        }
    }
}

#[tokio::test]
async fn tools_are_called_and_answered() {
    for api in APIS {
        let calls = Turn::say("Let me see.")
            .and(Turn::call("exec", json!({"command": "date", "note": "Größe \"10\""})))
            .and(Turn::call("read", json!({"path": "SKILL.md"})));
        let done = Turn::answer(|request| {
            let results = request.tool_results();
            Turn::say(&format!("{} and {}", results[0].1, results[1].1))
        });
        let server = ChatServer::start(vec![calls, done]);
        let mut messages = vec![user("hello")];
        let answer = ask(api, options(&server), &messages).await;
        let reply = answer.reply.unwrap();
        assert_eq!(reply.stop, StopReason::Tools);
        let called: Vec<_> =
            reply.calls.iter().map(|call| (call.name.as_str(), call.input.clone())).collect();
        let expected = json!({"command": "date", "note": "Größe \"10\""});
        assert_eq!(called, [("exec", Ok(expected)), ("read", Ok(json!({"path": "SKILL.md"})))]);
        assert_eq!(answer.heard.iter().filter(|delta| matches!(delta, ChatDelta::Call { .. })).count(), 2);

        let result = |call: &ToolCall, content: &str| Message::Tool {
            call_id: call.id.clone(),
            content: content.to_owned(),
            is_error: false,
        };
        let results = [result(&reply.calls[0], "Monday"), result(&reply.calls[1], "a skill")];
        messages.push(Message::Assistant { text: reply.text, calls: reply.calls });
        messages.extend(results);
        let reply = ask(api, options(&server), &messages).await.reply.unwrap();
        assert_eq!(reply.text, "Monday and a skill");
    }
}

#[tokio::test]
async fn malformed_arguments_are_kept_and_can_be_sent_back() {
    for api in APIS {
        let again = Turn::answer(|request| Turn::say(&request.tool_results()[0].1));
        let server = ChatServer::start(vec![Turn::malformed("exec", "{\"command\": oops"), again]);
        let reply = ask_hello(api, &server).await.reply.unwrap();
        assert_eq!(reply.calls[0].input, Err("{\"command\": oops".to_owned()));
        let messages = [
            user("hello"),
            Message::Assistant { text: String::new(), calls: reply.calls.clone() },
            Message::Tool {
                call_id: reply.calls[0].id.clone(),
                content: "Error: no JSON".to_owned(),
                is_error: true,
            },
        ];
        // The server refuses conversations that a provider would.
        assert_eq!(ask(api, options(&server), &messages).await.reply.unwrap().text, "Error: no JSON");
    }
}

#[tokio::test]
async fn a_document_instead_of_a_stream_is_read() {
    for api in APIS {
        let turn = Turn::think("hm").and(Turn::say("Hi")).and(Turn::call("exec", json!({"a": 1}))).whole();
        let server = ChatServer::start(vec![turn]);
        let reply = ask_hello(api, &server).await.reply.unwrap();
        assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("Hi", "hm"));
        assert_eq!(reply.calls[0].input, Ok(json!({"a": 1})));
        assert_eq!((reply.stop, reply.usage.cached_tokens), (StopReason::Tools, 40));
    }
}

#[tokio::test]
async fn refusals_and_long_answers_say_so() {
    for api in APIS {
        for (stop, expected) in [(Stop::Length, StopReason::Length), (Stop::Refusal, StopReason::Refusal)] {
            let server = ChatServer::start(vec![Turn::say("so far").stop(stop)]);
            assert_eq!(ask_hello(api, &server).await.reply.unwrap().stop, expected);
        }
    }
}

#[tokio::test]
async fn conversations_run_side_by_side() {
    for api in APIS {
        let server = ChatServer::answering(|request| Turn::say(&request.last_words().to_uppercase()));
        let (left, right) = ([user("left")], [user("right")]);
        let (left, right) =
            tokio::join!(ask(api, options(&server), &left), ask(api, options(&server), &right));
        assert_eq!(left.reply.unwrap().text, "LEFT");
        assert_eq!(right.reply.unwrap().text, "RIGHT");
    }
}
