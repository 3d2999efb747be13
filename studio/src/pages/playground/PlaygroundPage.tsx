import { keepPreviousData } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
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
  const match = useCall(
    "skills.match",
    { agentId, message, files: [], top: TOP },
    { placeholderData: keepPreviousData },
  );
  // The prompt states in the decision and the ranking come from the prompt itself.
  const prompt = useCall("skills.prompt", { agentId, message }, { placeholderData: keepPreviousData });
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
