import { useState } from "react";
import { type Result, useCall, useChange } from "../../api";
import { Button, Chip, Confirm, Empty, ErrorNote, Loading, Switch } from "../../components";
import { useAgents } from "../../lib/agents";
import { fromNow, momentText } from "../../lib/text";
import { JobDialog } from "./JobDialog";
import { scheduleText } from "./schedule";

export type Job = Result<"cron.list">["jobs"][number];

/** Messages that an agent gets by the clock. */
export function Automations({ agentId, name }: { agentId: string; name: string }) {
  const answer = useCall("cron.list", { includeDisabled: true });
  const { defaultId } = useAgents();
  const [editing, setEditing] = useState<Job | "new">();
  const jobs = (answer.data?.jobs ?? []).filter((job) => (job.agentId ?? defaultId) === agentId);
  return (
    <>
      <div className="actions">
        <Button look="primary" icon="plus" onClick={() => setEditing("new")}>
          Add an automation
        </Button>
      </div>
      {answer.error && (
        <ErrorNote
          what="The automations could not be listed"
          error={answer.error}
          retry={() => answer.refetch()}
        />
      )}
      {answer.isPending ? (
        <Loading label="Loading the automations" rows={3} />
      ) : jobs.length > 0 ? (
        <ul className="panel rows" aria-label={`Automations of ${name}`}>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} onEdit={() => setEditing(job)} />
          ))}
        </ul>
      ) : (
        !answer.error && (
          <div className="panel">
            <Empty icon="sessions" title={`No automations yet`}>
              An automation sends {name} a message on a schedule, repeatedly or once.
            </Empty>
          </div>
        )
      )}
      {editing && (
        <JobDialog
          agentId={agentId}
          job={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}

function JobRow({ job, onEdit }: { job: Job; onEdit: () => void }) {
  const again = { refresh: ["cron.list", "cron.runs"] as ("cron.list" | "cron.runs")[] };
  const update = useChange("cron.update", again);
  const run = useChange("cron.run", again);
  const remove = useChange("cron.remove", again);
  const [asking, setAsking] = useState(false);
  const [open, setOpen] = useState(false);
  const failures = [
    { what: `${job.name} was not switched`, change: update },
    { what: `${job.name} was not started`, change: run },
    { what: `${job.name} was not deleted`, change: remove },
  ];
  const { state } = job;
  return (
    <li className="job-row">
      <Switch
        label={`Automation ${job.name}`}
        on={update.isPending ? update.variables.patch.enabled === true : job.enabled}
        busy={update.isPending}
        onChange={(enabled) => update.mutate({ id: job.id, patch: { enabled } })}
      />
      <div className="skill-what">
        <div className="skill-title">
          <strong>{job.name}</strong>
          <Chip look="plain">{scheduleText(job.schedule)}</Chip>
          {state.runningAtMs !== undefined && state.runningAtMs !== null && (
            <Chip look="accent">Running</Chip>
          )}
          {state.lastStatus && (
            <Chip look={state.lastStatus === "ok" ? "ready" : "setup"}>Last: {state.lastStatus}</Chip>
          )}
        </div>
        <p className="skill-text">
          {job.payload.kind === "agentTurn" ? job.payload.message : job.payload.text}
        </p>
        <p className="quiet">
          {[
            job.enabled &&
              state.nextRunAtMs != null &&
              `Next ${fromNow(state.nextRunAtMs)} (${momentText(state.nextRunAtMs)})`,
            state.lastRunAtMs != null && `last run ${fromNow(state.lastRunAtMs)}`,
          ]
            .filter(Boolean)
            .join(", ") || "Never ran"}
        </p>
        {state.lastError && <p className="message">{state.lastError}</p>}
        {failures.map(
          ({ what, change }) =>
            change.error && <ErrorNote key={what} what={what} error={change.error} dismiss={change.reset} />,
        )}
        {open && <Runs id={job.id} />}
      </div>
      <div className="actions">
        <Button
          size="small"
          icon="play"
          aria-label={`Run now: ${job.name}`}
          busy={run.isPending}
          onClick={() => run.mutate({ id: job.id, mode: "force" })}
        >
          Run now
        </Button>
        <Button
          size="small"
          aria-label={`Runs: ${job.name}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Runs
        </Button>
        <Button size="small" aria-label={`Edit ${job.name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          size="small"
          look="danger"
          icon="trash"
          aria-label={`Delete ${job.name}`}
          onClick={() => setAsking(true)}
        />
      </div>
      {asking && (
        <Confirm
          title={`Delete ${job.name}?`}
          action="Delete it"
          danger
          busy={remove.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate({ id: job.id }, { onSettled: () => setAsking(false) })}
        >
          <p>The automation is deleted. What its runs did stays among the sessions.</p>
        </Confirm>
      )}
    </li>
  );
}

function Runs({ id }: { id: string }) {
  const runs = useCall("cron.runs", { id, limit: 20 });
  if (runs.error) return <ErrorNote what="The runs could not be listed" error={runs.error} />;
  const entries = runs.data?.entries ?? [];
  if (entries.length === 0) return <p className="quiet">{runs.isPending ? "Loading" : "No runs yet"}</p>;
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Result</th>
          <th scope="col" className="number">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((run) => (
          <tr key={run.ts}>
            <td>{momentText(run.runAtMs ?? run.ts)}</td>
            <td>
              {run.status ?? "unknown"}
              {(run.error ?? run.summary) && <p className="quiet">{run.error ?? run.summary}</p>}
            </td>
            <td className="number">
              {run.durationMs != null ? `${(run.durationMs / 1000).toFixed(1)} s` : ""}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
