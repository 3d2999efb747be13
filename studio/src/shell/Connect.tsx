import { type FormEvent, useEffect, useState } from "react";
import { connection, errorText } from "../api";
import type { ConnectionState } from "../api/connection";
import { Button, CopyButton, Note } from "../components";

/** The page that is shown until this browser is authenticated. */
export function Connect({ state }: { state: ConnectionState }) {
  return (
    <main className="gate">
      <div className="panel">
        <div className="brand">
          <img src="/favicon.svg" alt="" />
          Prowess Studio
        </div>
        {state.phase === "refused" ? (
          <Refused error={state.error} code={state.code} />
        ) : (
          <Waiting state={state} />
        )}
      </div>
    </main>
  );
}

function Waiting({ state }: { state: ConnectionState }) {
  if (state.phase !== "lost")
    return (
      <p role="status" className="actions">
        <span className="spinner" aria-hidden="true" /> Connecting to the gateway
      </p>
    );
  return (
    <>
      <h1>The gateway does not answer</h1>
      <p>
        Nothing answers at <code>{connection.url}</code> ({state.reason}). It is tried again by itself. Is it
        running?
      </p>
      <Command text="prowess up" />
      <div className="actions">
        <Button look="primary" onClick={() => connection.start()}>
          Try now
        </Button>
      </div>
    </>
  );
}

/** The gateway's error codes in words for the user. */
const MEANINGS: Record<string, string> = {
  CODE_EXPIRED: "This link has expired. Run `prowess up` (or `prowess gateway url`) for a new one.",
  AUTH_TOKEN_MISSING: "This browser has no token of this gateway yet.",
  AUTH_TOKEN_MISMATCH: "The token is not the one of this gateway; it may have been changed.",
  AUTH_DEVICE_TOKEN_MISMATCH: "The gateway no longer knows this browser.",
};

function title(pairing: boolean, code: string | undefined): string {
  if (pairing) return "This browser is waiting for approval";
  return code === "CODE_EXPIRED" ? "This link has expired" : "Sign in to this gateway";
}

function Refused({ error, code }: { error: Error; code: string | undefined }) {
  const [token, setToken] = useState("");
  const pairing = code === "PAIRING_REQUIRED";
  useEffect(() => {
    if (!pairing) return;
    const again = setInterval(() => connection.start(), 4000);
    return () => clearInterval(again);
  }, [pairing]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connection.presentToken(token.trim());
    setToken("");
  };
  return (
    <>
      <h1>{title(pairing, code)}</h1>
      <Note kind={pairing ? "info" : "warning"}>
        {code && MEANINGS[code] && <p>{MEANINGS[code]}</p>}
        {code !== "CODE_EXPIRED" && (
          <p className="message quiet">
            {errorText(error)} {code && `(${code})`}
          </p>
        )}
      </Note>
      {pairing ? (
        <p>Approve it in the Studio of a browser that is already signed in. This page continues by itself.</p>
      ) : (
        <>
          <p>
            This prints an address that opens the Studio on this machine; open it, or type the token here.
          </p>
          <Command text="prowess gateway url" />
        </>
      )}
      <form onSubmit={submit} className="field">
        <label htmlFor="token">Token of the gateway</label>
        <input
          id="token"
          className="input"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <div className="actions">
          <Button look="primary" type="submit" disabled={token.trim() === ""}>
            Connect
          </Button>
          <Button onClick={() => connection.start()}>Retry</Button>
        </div>
      </form>
    </>
  );
}

function Command({ text }: { text: string }) {
  return (
    <div className="actions">
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
