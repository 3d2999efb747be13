import { Link } from "@tanstack/react-router";
import { type Result, useCall } from "../../api";
import { Chip, Note, Panel, QueryState, UnifiedDiff } from "../../components";
import { useCurrentAgent } from "../../lib/agents";
import { sentence } from "../../lib/readiness";
import { momentText } from "../../lib/text";
import { Actions } from "./Actions";
import { Gate } from "./Gate";
import { Improve } from "./Improve";
import { StatusChip } from "./status";

export type Shown = Result<"forge.show">;

/** One draft: what it is made of, what it would change, what was measured, and what can be done with it. */
export function DraftView({ name }: { name: string }) {
  const shown = useCall("forge.show", { name }, { retry: false });
  const diff = useCall("forge.diff", { name }, { retry: false });
  if (!shown.data)
    return <QueryState of={shown} what="The draft could not be read" loading="Loading the draft" rows={4} />;
  const { draft } = shown.data;
  return (
    <>
      <section className="panel draft-bar" aria-label="In short">
        <StatusChip status={draft.status} />
        <span>
          done {draft.count} {draft.count === 1 ? "time" : "times"}
        </span>
        <Chip look="plain" title="Confidence that it is a procedure">
          {draft.confidence} confidence
        </Chip>
        {draft.words.map((word) => (
          <Chip key={word} look="plain">
            {word}
          </Chip>
        ))}
        <code title="Fingerprint">{draft.fingerprint}</code>
      </section>
      {draft.hasDataRisk && (
        <Note kind="warning">
          A step touched private data without a person being asked. Read the procedure before you promote it.
        </Note>
      )}
      <div className="draft-columns">
        <div className="draft-main">
          <Panel title="Changes of the promotion">
            <QueryState of={diff} what="The difference could not be made" loading="Comparing" rows={3} />
            {diff.data &&
              (diff.data.diff ? (
                <UnifiedDiff text={diff.data.diff} label="Difference" />
              ) : (
                <p className="quiet">Nothing: the skill in use is the same.</p>
              ))}
          </Panel>
          <Files files={shown.data.files} />
        </div>
        <div className="draft-side">
          <Gate shown={shown.data} />
          <Actions shown={shown.data} />
          {draft.status !== "rejected" && draft.status !== "retired" && <Improve name={draft.name} />}
          <Origin draft={draft} />
          <Versions draft={draft} />
        </div>
      </div>
    </>
  );
}

function Files({ files }: { files: Shown["files"] }) {
  return (
    <Panel title="Files of the draft">
      <ul className="draft-files">
        {Object.entries(files).map(([path, text]) => (
          <li key={path}>
            <details>
              <summary>
                <code>{path}</code>
              </summary>
              <pre className="output">{text}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Origin({ draft }: { draft: Shown["draft"] }) {
  const agentId = useCurrentAgent();
  const needs = [...(draft.needs.bins ?? []), ...(draft.needs.env ?? []), ...(draft.needs.config ?? [])];
  return (
    <Panel title="What it is made of">
      <dl className="facts">
        <dt>Sessions</dt>
        <dd>
          <ul>
            {draft.sessions.map((one) => (
              <li key={`${one.session} ${one.run}`}>
                {agentId ? (
                  <Link
                    to="/agents/$agentId/sessions/$session"
                    params={{ agentId, session: one.session }}
                    search={{}}
                  >
                    {momentText(one.at)}
                  </Link>
                ) : (
                  momentText(one.at)
                )}
              </li>
            ))}
          </ul>
        </dd>
        <dt>Parameters</dt>
        <dd>
          {draft.parameters.length === 0
            ? "none"
            : draft.parameters.map((one) => `${one.name} (${one.kind})`).join(", ")}
        </dd>
        <dt>Needs</dt>
        <dd>{needs.length === 0 ? "nothing" : needs.join(", ")}</dd>
        <dt>Script</dt>
        <dd>{replayText(draft)}</dd>
      </dl>
    </Panel>
  );
}

function replayText(draft: Shown["draft"]): string {
  switch (draft.replay) {
    case "none":
      return "none: it is a text only";
    case "whole":
      return "does every step";
    case "partial":
      return `leaves out ${draft.leftOut.length} steps`;
    case "on-phone":
      return "runs on a phone";
  }
}

function Versions({ draft }: { draft: Shown["draft"] }) {
  return (
    <Panel title="History">
      <ol className="draft-history">
        {draft.history.toReversed().map((one, index) => (
          <li key={index}>
            <span>{sentence(one.what)}</span> <span className="quiet">{momentText(one.at)}</span>
          </li>
        ))}
      </ol>
      {draft.versions && draft.versions.length > 0 && (
        <>
          <h3>Versions</h3>
          <ul className="draft-history">
            {draft.versions.map((version) => (
              <li key={version.number}>
                <span>
                  Version {version.number}
                  {version.number === draft.current && (
                    <>
                      {" "}
                      <Chip look="ready" icon="check">
                        In use
                      </Chip>
                    </>
                  )}
                </span>{" "}
                <span className="quiet">
                  {momentText(version.at)}, agreed by {version.by === "policy" ? "the policy" : "a person"}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
