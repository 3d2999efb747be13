//! `prowess schema`

use prowess_types::ErrorKind;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::answers::{CodeRow, CodesAnswer, SchemaRow, SchemasAnswer};
use crate::args::SchemaArgs;
use crate::context::Context;
use crate::failure::{ErrorAnswer, Failure, Outcome, exit, general_help, meaning};
use crate::output::{self, Table};
use crate::schema::{ANSWERS, Answer, Form, Shape, of};

pub(crate) fn run(context: &Context, args: &SchemaArgs) -> Result<Outcome, Failure> {
    let name = args.command.join(" ");
    match name.as_str() {
        "" => list(context)?,
        "config" => output::json(&prowess_config::Config::json_schema(context.engine.profile()))?,
        "error" => output::json(&schema("error", &[of::<ErrorAnswer>]))?,
        "codes" => codes(context)?,
        "openapi" => output::json(&prowess_gateway::openapi_document())?,
        name => {
            let found = ANSWERS.iter().find(|answer| answer.command == name);
            let answer = found.ok_or_else(|| {
                Failure::not_found(format!("there is no command `{}`", prowess_text::printable(name)))
                    .hint("`prowess schema` lists them; a group such as `sessions` has a schema for each of its commands")
            })?;
            output::json(&described(answer)?)?;
        }
    }
    Ok(Outcome::Fine)
}

fn described(answer: &Answer) -> Result<Value, Failure> {
    match answer.form {
        Form::Whole | Form::Lines => Ok(schema(answer.command, answer.shapes)),
        Form::Other(what) => Err(Failure::not_found(format!(
            "`prowess {}` prints {what}, with and without `--json`",
            answer.command
        ))
        .hint("`prowess schema` lists the commands that answer in JSON")),
    }
}

/// One schema; where a command has several answers, any of them.
fn schema(command: &str, shapes: &[Shape]) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let shapes: Vec<Value> = shapes.iter().map(|shape| shape(&mut generator).to_value()).collect();
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    schema.insert("title".to_owned(), format!("prowess {command}").into());
    match shapes.as_slice() {
        [Value::Object(shape)] => schema.extend(shape.clone()),
        _ => schema.extend([("anyOf".to_owned(), shapes.into())]),
    }
    let definitions = generator.take_definitions(/*apply_transforms*/ true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), definitions.into());
    }
    schema.into()
}

fn list(context: &Context) -> Result<(), Failure> {
    let row = |answer: &Answer| match answer.form {
        Form::Whole => ("value", "one JSON value"),
        Form::Lines => ("lines", "one JSON value a line"),
        Form::Other(what) => ("other", what),
    };
    if context.json {
        let commands = ANSWERS.iter().map(|answer| {
            let (form, prints) = row(answer);
            SchemaRow { command: answer.command, form, prints }
        });
        output::json(&SchemasAnswer { commands: commands.collect() })?;
        return Ok(());
    }
    let mut table = Table::new(&["Command", "With --json"], 1);
    for answer in ANSWERS {
        table.row([answer.command.into(), row(answer).1.into()]);
    }
    output::out(&table.text())?;
    Ok(())
}

/// Every code that an error can have.
fn codes(context: &Context) -> Result<(), Failure> {
    if context.json {
        let codes = ErrorKind::ALL.map(|kind| {
            let (gateway, http) = prowess_gateway::error_codes(kind);
            CodeRow {
                code: kind.code(),
                exit: exit(kind),
                gateway,
                http,
                meaning: meaning(kind),
                help: general_help(kind),
            }
        });
        output::json(&CodesAnswer { codes: codes.into() })?;
        return Ok(());
    }
    let mut table = Table::new(&["Code", "Exit", "Meaning"], 2);
    for kind in ErrorKind::ALL {
        table.row([kind.code().into(), exit(kind).to_string().into(), meaning(kind).into()]);
    }
    output::out(&table.text())?;
    Ok(())
}
