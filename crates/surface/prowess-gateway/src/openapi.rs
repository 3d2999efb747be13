//! The OpenAPI document: the table of methods, as other programs read it.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::access::Access;
use crate::events::EVENTS;
use crate::state::{Method, Methods};

/// Describes every method that operators can call over HTTP.
pub(crate) fn document(methods: &Methods) -> Value {
    // What is sent and what is answered follow different rules about fields that may be missing, so a type that is
    // part of both would need two definitions: params stand where they are used.
    let mut params = SchemaSettings::draft2020_12().with(|all| all.inline_subschemas = true).into_generator();
    let results = SchemaSettings::draft2020_12().for_serialize();
    let results = results.with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut results = results.into_generator();
    let mut paths = Map::new();
    for method in methods.iter() {
        paths.insert(
            format!("/api/v1/{}", method.name),
            json!({ "post": operation(method, &mut params, &mut results) }),
        );
    }
    paths.extend(others());
    let definitions = results.take_definitions(true);
    let mut components = components();
    components["schemas"].as_object_mut().into_iter().for_each(|all| all.extend(definitions.clone()));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Prowess gateway",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every method of the gateway as JSON over HTTP. The same methods and events are reached over \
                            its WebSocket.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }],
        "paths": paths,
        "components": components,
        "x-events": EVENTS.map(|(name, about, access)| json!({ "name": name, "summary": about, "x-access": access })),
    })
}

fn operation(method: &Method, params: &mut SchemaGenerator, results: &mut SchemaGenerator) -> Value {
    let (access, about) = match method.access {
        Access::Operator(scope) => (scope.as_str(), method.about.to_owned()),
        Access::Node => {
            ("node", format!("{}. Only machines that report may call it, over the WebSocket", method.about))
        }
    };
    let tag = method.name.split('.').next().unwrap_or(method.name);
    let params = (method.params)(params);
    let is_required = params.get("required").is_some();
    json!({
        "operationId": method.name,
        "summary": about,
        "tags": [tag],
        "x-access": access,
        "requestBody": {
            "required": is_required,
            "content": { "application/json": { "schema": params } },
        },
        "responses": responses(json!({
            "description": "The answer",
            "content": { "application/json": { "schema": (method.result)(results) } },
        })),
    })
}

/// A good answer, and everything that may come instead.
fn responses(good: Value) -> Value {
    json!({
        "200": good,
        "400": { "$ref": "#/components/responses/Invalid" },
        "401": { "$ref": "#/components/responses/Unauthorized" },
        "403": { "$ref": "#/components/responses/Forbidden" },
        "408": { "$ref": "#/components/responses/Slow" },
        "413": { "$ref": "#/components/responses/TooLarge" },
        "415": { "$ref": "#/components/responses/NotJson" },
        "429": { "$ref": "#/components/responses/TooManyTries" },
        "503": { "$ref": "#/components/responses/Unavailable" },
    })
}

fn components() -> Value {
    let failure = |description: &str| {
        json!({
            "description": description,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } },
        })
    };
    json!({
        "securitySchemes": {
            "token": { "type": "http", "scheme": "bearer", "description": "The token of the gateway, or one that it gave a device" },
        },
        "responses": {
            "Invalid": failure("The call cannot be right: bad params, an unknown name, a stale hash"),
            "Unauthorized": failure("The token is missing or wrong"),
            "Forbidden": failure("The page or the caller may not do this"),
            "Slow": failure("The body took too long"),
            "TooLarge": failure("The body is too large"),
            "NotJson": failure("The body is not application/json"),
            "TooManyTries": failure("Too many wrong tokens; `Retry-After` says when the next one is looked at"),
            "Unavailable": failure("The call may be right, but what it needs is not there now"),
        },
        "schemas": {
            "Failure": {
                "type": "object",
                "required": ["error"],
                "additionalProperties": false,
                "properties": {
                    "error": {
                        "type": "object",
                        "required": ["code", "message", "details"],
                        "additionalProperties": false,
                        "properties": {
                            "code": { "enum": ["INVALID_REQUEST", "UNAVAILABLE", "NOT_PAIRED", "FORBIDDEN"] },
                            "message": { "type": "string", "description": "For people" },
                            "details": {
                                "type": "object",
                                "description": "For programs",
                                "required": ["code"],
                                "properties": {
                                    "code": {
                                        "type": "string",
                                        "description": "The code of the kind of error, or a finer code of the protocol",
                                    },
                                },
                            },
                            "retryable": { "type": "boolean" },
                            "retryAfterMs": { "type": "integer", "minimum": 0 },
                        },
                    },
                    "payload": { "description": "The answer that goes with the failure" },
                },
            },
        },
    })
}

/// The paths that are not methods.
fn others() -> Map<String, Value> {
    let text = |description: &str| json!({ "description": description, "content": { "text/plain": { "schema": { "type": "string" } } } });
    let removal = json!({
        "type": "object",
        "required": ["skillKey", "source", "baseDir"],
        "properties": {
            "skillKey": { "type": "string" },
            "source": { "type": "string", "description": "Where the skill is from; managed and workspace skills can be removed" },
            "baseDir": { "type": "string", "description": "Its folder, as `skills.status` tells it" },
            "workspaceDir": { "type": "string" },
            "managedSkillsDir": { "type": "string" },
        },
    });
    let removed = json!({
        "type": "object",
        "required": ["result"],
        "properties": {
            "result": {
                "type": "object",
                "required": ["removed", "removedPath", "source"],
                "properties": {
                    "removed": { "type": "boolean", "description": "Whether it was there" },
                    "removedPath": { "type": "string" },
                    "source": { "type": "string" },
                    "trashId": { "type": "string", "description": "What brings it back" },
                },
            },
        },
    });
    let refused = json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": {} },
    });
    let mut removal_responses = responses(json!({
        "description": "It is gone",
        "content": { "application/json": { "schema": removed } },
    }));
    removal_responses["400"] = json!({
        "description": "It may not be removed",
        "content": { "application/json": { "schema": refused } },
    });
    removal_responses["500"] = removal_responses["400"].clone();
    let described = json!({
        "/api/v1": { "get": {
            "operationId": "methods", "summary": "Every method", "tags": ["gateway"],
            "responses": responses(json!({
                "description": "The methods",
                "content": { "application/json": { "schema": { "type": "object" } } },
            })),
        } },
        "/api/v1/events": { "get": {
            "operationId": "events", "summary": "What happens, as server-sent events", "tags": ["gateway"],
            "responses": responses(json!({
                "description": "Events, for as long as the connection lasts",
                "content": { "text/event-stream": { "schema": { "type": "string" } } },
            })),
        } },
        "/api/gateway/skills/remove": { "post": {
            "operationId": "removeSkill", "summary": "Move a managed or workspace skill to the trash", "tags": ["skills"],
            "requestBody": { "required": true, "content": { "application/json": { "schema": removal } } },
            "responses": removal_responses,
        } },
        "/healthz": { "get": {
            "operationId": "healthz", "summary": "Whether the process answers", "tags": ["gateway"], "security": [],
            "responses": { "200": text("The process answers") },
        } },
        "/readyz": { "get": {
            "operationId": "readyz", "summary": "Readiness: the skills are loaded", "tags": ["gateway"], "security": [],
            "responses": { "200": text("Ready"), "503": text("Not ready") },
        } },
        "/metrics": { "get": {
            "operationId": "metrics", "summary": "Figures in the format of Prometheus", "tags": ["gateway"],
            "responses": responses(text("The figures")),
        } },
    });
    match described {
        Value::Object(paths) => paths,
        _ => Map::new(),
    }
}
