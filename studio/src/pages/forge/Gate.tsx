import { useState } from "react";
import { type Result, useChange } from "../../api";
import { Button, Chip, Confirm, ErrorNote, Note, Output, Panel } from "../../components";
import { sentence } from "../../lib/readiness";
import { fromNow, momentText } from "../../lib/text";
import type { Shown } from "./DraftView";

type Check = Result<"forge.test">["checks"][number];

const CHECKS: Record<Check["name"], string> = {
  portable: "It is a valid, portable skill",
  scan: "The scanner finds nothing",
  replay: "Its script works in a copy of the workspace",
  selection: "Messages find it",
  overlap: "It takes no message from another skill",
};

/** The measurements. A test holds for exactly the content that was tested. */
export function Gate({ shown }: { shown: Shown }) {
  const [asks, setAsks] = useState(false);
  const test = useChange("forge.test", { refresh: ["forge.show", "forge.list"] });
  const measured = shown.draft.test;
  const { replay } = shown;
  const run = (scriptHash?: string) => {
    setAsks(false);
    test.mutate({ name: shown.draft.name, ...(scriptHash && { runScript: true, scriptHash }) });
  };
  return (
    <Panel title="Test" end={measured && <StateChip shown={shown} />}>
      <div className="measured">
        {measured ? (
          <>
            {measured.hash !== shown.hash && (
              <Note kind="warning">The draft was changed after this test, so it no longer counts.</Note>
            )}
            <ul className="checks" aria-label="Checks">
              {measured.checks.map((check) => (
                <CheckRow key={check.name} check={check} />
              ))}
            </ul>
            <p className="quiet" title={momentText(measured.at)}>
              measured {fromNow(measured.at)}
            </p>
          </>
        ) : (
          <p className="quiet">Not tested yet. Only a draft that passed can be promoted.</p>
        )}
        {shown.script && !replay && (
          <p className="quiet">Running its script needs a device that may answer approvals.</p>
        )}
        <div className="actions">
          <Button
            icon="play"
            busy={test.isPending}
            onClick={() => (replay?.state === "ready" ? setAsks(true) : run())}
          >
            Test it
          </Button>
        </div>
        {test.error && (
          <ErrorNote
            what="It could not be tested"
            error={test.error}
            retry={() => test.variables && test.mutate(test.variables)}
            dismiss={test.reset}
          />
        )}
      </div>
      {asks && replay?.script && (
        <Confirm
          title="Run the script of this draft?"
          action="Run it in a copy"
          onClose={() => setAsks(false)}
          onConfirm={() => run(replay.hash ?? undefined)}
        >
          <p>
            It runs on the machine of the gateway, in a copy of the workspace, for two minutes at most. It can
            use the network. This is exactly what runs, with the values of its session:
          </p>
          <Output label="Script" text={replay.script} />
          {replay.redacted > 0 && (
            <Note kind="warning">
              {replay.redacted === 1 ? "One secret is" : `${replay.redacted} secrets are`} not shown here. The
              script runs with what the session recorded.
            </Note>
          )}
          {replay.findings && replay.findings.length > 0 && (
            <Note kind="warning">
              The scanner calls it {replay.verdict}:
              <ul>
                {replay.findings.map((finding) => (
                  <li key={finding}>{finding}</li>
                ))}
              </ul>
            </Note>
          )}
          <p>
            <Button size="small" onClick={() => run()}>
              Test without running it
            </Button>
          </p>
        </Confirm>
      )}
    </Panel>
  );
}

/** The state of the last test. */
function StateChip({ shown }: { shown: Shown }) {
  const state = shown.draft.test?.state;
  if (shown.passed) {
    return (
      <Chip look="ready" icon="check">
        Passed
      </Chip>
    );
  }
  const isCurrent = shown.draft.test?.hash === shown.hash;
  const text = !isCurrent
    ? "Changed since"
    : state === "incomplete"
      ? "Incomplete: needs your consent"
      : "Failed";
  return (
    <Chip look={isCurrent && state === "failed" ? "bad" : "setup"} icon="warning">
      {text}
    </Chip>
  );
}

function CheckRow({ check }: { check: Check }) {
  return (
    <li>
      <div className="section-head">
        <span>{CHECKS[check.name]}</span>
        {check.verdict === "passed" ? (
          <Chip look="ready" icon="check">
            Passed
          </Chip>
        ) : check.verdict === "failed" ? (
          <Chip look="bad" icon="cross">
            Failed
          </Chip>
        ) : check.verdict === "not-run" ? (
          <Chip look="setup">Not run</Chip>
        ) : (
          <Chip look="plain">Skipped</Chip>
        )}
      </div>
      {check.details.map((detail) => (
        <p key={detail} className="quiet">
          {sentence(detail)}
        </p>
      ))}
    </li>
  );
}
