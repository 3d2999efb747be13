//! `prowess registry serve` and `registry token`

use std::path::PathBuf;

use prowess_hub::{Hub, HubOptions, OperatorNote, TokenDesk, TokenRecord};
use prowess_text::printable;
use prowess_types::ErrorKind;
use tokio::net::TcpListener;

use crate::answers::{DoneFlag, NewTokenAnswer, RegistryLine, TokenRow, TokensAnswer};
use crate::args::{DataArgs, ServeArgs, TokenCommand};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::interrupt::interrupted;
use crate::output::{self, BOLD, Cell, DIM, GOOD, Table, WARN, paint};

pub(crate) fn serve(context: &Context, args: &ServeArgs) -> Result<Outcome, Failure> {
    let mut options = HubOptions::new(folder(context, &args.data), context.clock());
    options.public_url.clone_from(&args.public_url);
    options.featured = args.features.iter().map(|name| featured(name)).collect::<Result<_, _>>()?;
    options.quota = args.quota.saturating_mul(1024 * 1024);
    options.engine = Some(context.engine.clone());
    options.note =
        OperatorNote::new(|text| output::err(&format!("{}: {}\n", paint(WARN, "note"), printable(text))));
    let hub = Hub::open(options)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(args.listen).await.map_err(|error| {
            Failure::of(ErrorKind::Address, &error)
                .hint(format!("cannot listen on {}; choose another address with `--listen`", args.listen))
        })?;
        let interrupted = interrupted();
        announce(context, args, &listener)?;
        hub.serve(listener, interrupted).await.map_err(Failure::from)
    });
    // Background computations are not waited for.
    runtime.shutdown_background();
    served?;
    if !context.json {
        output::out("Stopped.\n")?;
    }
    Ok(Outcome::Fine)
}

fn announce(context: &Context, args: &ServeArgs, listener: &TcpListener) -> Result<(), Failure> {
    let address = listener.local_addr()?;
    let url = args.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let folder = folder(context, &args.data);
    if context.json {
        let data = folder.display().to_string();
        output::json_line(&RegistryLine::Serving { address: address.to_string(), url: &url, data })?;
        return Ok(());
    }
    if !address.ip().is_loopback() {
        let text = "other machines can reach this registry; put a TLS proxy in front of it";
        output::err(&format!("{}: {text}\n", paint(WARN, "note")));
    }
    let place = printable(&folder.display().to_string());
    output::out(&format!("Serving {} at {}; Ctrl-C stops it.\n", place, paint(BOLD, printable(&url))))?;
    Ok(())
}

pub(crate) fn token(context: &Context, command: &TokenCommand) -> Result<Outcome, Failure> {
    let open = |data: &DataArgs| TokenDesk::open(&folder(context, data), context.clock());
    match command {
        TokenCommand::Create { handle, label, data } => {
            let (record, token) = open(data)?.create(handle, label.as_deref())?;
            if context.json {
                output::json(&NewTokenAnswer { row: row(&record), token: token.expose() })?;
            } else {
                output::err(&paint(DIM, format!("A token of @{handle}; it is not shown again:\n")));
                output::out_exact(&format!("{}\n", token.expose()))?;
            }
        }
        TokenCommand::List { data } => list(context, &open(data)?.list()?)?,
        TokenCommand::Revoke { id, data } => {
            if !open(data)?.revoke(id)? {
                return Err(Failure::not_found(format!("there is no token `{}`", printable(id)))
                    .hint("`prowess registry token list` shows the tokens"));
            }
            done(context, &format!("revoked token {id}"))?;
        }
        TokenCommand::Approve { code, handle, data } => {
            if !open(data)?.approve(code, handle)? {
                let code = printable(code);
                return Err(Failure::not_found(format!("no pending login has the code `{code}`"))
                    .hint("a code is valid for 15 minutes; request a new one in the client"));
            }
            done(context, &format!("approved the client as @{handle}"))?;
        }
    }
    Ok(Outcome::Fine)
}

fn done(context: &Context, text: &str) -> Result<(), Failure> {
    if context.json {
        output::json(&DoneFlag { ok: true })?;
    } else {
        output::out(&format!("{} {}\n", paint(GOOD, "✓"), printable(text)))?;
    }
    Ok(())
}

fn list(context: &Context, tokens: &[TokenRecord]) -> Result<(), Failure> {
    if context.json {
        output::json(&TokensAnswer { tokens: tokens.iter().map(row).collect() })?;
        return Ok(());
    }
    if tokens.is_empty() {
        output::out("No tokens yet.\n")?;
        return Ok(());
    }
    let mut table = Table::new(&["ID", "HANDLE", "LABEL", "STATE", "LAST USED"], 2);
    for token in tokens {
        let state = match token.revoked_at {
            None => Cell::styled(GOOD, "good"),
            Some(_) => Cell::styled(DIM, "revoked"),
        };
        let label = printable(token.label.as_deref().unwrap_or("-"));
        let used = token.used_at.map_or_else(|| "never".to_owned(), moment);
        table.row([token.id.clone().into(), token.handle.clone().into(), label.into(), state, used.into()]);
    }
    output::out(&table.text())?;
    Ok(())
}

fn row(token: &TokenRecord) -> TokenRow<'_> {
    TokenRow {
        id: &token.id,
        handle: &token.handle,
        label: token.label.as_deref(),
        created_at: token.created_at,
        used_at: token.used_at,
        revoked_at: token.revoked_at,
    }
}

/// A time in milliseconds, to the minute.
fn moment(milliseconds: i64) -> String {
    let moment = jiff::Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    moment.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// `@owner/slug` in its two parts.
fn featured(name: &str) -> Result<(String, String), Failure> {
    let parts = name.trim_start_matches('@').split_once('/');
    let parts = parts.filter(|(owner, slug)| !owner.is_empty() && !slug.is_empty() && !slug.contains('/'));
    parts.map(|(owner, slug)| (owner.to_owned(), slug.to_owned())).ok_or_else(|| {
        Failure::usage(format!("`{}` does not name a skill of a publisher", printable(name)))
            .hint("write it as @owner/slug")
    })
}

fn folder(context: &Context, data: &DataArgs) -> PathBuf {
    match &data.data {
        Some(folder) => context.engine.env().cwd().join(folder),
        None => context.engine.places().state.join("registry"),
    }
}
