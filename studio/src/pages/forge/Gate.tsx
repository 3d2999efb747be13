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

/** What was measured. A test holds for exactly the content that was tested. */
export function Gate({ shown }: { shown: Shown }) {
  const [asks, setAsks] = useState(false);
  const test = useChange("forge.test", { refresh: ["forge.show", "forge.list"] });
  const measured = shown.draft.test;
  const run = (runScript: boolean) => {
    setAsks(false);
    test.mutate({ name: shown.draft.name, runScript });
  };
  return (
    <Panel
      title="Test"
      end={
        measured && (
          <Chip
            look={shown.passed ? "ready" : measured.passed ? "setup" : "bad"}
            icon={shown.passed ? "check" : "warning"}
          >
            {shown.passed ? "Passed" : measured.passed ? "Changed since" : "Failed"}
          </Chip>
        )
      }
    >
      <div className="measured">
        {measured ? (
          <>
            {measured.hash !== shown.hash && (
              <Note kind="warning">
                The draft was changed after this test, so it does not count any more.
              </Note>
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
          <p className="quiet">It was not tested yet. Only a draft that passed can be promoted.</p>
        )}
        <div className="actions">
          <Button icon="play" busy={test.isPending && !test.variables.runScript} onClick={() => run(false)}>
            Test it
          </Button>
          {shown.script && (
            <Button busy={test.isPending && test.variables.runScript === true} onClick={() => setAsks(true)}>
              Test it and run its script
            </Button>
          )}
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
      {asks && shown.script && (
        <Confirm
          title="Run the script of this draft?"
          action="Run it in a copy"
          onClose={() => setAsks(false)}
          onConfirm={() => run(true)}
        >
          <p>
            It runs on the machine of the gateway, in a copy of the workspace, for two minutes at most. It can
            use the network.
          </p>
          <Output label="Script" text={shown.script} />
        </Confirm>
      )}
    </Panel>
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
