import { useState } from "react";
import { useCall } from "../../api";
import { Button, Chip, Icon, QueryState } from "../../components";
import { lengthText, OutcomeChip } from "./outcome";
import { Rating } from "./Rating";
import { type Activation, type Run, RunSkills } from "./RunSkills";
import { Timeline } from "./Timeline";

const PAGE = 500;

/** One run of a session: message, skills shown and used, timeline, outcome, rating. */
export function RunPanel(props: {
  run: Run;
  session: string;
  agentId: string;
  activation: Activation | undefined;
}) {
  const { run, session, agentId, activation } = props;
  return (
    <section className="panel run" aria-label={`Run: ${run.message}`}>
      <header className="run-head">
        <Icon name="agent" />
        <p className="run-message">{run.message}</p>
        <OutcomeChip outcome={run.outcome} />
        {run.stopped && <Chip look="plain">Stopped</Chip>}
        {!run.ended && <Chip look="setup">Its end was not recorded</Chip>}
      </header>
      <p className="quiet run-note">
        {run.backend.name}
        {run.backend.model && ` · ${run.backend.model}`}
        {run.ms != null && ` · ${lengthText(run.ms)}`} · {(run.usage.inputTokens ?? 0).toLocaleString()}{" "}
        tokens read, {(run.usage.outputTokens ?? 0).toLocaleString()} written
        {Object.entries(run.tools).map(
          ([tool, use]) => ` · ${tool} ×${use.calls}${use.failed ? ` (${use.failed} failed)` : ""}`,
        )}
      </p>
      {activation && <RunSkills run={run} session={session} activation={activation} agentId={agentId} />}
      <RunTimeline session={session} run={run.run} />
      <Rating run={run} session={session} agentId={agentId} />
    </section>
  );
}

/** The part of the trace about a run. */
export function RunTimeline({ session, run }: { session: string; run: string }) {
  const [limit, setLimit] = useState(PAGE);
  const trace = useCall("sessions.events", { session, run, offset: 0, limit });
  if (!trace.data)
    return <QueryState of={trace} what="The trace could not be read" loading="Loading the trace" rows={3} />;
  return (
    <>
      <Timeline events={trace.data.events} />
      {trace.data.nextOffset != null && (
        <div className="actions run-note">
          {limit < 1000 ? (
            <Button size="small" onClick={() => setLimit(1000)}>
              Show more
            </Button>
          ) : (
            <span className="quiet">The rest of its {trace.data.total} lines is in the export.</span>
          )}
        </div>
      )}
    </>
  );
}
