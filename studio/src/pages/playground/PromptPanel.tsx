import type { useCall } from "../../api";
import { CopyButton, Output, Panel, QueryState } from "../../components";
import { sentence } from "../../lib/readiness";
import { inPrompt, type Prompt } from "./signals";

/** The exact skills text of the model, its cost, and what was left out. */
export function PromptPanel(props: { prompt: ReturnType<typeof useCall<"skills.prompt">>; typed: string }) {
  const { prompt } = props;
  const whole = prompt.data && prompt.data.text + (prompt.data.context ?? "");
  return (
    <div className="playground-side">
      <Panel title="What the prompt would contain" end={whole && <CopyButton text={whole} />}>
        <QueryState of={prompt} what="The prompt could not be made" loading="Making the prompt" rows={3} />
        {prompt.data && (
          <Contents
            prompt={prompt.data}
            // The prompt of an earlier message is compared with that one.
            typed={prompt.isPlaceholderData ? (prompt.data.message ?? "") : props.typed}
          />
        )}
      </Panel>
    </div>
  );
}

function Contents(props: { prompt: Prompt; typed: string }) {
  const { prompt } = props;
  const { explanation, context } = prompt;
  const skills = prompt.skills ?? [];
  const names = new Set(skills.map((skill) => skill.name));
  const left = explanation.skills.filter((skill) => !names.has(skill.name));
  const called = prompt.message != null && prompt.message !== props.typed;
  // One list for every message has a budget; what follows the message has none.
  const isList = context == null && !called;
  const chars = prompt.text.length + (context?.length ?? 0);
  return (
    <div className="prompt">
      <div>
        {isList && (
          <meter
            className="budget"
            aria-label="Budget used"
            min={0}
            max={explanation.maxChars}
            value={explanation.chars}
          />
        )}
        <p className="quiet">
          {isList
            ? `${explanation.chars} of ${explanation.maxChars} characters, about ${explanation.tokens} tokens.`
            : `${chars} characters; ${prompt.text.length} of them are the same for every message.`}{" "}
          {names.size} of {explanation.skills.length} skills are in it.
          {explanation.descriptionLimit != null &&
            ` Descriptions are cut to ${explanation.descriptionLimit} characters.`}
          {isList &&
            explanation.stableChars > 0 &&
            ` The first ${explanation.stableChars} characters are the same for every message.`}
        </p>
        {explanation.note && isList && <p className="quiet">{sentence(explanation.note)}</p>}
      </div>
      {names.size > 0 && (
        <ul className="plain-list" aria-label="Skills in the prompt">
          {[...names].map((name) => (
            <li key={name}>
              <strong>{name}</strong> <span className="quiet">{inPrompt(name, skills)}</span>
            </li>
          ))}
        </ul>
      )}
      {called && prompt.message != null && (
        <>
          <h3>The message, with the skill that it calls</h3>
          <Output label="As it is sent" text={prompt.message} />
        </>
      )}
      {context != null && (
        <>
          <h3>In front of the message</h3>
          <Output label="Skills that travel with it" text={context} />
          <h3>System prompt</h3>
        </>
      )}
      {prompt.text ? (
        <Output label="Prompt" text={prompt.text} />
      ) : (
        <p>The prompt would not mention any skill.</p>
      )}
      <details open={left.length > 0 && left.length <= 12}>
        <summary>{left.length === 0 ? "Nothing is left out" : `${left.length} left out, and why`}</summary>
        <ul className="left-out" aria-label="Left out of the prompt">
          {left.map((skill) => (
            <li key={skill.name}>
              <strong>{skill.name}</strong>
              <span>{skill.reason ? sentence(skill.reason) : "Not among the best for this message"}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
