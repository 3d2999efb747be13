import { Link } from "@tanstack/react-router";
import type { Result } from "../../api";
import { Button, Chip } from "../../components";
import { sessionSearch } from "../../lib/addresses";
import { useSearchState } from "../../lib/query";
import { followUpText, percent } from "../playground/signals";
import { PromptDialog } from "./PromptDialog";

type Session = Result<"sessions.get">;
export type Run = Session["summary"]["runs"][number];
export type Activation = Session["activations"][number];
type Shown = NonNullable<Activation["shown"]>[number];

const BY: Record<Activation["used"][number]["by"], string> = {
  read: "read by the model",
  preload: "put into the prompt",
  command: "called by a command",
  reference: "named in the message",
  harness: "loaded by the agent program",
};

export const HOW: Record<Shown["how"], string> = {
  listed: "listed",
  text: "whole text",
  map: "map of its sections",
  pointer: "pointer to its file",
  again: "text given earlier",
};

/** More names are behind a button. */
const MOST = 12;

/** The skills of one run: what the model was shown, what it had, what it used. Each is a recorded fact. */
export function RunSkills(props: { run: Run; session: string; activation: Activation; agentId: string }) {
  const { run, activation, agentId } = props;
  const [query, setQuery] = useSearchState(sessionSearch);
  const shown = activation.shown ? strongest(activation.shown) : undefined;
  return (
    <dl className="facts run-skills">
      <dt>Skills shown</dt>
      <dd className="chips">
        {!shown && <span className="quiet">Not recorded</span>}
        {shown?.length === 0 && <span className="quiet">None</span>}
        {shown?.slice(0, MOST).map((skill) => (
          <Link
            key={skill.name}
            to="/agents/$agentId/skills/$name"
            params={{ agentId, name: skill.name }}
            search={{}}
          >
            <Chip look={skill.how === "listed" ? "plain" : "accent"} title={skill.path}>
              {skill.name} <small>{HOW[skill.how]}</small>
            </Chip>
          </Link>
        ))}
        {shown && shown.length > MOST && (
          <span className="quiet">and {shown.length - MOST} more, in the prompt</span>
        )}
      </dd>
      <dt>Loaded</dt>
      <dd>{names(run.loaded)}</dd>
      <dt>Used</dt>
      <dd>{names(activation.used.map((use) => `${use.skill} (${BY[use.by]})`))}</dd>
      {activation.followUp && (
        <>
          <dt>Turn before</dt>
          <dd>{followUpText(activation.followUp)}</dd>
        </>
      )}
      <dt>Considered</dt>
      <dd>
        {names(
          activation.considered.slice(0, 8).map((skill) => `${skill.name} ${percent(skill.confidence)}`),
        )}{" "}
        <Link to="/agents/$agentId/playground" params={{ agentId }} search={{ message: run.message }}>
          Open in the playground
        </Link>
      </dd>
      {run.prompt && (
        <>
          <dt>Prompt</dt>
          <dd>
            {run.prompt.chars.toLocaleString()} characters{" "}
            <Button size="small" icon="file" onClick={() => setQuery({ prompt: run.run }, "push")}>
              Show the exact prompt
            </Button>
          </dd>
        </>
      )}
      {query.prompt === run.run && (
        <PromptDialog session={props.session} run={run.run} onClose={() => setQuery({ prompt: undefined })} />
      )}
    </dl>
  );
}

/** Each skill once, in the strongest form in which the model got it. */
export function strongest(skills: readonly Shown[]): Shown[] {
  const by = new Map<string, Shown>();
  for (const skill of skills) {
    const before = by.get(skill.name);
    if (!before || before.how === "listed") by.set(skill.name, skill);
  }
  return [...by.values()];
}

function names(list: readonly string[]) {
  return list.length > 0 ? list.join(", ") : <span className="quiet">None</span>;
}
