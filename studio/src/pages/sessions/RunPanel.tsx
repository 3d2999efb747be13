import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Result, useCall } from "../../api";
import { Button, Chip, ErrorNote, Icon, Loading } from "../../components";
import { percent } from "../playground/signals";
import { lengthText, OutcomeChip } from "./outcome";
import { Rating } from "./Rating";
import { Timeline } from "./Timeline";

type Session = Result<"sessions.get">;
export type Run = Session["summary"]["runs"][number];
type Activation = Session["activations"][number];

const BY: Record<Activation["used"][number]["by"], string> = {
  read: "read by the model",
  preload: "put into the prompt",
  command: "called by a command",
  reference: "referred to by another skill",
  harness: "loaded by the agent program",
};

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
      {activation && <SkillsOf activation={activation} agentId={agentId} message={run.message} />}
      <RunTimeline session={session} run={run.run} />
      <Rating run={run} session={session} agentId={agentId} />
    </section>
  );
}

function SkillsOf(props: { activation: Activation; agentId: string; message: string }) {
  const { activation, agentId } = props;
  const loaded = activation.shown.filter((skill) => skill.loaded);
  return (
    <dl className="facts run-skills">
      <dt>Skills shown</dt>
      <dd className="chips">
        {activation.shown.length === 0 && <span className="quiet">None was chosen from</span>}
        {activation.shown.slice(0, 8).map((skill) => (
          <Link
            key={skill.name}
            to="/agents/$agentId/skills/$name"
            params={{ agentId, name: skill.name }}
            search={{}}
          >
            <Chip look={skill.loaded ? "accent" : "plain"} title={`score ${skill.score.toFixed(1)}`}>
              {skill.name} {percent(skill.confidence)}
            </Chip>
          </Link>
        ))}
      </dd>
      <dt>Choice</dt>
      <dd>
        <Link to="/agents/$agentId/playground" params={{ agentId }} search={{ message: props.message }}>
          Ask the playground the same today
        </Link>
      </dd>
      <dt>Loaded</dt>
      <dd>
        {loaded.length > 0 ? (
          loaded.map((skill) => skill.name).join(", ")
        ) : (
          <span className="quiet">None</span>
        )}
      </dd>
      <dt>Used</dt>
      <dd>
        {activation.used.length > 0 ? (
          activation.used.map((use) => `${use.skill} (${BY[use.by]})`).join(", ")
        ) : (
          <span className="quiet">None</span>
        )}
      </dd>
    </dl>
  );
}

/** What the trace has of a run. */
export function RunTimeline({ session, run }: { session: string; run: string }) {
  const [limit, setLimit] = useState(PAGE);
  const trace = useCall("sessions.events", { session, run, offset: 0, limit });
  if (trace.error && !trace.data)
    return <ErrorNote what="The trace could not be read" error={trace.error} retry={() => trace.refetch()} />;
  if (!trace.data) return <Loading label="Loading the trace" rows={3} />;
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
