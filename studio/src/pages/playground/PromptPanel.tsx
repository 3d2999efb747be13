import { keepPreviousData } from "@tanstack/react-query";
import { type Result, useCall } from "../../api";
import { CopyButton, ErrorNote, Loading, Output, Panel } from "../../components";
import { sentence } from "../../lib/readiness";

type Prompt = Result<"skills.prompt">;

/** Exactly what the model would be told about skills, what it costs, and what was left out. */
export function PromptPanel({ agentId, message }: { agentId: string; message: string }) {
  const prompt = useCall("skills.prompt", { agentId, message }, { placeholderData: keepPreviousData });
  return (
    <div className="playground-side">
      <Panel
        title="What the prompt would contain"
        end={prompt.data && <CopyButton text={prompt.data.text} />}
      >
        {prompt.error && (
          <ErrorNote
            what="The prompt could not be made"
            error={prompt.error}
            retry={() => prompt.refetch()}
          />
        )}
        {prompt.isPending && <Loading label="Making the prompt" rows={3} />}
        {prompt.data && <Contents prompt={prompt.data} />}
      </Panel>
    </div>
  );
}

function Contents({ prompt }: { prompt: Prompt }) {
  const { explanation } = prompt;
  const left = explanation.skills.filter((skill) => !skill.included);
  const inside = explanation.skills.length - left.length;
  return (
    <div className="prompt">
      <div>
        <meter
          className="budget"
          aria-label="Budget used"
          min={0}
          max={explanation.maxChars}
          value={explanation.chars}
        />
        <p className="quiet">
          {explanation.chars} of {explanation.maxChars} characters, about {explanation.tokens} tokens.{" "}
          {inside} of {explanation.skills.length} skills are named.
          {explanation.descriptionLimit != null &&
            ` Descriptions are cut to ${explanation.descriptionLimit} characters.`}
          {explanation.stableChars > 0 &&
            ` The first ${explanation.stableChars} characters are the same for every message.`}
        </p>
        {explanation.note && <p className="quiet">{sentence(explanation.note)}</p>}
      </div>
      {prompt.text ? (
        <Output label="Prompt" text={prompt.text} />
      ) : (
        <p>The model would be told nothing about skills.</p>
      )}
      <details open={left.length > 0 && left.length <= 12}>
        <summary>{left.length === 0 ? "Nothing is left out" : `${left.length} left out, and why`}</summary>
        <ul className="left-out" aria-label="Left out of the prompt">
          {left.map((skill) => (
            <li key={skill.name}>
              <strong>{skill.name}</strong>
              <span>{skill.reason ? sentence(skill.reason) : "No reason was given."}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
