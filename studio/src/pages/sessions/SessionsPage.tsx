import { keepPreviousData } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Result, useCall } from "../../api";
import { Button, Chip, Empty, ErrorNote, Filters, Page, QueryState, Search } from "../../components";
import { sessionsSearch } from "../../lib/addresses";
import { useAgentName } from "../../lib/agents";
import { useSearchState, useTypedText } from "../../lib/query";
import { useRows } from "../../lib/rows";
import { fromNow, momentText } from "../../lib/text";
import { OutcomeChip } from "./outcome";
import { StartRun } from "./StartRun";
import "./sessions.css";

type Session = Result<"sessions.list">["sessions"][number];
type State = "any" | "running" | "success" | "failed" | "unknown";

const MOST = 300;
const STATES: { value: State; label: string }[] = [
  { value: "any", label: "All" },
  { value: "running", label: "Running" },
  { value: "success", label: "Success" },
  { value: "failed", label: "Failed" },
  { value: "unknown", label: "Unknown" },
];

function hasState(session: Session, state: State): boolean {
  const result = session.outcome?.result ?? "unknown";
  switch (state) {
    case "any":
      return true;
    case "running":
      return session.isRunning;
    case "success":
      return result === "success";
    case "unknown":
      return !session.isRunning && result === "unknown";
    case "failed":
      return result !== "success" && result !== "unknown";
  }
}

/** The sessions of an agent, and a form to start a run. */
export function SessionsPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/sessions" });
  const name = useAgentName(agentId);
  return (
    <Page
      title="Sessions"
      name="Sessions"
      scope={{ kind: "agent", name }}
      sentence={
        <>
          What <strong>{name}</strong> did: every session with the skills it was shown and used, its tools and
          its tokens.
        </>
      }
    >
      <StartRun key={agentId} agentId={agentId} agent={name} />
      <SessionList agentId={agentId} name={name} />
    </Page>
  );
}

function SessionList({ agentId, name }: { agentId: string; name: string }) {
  const [query, setQuery] = useSearchState(sessionsSearch);
  const [typed, setTyped] = useTypedText(sessionsSearch, "q");
  const search = query.q ?? "";
  const state = query.state ?? "any";
  const limit = query.limit ?? MOST;
  const answer = useCall(
    "sessions.list",
    { agentId, limit, offset: 0, includeGlobal: false, includeUnknown: false, ...(search && { search }) },
    { placeholderData: keepPreviousData },
  );
  const all = answer.data?.sessions;
  const rows = useRows(useMemo(() => (all ?? []).filter((one) => hasState(one, state)), [all, state]));
  if (!all)
    return <QueryState of={answer} what="The sessions could not be listed" loading="Loading the sessions" />;
  const clear = () => {
    setTyped("");
    setQuery({ q: undefined, state: undefined });
  };
  return (
    <>
      {answer.error && (
        <ErrorNote
          what="The list may be old: it could not be read again"
          error={answer.error}
          retry={() => answer.refetch()}
        />
      )}
      <div className="toolbar">
        <Search value={typed} onChange={setTyped} label="Search the sessions" />
        {answer.isPlaceholderData && (
          <span className="quiet" role="status">
            Searching
          </span>
        )}
        <Filters
          label="State"
          options={STATES.map((option) => ({
            ...option,
            count: all.filter((one) => hasState(one, option.value)).length,
          }))}
          value={state}
          onChange={(value) => setQuery({ state: value === "any" ? undefined : value })}
        />
      </div>
      {rows.length > 0 ? (
        <ul className="panel rows" aria-label={`Sessions of ${name}`}>
          {rows.map((session) => (
            <Row key={session.sessionId} session={session} agentId={agentId} />
          ))}
        </ul>
      ) : (
        <div className="panel">
          {search || state !== "any" ? (
            <Empty
              icon="search"
              title="No sessions match"
              action={<Button onClick={clear}>Clear search and filters</Button>}
            />
          ) : (
            <Empty icon="sessions" title={`${name} has no sessions yet`}>
              Start a run above, talk with <code>prowess chat</code>, or bring logs of other agents with{" "}
              <code>prowess sessions import</code>.
            </Empty>
          )}
        </div>
      )}
      {answer.data?.hasMore && (
        <div className="actions">
          <Button onClick={() => setQuery({ limit: limit + MOST })}>Show more</Button>
          <span className="quiet">
            {answer.data.count} of {answer.data.totalCount}
          </span>
        </div>
      )}
    </>
  );
}

function Row({ session, agentId }: { session: Session; agentId: string }) {
  return (
    <li className="session-row">
      <div className="session-title">
        <Link
          to="/agents/$agentId/sessions/$session"
          params={{ agentId, session: session.sessionId }}
          search={{}}
        >
          {session.label || session.displayName || session.sessionId}
        </Link>
        {session.isRunning ? (
          <Chip look="accent" icon="play">
            Running
          </Chip>
        ) : (
          session.outcome && <OutcomeChip outcome={session.outcome} />
        )}
        {session.importedFrom && <Chip look="plain">from {session.importedFrom}</Chip>}
      </div>
      <p className="quiet">
        <time dateTime={new Date(session.updatedAt).toISOString()} title={momentText(session.updatedAt)}>
          {fromNow(session.updatedAt)}
        </time>{" "}
        · {session.runs} {session.runs === 1 ? "run" : "runs"} · {session.totalTokens.toLocaleString()} tokens
        {session.model && ` · ${session.modelProvider ? `${session.modelProvider}/` : ""}${session.model}`}
      </p>
      {session.error && <p className="session-error">{session.error}</p>}
    </li>
  );
}
