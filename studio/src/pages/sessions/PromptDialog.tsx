import { type Result, useCall } from "../../api";
import { CopyButton, Dialog, Output, QueryState, UnifiedDiff } from "../../components";

type Answer = Result<"sessions.prompt">;
type Part = NonNullable<Answer["difference"]>["parts"][number];

const PARTS: Record<Part["part"], string> = {
  system: "System prompt",
  context: "In front of the message",
  message: "Message",
};

/** The exact prompt of a run as it was sent, and its difference to the run before. */
export function PromptDialog(props: { session: string; run: string; onClose: () => void }) {
  const answer = useCall(
    "sessions.prompt",
    { session: props.session, run: props.run, diff: true },
    { retry: false },
  );
  return (
    <Dialog title="The exact prompt" onClose={props.onClose}>
      <QueryState of={answer} what="The prompt could not be read" loading="Loading the prompt" rows={3} />
      {answer.data && <Contents answer={answer.data} />}
    </Dialog>
  );
}

function Contents({ answer }: { answer: Answer }) {
  const { prompt, difference } = answer;
  return (
    <div className="run-prompt">
      <p className="quiet">
        {prompt.chars.toLocaleString()} characters, {prompt.listed} {prompt.listed === 1 ? "skill" : "skills"}{" "}
        listed. As it was sent, with secrets redacted.
      </p>
      <Text label={PARTS.system} text={prompt.system} />
      {prompt.context && <Text label={PARTS.context} text={prompt.context} />}
      <Text label={PARTS.message} text={prompt.message} />
      <h3>Difference to the run before</h3>
      {difference ? (
        difference.parts.map((part) => <Difference key={part.part} part={part} />)
      ) : (
        <p className="quiet">No run before this one has a stored prompt.</p>
      )}
    </div>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section>
      <h3>
        {label} <CopyButton text={text} />
      </h3>
      {text ? <Output label={label} text={text} /> : <p className="quiet">Empty</p>}
    </section>
  );
}

function Difference({ part }: { part: Part }) {
  const label = `Difference: ${PARTS[part.part]}`;
  if (part.same) return <p className="quiet">{PARTS[part.part]}: the same.</p>;
  return (
    <section>
      <h3>{PARTS[part.part]}</h3>
      <UnifiedDiff label={label} text={part.text} />
    </section>
  );
}
