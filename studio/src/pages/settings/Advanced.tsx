import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type ConfigSnapshot, call, GatewayError, isStale, refresh, useCall } from "../../api";
import { Button, Diff, ErrorNote, Icon, Note, Panel, QueryState } from "../../components";
import { useDraft } from "../../lib/draft";
import { type Json, merge } from "../../lib/merge";

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** The file became another one, and both changed the same places. */
class Conflict extends Error {
  constructor(
    readonly theirs: ConfigSnapshot,
    readonly places: string[],
  ) {
    super("The config changed since you began");
  }
}

/** The config file as a text. A write from elsewhere is merged; where that cannot be done, both sides are shown. */
export function Advanced() {
  const config = useCall("config.get", {});
  if (!config.data)
    return (
      <QueryState of={config} what="The config could not be read" loading="Loading the config" rows={4} />
    );
  return <Editor snapshot={config.data} />;
}

function Editor({ snapshot }: { snapshot: ConfigSnapshot }) {
  const [draft, setDraft] = useDraft("config");
  const [stored, setStored] = useDraft("config/base");
  const [compare, setCompare] = useState(false);
  const current = useMemo(() => pretty(snapshot.config), [snapshot.config]);
  // The base of the draft: its text and its hash.
  const base = useMemo(
    () => (stored ? (JSON.parse(stored) as { text: string; hash: string }) : undefined),
    [stored],
  );
  const text = draft ?? current;
  const changed = draft !== undefined && draft !== (base?.text ?? current);
  const movedOn = changed && base !== undefined && base.hash !== snapshot.hash;

  const drop = () => {
    setDraft(undefined);
    setStored(undefined);
    save.reset();
  };
  const rebase = (onto: ConfigSnapshot, value: Json) => {
    setStored(JSON.stringify({ text: pretty(onto.config), hash: onto.hash }));
    setDraft(pretty(value));
  };
  const save = useMutation({
    mutationFn: async () => {
      const began = base ?? { text: current, hash: snapshot.hash };
      try {
        await write(text, began.hash, snapshot.exists);
      } catch (error) {
        if (!isStale(error)) throw error;
        const theirs = await call("config.get", {});
        const ours = parse(text);
        if (ours === undefined) throw new Conflict(theirs, []);
        const merged = merge(parse(began.text), ours, theirs.config as Json);
        if (merged.conflicts.length > 0) throw new Conflict(theirs, merged.conflicts);
        await write(pretty(merged.value), theirs.hash, theirs.exists);
      }
      await refresh("config.get", "agents.list", "skills.status");
      setDraft(undefined);
      setStored(undefined);
    },
  });
  const conflict = save.error instanceof Conflict ? save.error : undefined;

  return (
    <>
      <Problems snapshot={snapshot} />
      <Panel title="Config file" end={<code>{snapshot.path}</code>}>
        <div className="editor">
          {movedOn && !conflict && (
            <Note kind="info">
              The file was changed elsewhere since you began. Saving merges both where they do not conflict.
            </Note>
          )}
          <textarea
            className="textarea code config"
            aria-label="Text of the config file"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              if (draft === undefined) setStored(JSON.stringify({ text: current, hash: snapshot.hash }));
              setDraft(event.target.value);
            }}
          />
          <div className="actions">
            <Button look="primary" disabled={!changed} busy={save.isPending} onClick={() => save.mutate()}>
              Save the config
            </Button>
            {changed && (
              <>
                <Button onClick={() => setCompare(!compare)} aria-expanded={compare}>
                  {compare ? "Hide the changes" : "Show the changes"}
                </Button>
                <Button onClick={drop}>Discard the changes</Button>
                <span className="quiet">Not saved</span>
              </>
            )}
          </div>
          {compare && changed && <Diff before={base?.text ?? current} after={text} label="Your changes" />}
          {save.isSuccess && !changed && (
            <p role="status" className="quiet">
              Saved and applied.
            </p>
          )}
          {conflict && (
            <ConflictNote
              conflict={conflict}
              base={base?.text ?? current}
              ours={text}
              onMine={() => {
                const ours = parse(text);
                if (ours === undefined) return;
                rebase(
                  conflict.theirs,
                  merge(parse(base?.text ?? current), ours, conflict.theirs.config as Json).value,
                );
                save.reset();
                setCompare(true);
              }}
              onTheirs={drop}
            />
          )}
          {save.error && !conflict && <SaveError error={save.error} retry={() => save.mutate()} />}
        </div>
      </Panel>
    </>
  );
}

function write(raw: string, hash: string, exists: boolean) {
  return call("config.set", { raw, ...(exists && { baseHash: hash }) });
}

/** Reads JSON; what is JSON5 only is left to the gateway. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function Problems({ snapshot }: { snapshot: ConfigSnapshot }) {
  const all = [
    ...snapshot.issues.map((issue) => ({ ...issue, kind: "error" as const })),
    ...snapshot.warnings.map((issue) => ({ ...issue, kind: "warning" as const })),
  ];
  if (all.length === 0) return null;
  return (
    <Panel title={snapshot.valid ? "Remarks about the file" : "Parts of the file are not used"}>
      <ul className="problems">
        {all.map((problem, index) => (
          <li key={index} data-kind={problem.kind}>
            <Icon name={problem.kind === "error" ? "cross" : "warning"} />
            <div>
              <p>
                {problem.path && <code>{problem.path}</code>} {problem.message.replaceAll("`", "")}
              </p>
              <p className="quiet">
                {problem.line !== undefined &&
                  `Line ${problem.line}, column ${problem.column ?? 1} of the file. `}
                {problem.help?.replaceAll("`", "")}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SaveError({ error, retry }: { error: Error; retry: () => void }) {
  const details =
    error instanceof GatewayError
      ? (error.details as { issues?: { path?: string; message: string }[] })
      : undefined;
  const issues = details?.issues ?? [];
  return (
    <>
      <ErrorNote what="The config was not saved" error={error} retry={retry} />
      {issues.length > 1 && (
        <ul className="problems">
          {issues.map((issue, index) => (
            <li key={index} data-kind="error">
              <Icon name="cross" />
              <p>
                {issue.path && <code>{issue.path}</code>} {issue.message.replaceAll("`", "")}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ConflictNote(props: {
  conflict: Conflict;
  base: string;
  ours: string;
  onMine: () => void;
  onTheirs: () => void;
}) {
  const { conflict, base, ours } = props;
  return (
    <Note
      kind="warning"
      actions={
        <>
          <Button onClick={props.onMine} disabled={parse(ours) === undefined}>
            Apply mine on top of theirs
          </Button>
          <Button onClick={props.onTheirs}>Take theirs</Button>
        </>
      }
    >
      <p>
        <strong>{conflict.message}.</strong> Nothing of yours was written.{" "}
        {conflict.places.length > 0 ? (
          <>
            Both of you changed{" "}
            {conflict.places.map((place) => (
              <code key={place}>{place || "everything"}</code>
            ))}
            .
          </>
        ) : (
          "Your text is not plain JSON, so the two cannot be merged here."
        )}
      </p>
      <h3>What changed elsewhere</h3>
      <Diff before={base} after={pretty(conflict.theirs.config)} label="What changed elsewhere" />
      <h3>What you changed</h3>
      <Diff before={base} after={ours} label="What you changed" />
    </Note>
  );
}
