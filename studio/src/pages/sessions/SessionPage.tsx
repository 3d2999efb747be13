import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call, type Result, useCall, useChange } from "../../api";
import { Button, Chip, Confirm, ErrorNote, Icon, Loading, Note, Page, toast } from "../../components";
import { sessionSearch } from "../../lib/addresses";
import { useAgentName } from "../../lib/agents";
import { useDownload } from "../../lib/download";
import { useSearchState } from "../../lib/query";
import { momentText } from "../../lib/text";
import { LiveRun } from "./LiveRun";
import { RunPanel } from "./RunPanel";
import { StartRun } from "./StartRun";
import "./sessions.css";

type Session = Result<"sessions.get">;

/** One session: its runs as timelines, and what runs in it right now. */
export function SessionPage() {
  const { agentId, session: id } = useParams({ from: "/agents/$agentId/sessions/$session" });
  const agent = useAgentName(agentId);
  const [query] = useSearchState(sessionSearch);
  const session = useCall("sessions.get", { session: id }, { retry: false });
  const runs = useCall("runs.list", { session: id, active: false }, { retry: false });
  // A run is shown live while it goes on; once its end is in the trace, the timeline has it.
  const shown = runs.data?.runs.filter(
    (run) =>
      run.status === "queued" ||
      run.status === "running" ||
      (run.status === "failed" && !run.report) ||
      !session.data?.summary.runs.some((one) => one.run === run.traceRun && one.ended),
  );
  const keep = useDownload(() => call("sessions.export", { session: id, format: "markdown" }));
  const first = session.data?.summary.runs[0]?.message ?? shown?.at(-1)?.message;
  const title = session.data?.settings.label || first || "Session";
  return (
    <Page
      title={title.length > 90 ? `${title.slice(0, 90)}…` : title}
      name={title.slice(0, 60)}
      scope={{ kind: "agent", name: agent }}
      above={
        <Link className="back" to="/agents/$agentId/sessions" params={{ agentId }} search={{}}>
          <Icon name="back" size={14} /> Sessions of {agent}
        </Link>
      }
      end={
        session.data && (
          <>
            <Button size="small" icon="file" busy={keep.isPending} onClick={() => keep.mutate()}>
              Export
            </Button>
            <DeleteButton session={session.data} agentId={agentId} />
          </>
        )
      }
    >
      {keep.error && (
        <ErrorNote
          what="The session was not exported"
          error={keep.error}
          retry={() => keep.mutate()}
          dismiss={keep.reset}
        />
      )}
      {session.data ? (
        <Facts session={session.data} />
      ) : session.error && !shown?.length && !query.run ? (
        <ErrorNote
          what="The session could not be read"
          error={session.error}
          retry={() => session.refetch()}
        />
      ) : (
        session.isPending && <Loading label="Loading the session" rows={3} />
      )}
      {session.data?.summary.runs
        .filter((run) => !shown?.some((one) => one.traceRun === run.run))
        .map((run) => (
          <RunPanel
            key={run.run}
            run={run}
            session={session.data.sessionId}
            agentId={agentId}
            activation={session.data.activations.find((one) => one.run === run.run)}
          />
        ))}
      {shown?.toReversed().map((run) => (
        <LiveRun key={run.runId} run={run} />
      ))}
      {session.data && !session.data.summary.importedFrom && (
        <StartRun agentId={agentId} agent={agent} sessionKey={session.data.key} />
      )}
    </Page>
  );
}

function Facts({ session }: { session: Session }) {
  const { summary } = session;
  const { usage } = summary;
  return (
    <>
      <section className="panel session-facts" aria-label="In short">
        <span>{momentText(summary.started)}</span>
        <span>
          {summary.runs.length} {summary.runs.length === 1 ? "run" : "runs"}
        </span>
        <span>
          {(usage.inputTokens ?? 0).toLocaleString()} tokens read
          {usage.cachedTokens ? ` (${usage.cachedTokens.toLocaleString()} from a cache)` : ""},{" "}
          {(usage.outputTokens ?? 0).toLocaleString()} written
        </span>
        <span>
          {usage.requests ?? 0} {usage.requests === 1 ? "request" : "requests"} to a model
        </span>
        <code title="Workspace">{summary.workspace}</code>
        {summary.importedFrom && <Chip look="plain">from {summary.importedFrom}</Chip>}
        <code title="Session">{session.sessionId}</code>
      </section>
      {session.unreadLines > 0 && (
        <Note kind="warning">
          {session.unreadLines} of {session.lines} lines of the trace were not understood and are not shown.
        </Note>
      )}
    </>
  );
}

function DeleteButton({ session, agentId }: { session: Session; agentId: string }) {
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const remove = useChange("sessions.delete", {
    refresh: ["sessions.list"],
    onSuccess: () => {
      toast("The session is deleted.");
      void navigate({ to: "/agents/$agentId/sessions", params: { agentId }, search: {} });
    },
  });
  return (
    <>
      <Button size="small" look="danger" icon="trash" onClick={() => setAsks(true)}>
        Delete the session
      </Button>
      {asks && (
        <Confirm
          title="Delete this session?"
          action="Delete the session"
          danger
          busy={remove.isPending}
          onClose={() => setAsks(false)}
          onConfirm={() => remove.mutate({ key: session.key })}
        >
          <p>
            Its trace of {session.lines} lines is deleted and cannot be brought back:{" "}
            <code>{session.sessionId}</code>. Export it first to keep it.
          </p>
          {remove.error && <ErrorNote what="It was not deleted" error={remove.error} />}
        </Confirm>
      )}
    </>
  );
}
