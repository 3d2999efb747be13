import { keepPreviousData } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useCall } from "../../api";
import { CopyButton, Empty, ErrorNote, Page, QueryState } from "../../components";
import { playgroundSearch } from "../../lib/addresses";
import { useAgentName } from "../../lib/agents";
import { useSearchState, useTypedText } from "../../lib/query";
import { Decision } from "./Decision";
import { PromptPanel } from "./PromptPanel";
import { Ranking } from "./Ranking";
import "./playground.css";

const TOP = 10;
/** The time after which an answer that is not final is asked for again. */
const AGAIN_MS = 400;

/** The effect of a message: the chosen skill, the reasons, and the prompt of the model. Nothing is run. */
export function PlaygroundPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/playground" });
  const name = useAgentName(agentId);
  const [query] = useSearchState(playgroundSearch);
  const [typed, setTyped] = useTypedText(playgroundSearch, "message");
  const message = (query.message ?? "").trim();
  return (
    <Page
      wide
      title="Playground"
      name="Playground"
      scope={{ kind: "agent", name }}
      sentence={
        <>
          What a message would bring into the prompt of <strong>{name}</strong>. Nothing is run and nothing is
          learned here.
        </>
      }
      end={message && <CopyButton text={location.href} label="Copy link" />}
    >
      <div className="field">
        <label htmlFor="playground-message">Message</label>
        <textarea
          id="playground-message"
          className="textarea playground-message"
          rows={2}
          placeholder="What a user would write, such as: will it rain in Lisbon tomorrow?"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {message ? (
        <Answer agentId={agentId} message={message} />
      ) : (
        <div className="panel">
          <Empty icon="playground" title="Write a message">
            The ranking of the skills, the decision and the prompt appear while you type. The message is part
            of the address, so the view can be shared.
          </Empty>
        </div>
      )}
    </Page>
  );
}

function Answer({ agentId, message }: { agentId: string; message: string }) {
  // An answer never waits for skills that are still being read; it is asked for again until all of them are.
  const match = useCall(
    "skills.match",
    { agentId, message, files: [], top: TOP, wait: false },
    {
      placeholderData: keepPreviousData,
      refetchInterval: (query) => (query.state.data?.preparing ? AGAIN_MS : false),
    },
  );
  const preparing = match.data?.preparing ?? undefined;
  // The prompt states in the decision and the ranking come from the prompt itself.
  const prompt = useCall(
    "skills.prompt",
    { agentId, message, wait: false },
    { placeholderData: keepPreviousData },
  );
  const isReady = match.data !== undefined && !preparing;
  const wasReady = useRef(isReady);
  const { refetch } = prompt;
  useEffect(() => {
    // The prompt that was chosen by words alone is requested again.
    if (isReady && !wasReady.current) void refetch();
    wasReady.current = isReady;
  }, [isReady, refetch]);
  const skills = prompt.isPlaceholderData ? undefined : (prompt.data?.skills ?? undefined);
  const answer = match.data;
  if (!answer)
    return (
      <QueryState of={match} what="The skills could not be ranked" loading="Ranking the skills" rows={4} />
    );
  return (
    <>
      {match.error && (
        <ErrorNote
          what="This is the answer to an earlier message: the new one could not be ranked"
          error={match.error}
          retry={() => match.refetch()}
        />
      )}
      {preparing && <Preparing done={preparing.done} total={preparing.total} />}
      <div className="playground" aria-busy={match.isPlaceholderData}>
        <div className="playground-main">
          <Decision answer={answer} skills={skills} />
          <Ranking answer={answer} agentId={agentId} skills={skills} />
        </div>
        <PromptPanel prompt={prompt} typed={message} />
      </div>
    </>
  );
}

/** The progress of reading the skills, and its effect on the answer below. */
function Preparing({ done, total }: { done: number; total: number }) {
  return (
    <div className="panel preparing" role="status">
      <label htmlFor="preparing">
        Reading skills: {done} of {total}
      </label>
      <progress id="preparing" max={total} value={done} />
      <p className="quiet">
        Until then, skills that have not been read are ranked by their words alone. The answer is refreshed
        when all have been read.
      </p>
    </div>
  );
}
