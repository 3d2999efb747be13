//! The reference of the gateway's methods and events, from its OpenAPI document.

use serde_json::Value;

use super::cell;

pub(super) fn page(openapi: &Value) -> String {
    let mut text = String::from(
        "# Methods and events of the gateway\n\nEvery method, as the gateway describes itself (`GET /api/v1/openapi.json`, \
         or `prowess schema openapi` without a gateway).\nA method is a frame on the WebSocket or `POST /api/v1/<method>` \
         over HTTP. The methods are explained in\n[gateway-methods.md](../gateway-methods.md), the frames in \
         [gateway-protocol.md](../gateway-protocol.md). `?` marks what may be left out.\n",
    );
    let mut group = "";
    for (path, operation) in methods(openapi) {
        let tag = operation["tags"][0].as_str().unwrap_or_default();
        if tag != group {
            text += &format!(
                "\n## {tag}\n\n| method | what it does | params | answer | scope |\n|---|---|---|---|---|\n"
            );
            group = tag;
        }
        let params = &operation["requestBody"]["content"]["application/json"]["schema"];
        let answer = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        text += &format!(
            "| `{path}` | {} | {} | {} | `{}` |\n",
            cell(operation["summary"].as_str().unwrap_or_default()),
            fields(params, openapi),
            shape(answer, openapi),
            operation["x-access"].as_str().unwrap_or_default(),
        );
    }
    text += "\n## Events\n\n| event | what it tells | who gets it |\n|---|---|---|\n";
    for event in openapi["x-events"].as_array().into_iter().flatten() {
        let field = |name: &str| cell(event[name].as_str().unwrap_or_default());
        text += &format!("| `{}` | {} | {} |\n", field("name"), field("summary"), field("x-access"));
    }
    text
}

/// The methods by group and name, without the addresses that are not methods.
fn methods(openapi: &Value) -> Vec<(&str, &Value)> {
    let paths = openapi["paths"].as_object().into_iter().flatten();
    let named = paths.filter_map(|(path, item)| {
        let operation = &item["post"];
        operation["x-access"].is_string().then_some((path.strip_prefix("/api/v1/")?, operation))
    });
    let mut methods: Vec<(&str, &Value)> = named.collect();
    methods.sort_by_key(|(name, operation)| (operation["tags"][0].as_str().unwrap_or_default(), *name));
    methods
}

/// The type that a reference names, or the schema itself.
fn resolved<'a>(schema: &'a Value, openapi: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(path) => openapi.pointer(path).unwrap_or(schema),
        None => schema,
    }
}

/// An answer: the name of its type, and its fields.
fn shape(schema: &Value, openapi: &Value) -> String {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    match (name, fields(schema, openapi)) {
        (Some(name), fields) if fields == "any" => format!("`{name}`"),
        (Some(name), fields) => format!("`{name}`: {fields}"),
        (None, fields) => fields,
    }
}

/// The fields of an object.
fn fields(schema: &Value, openapi: &Value) -> String {
    let schema = resolved(schema, openapi);
    let Some(properties) = schema["properties"].as_object() else {
        return match schema["type"].as_str() {
            Some("object") => "none".to_owned(),
            Some(kind) => kind.to_owned(),
            None => "any".to_owned(),
        };
    };
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = properties.keys().map(|name| {
        if required.contains(&name.as_str()) { format!("`{name}`") } else { format!("`{name}`?") }
    });
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_may_be_left_out_is_marked() {
        let openapi =
            json!({"components": {"schemas": {"A": {"properties": {"x": {}, "y": {}}, "required": ["x"]}}}});
        let schema = json!({"$ref": "#/components/schemas/A"});
        assert_eq!(shape(&schema, &openapi), "`A`: `x`, `y`?");
        assert_eq!(fields(&json!({"type": "object"}), &openapi), "none");
    }
}
