import { useChange } from "../../api";
import { Button, Chip, ErrorNote, Icon, Note } from "../../components";
import { Approvals } from "./Approvals";
import { type LiveItem, type Run, useLive } from "./live";
import { RunTimeline } from "./RunPanel";
import { Tool } from "./Tool";

const STATUS = {
  queued: "Waiting",
  running: "Running",
  done: "Done",
  failed: "Failed",
  aborted: "Stopped",
} as const;

/** A run while it goes on: words as they come, tools, questions, and a way to stop it. */
export function LiveRun({ run }: { run: Run }) {
  const live = useLive(run.runId);
  const stop = useChange("runs.abort", { refresh: ["runs.list"] });
  // The list of the gateway may be older than its events.
  const status =
    live?.status === "running" || run.status === "queued" ? (live?.status ?? run.status) : run.status;
  const goesOn = status === "queued" || status === "running";
  const error = live?.error ?? run.error;
  return (
    <section className="panel run" aria-label={`Run: ${run.message}`}>
      <header className="run-head">
        <Icon name="agent" />
        <p className="run-message">{run.message}</p>
        <Chip look={goesOn ? "accent" : status === "done" ? "ready" : "bad"} icon={goesOn ? "play" : "info"}>
          {STATUS[status]}
        </Chip>
        {goesOn && (
          <Button
            size="small"
            look="danger"
            icon="cross"
            busy={stop.isPending || (stop.isSuccess && goesOn)}
            onClick={() => stop.mutate({ runId: run.runId })}
          >
            Stop the run
          </Button>
        )}
      </header>
      {stop.error && <ErrorNote what="It was not stopped" error={stop.error} dismiss={stop.reset} />}
      {/* A page that is opened during the run shows the earlier events from the trace. */}
      {!live?.whole && run.traceRun && <RunTimeline session={run.session} run={run.traceRun} />}
      <ol className="timeline" aria-label="Events of the run" aria-live="polite">
        {live?.items.map((item, index) => (
          <Item key={index} item={item} />
        ))}
        {goesOn && (
          <li className="moment waiting">
            <span className="spinner" aria-hidden="true" />
            <span className="quiet">
              {status === "queued" ? "Queued: its session or its agent is busy" : "Running…"}
            </span>
          </li>
        )}
      </ol>
      {goesOn && <Approvals runId={run.runId} />}
      {error && <Note kind="error">{error}</Note>}
    </section>
  );
}

function Item({ item }: { item: LiveItem }) {
  switch (item.kind) {
    case "text":
      return (
        <li className="moment">
          <Icon name="playground" />
          <p className="said">{item.text}</p>
        </li>
      );
    case "thinking":
      return (
        <li className="moment">
          <Icon name="info" />
          <p className="said thought">{item.text}</p>
        </li>
      );
    case "notice":
      return (
        <li className="moment">
          <Icon name="warning" />
          <p>{item.text}</p>
        </li>
      );
    case "skill":
      return (
        <li className="moment">
          <Icon name="skills" />
          <p>
            Skill <strong>{item.skill}</strong> came into use
          </p>
        </li>
      );
    case "tool":
      return (
        <li className="moment">
          <Icon name="setup" />
          <Tool {...item} />
        </li>
      );
  }
}
