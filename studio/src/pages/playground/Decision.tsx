import { Chip, Panel } from "../../components";
import { sentence } from "../../lib/readiness";
import { type Answer, followUpText, inPrompt, type Prompted, percent, signed } from "./signals";

/** The decision, drawn on the scale of confidence with both thresholds. That nothing fits is an answer, too. */
export function Decision({ answer, skills }: { answer: Answer; skills: Prompted[] | undefined }) {
  return (
    <Panel title="Decision" end={answer.tookMs != null && <span className="quiet">{answer.tookMs} ms</span>}>
      <div className="decision">
        <p className="decision-text">
          <DecisionChip decision={answer.decision} /> {decisionText(answer, skills)}
        </p>
        {answer.followUp && <p className="quiet">{followUpText(answer.followUp)}</p>}
        <Scale answer={answer} />
        {answer.blocked.length > 0 && (
          <div>
            <h3>Better match, but not usable</h3>
            <ul className="plain-list">
              {answer.blocked.map((skill) => (
                <li key={skill.name}>
                  <strong>{skill.name}</strong>: {skill.missing.join("; ")}
                </li>
              ))}
            </ul>
          </div>
        )}
        <Against answer={answer} />
        {answer.counterfactuals.length > 0 && (
          <div>
            <h3>What would change the decision</h3>
            <ul className="plain-list">
              {answer.counterfactuals.map((text) => (
                <li key={text}>{text.replaceAll("`", "")}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Panel>
  );
}

function DecisionChip({ decision }: { decision: Answer["decision"] }) {
  if (decision === "load")
    return (
      <Chip look="ready" icon="check">
        Clear match
      </Chip>
    );
  if (decision === "suggest")
    return (
      <Chip look="accent" icon="info">
        Possible match
      </Chip>
    );
  return (
    <Chip look="plain" icon="blocked">
      No skill
    </Chip>
  );
}

/** The best match, and what the prompt would really have of it. */
function decisionText(answer: Answer, skills: Prompted[] | undefined): string {
  const best = answer.results.find((skill) => skill.eligible);
  const sure = percent(answer.confidence);
  if (!best) return "No skill can be used, so none is chosen.";
  if (answer.decision === "nothing")
    return `The message asks for no skill. The nearest one is ${best.name}, with a confidence of ${sure}.`;
  const asked =
    answer.decision === "load"
      ? answer.results.filter((skill) => skill.loaded).map((skill) => skill.name)
      : [best.name];
  const found = `The message ${answer.decision === "load" ? "asks" : "may ask"} for ${asked.join(" and ")} (confidence ${sure}).`;
  if (!skills) return found;
  return [found, ...asked.map((name) => `${name}: ${inPrompt(name, skills).toLowerCase()}.`)].join(" ");
}

/** Confidence from 0 to 1: the two thresholds, and where each skill stands. */
function Scale({ answer }: { answer: Answer }) {
  const { threshold, suggestThreshold, results } = answer;
  const marks = results.filter((skill) => skill.eligible);
  const label = `Confidence: ${marks.map((skill) => `${skill.name} ${percent(skill.confidence)}`).join(", ")}. Possible match from ${percent(suggestThreshold)}, clear match from ${percent(threshold)}.`;
  return (
    <div className="scale" role="img" aria-label={label}>
      <div className="scale-zones">
        <span style={{ width: `${suggestThreshold * 100}%` }}>no match</span>
        <span className="suggest" style={{ width: `${(threshold - suggestThreshold) * 100}%` }}>
          possible
        </span>
        <span className="load" style={{ flex: 1 }}>
          clear
        </span>
      </div>
      <div
        className="scale-line"
        style={{
          background: `linear-gradient(90deg, var(--sunken) ${suggestThreshold * 100}%, var(--accent-tint) 0 ${threshold * 100}%, var(--ready-tint) 0)`,
        }}
      >
        {marks.map((skill, index) => (
          <span
            key={skill.id}
            className={index === 0 ? "scale-dot best" : "scale-dot"}
            style={{ left: `${skill.confidence * 100}%` }}
            title={`${skill.name}: ${percent(skill.confidence)}`}
          />
        ))}
      </div>
      <div className="scale-numbers">
        <span style={{ left: 0 }}>0</span>
        <span style={{ left: `${suggestThreshold * 100}%` }}>{percent(suggestThreshold)}</span>
        <span style={{ left: `${threshold * 100}%` }}>{percent(threshold)}</span>
        <span style={{ left: "100%" }}>100 %</span>
      </div>
    </div>
  );
}

/** The reasons against the best skill, for any decision, and the skill that comes next. */
function Against({ answer }: { answer: Answer }) {
  const usable = answer.results.filter((skill) => skill.eligible);
  const best = usable[0];
  if (!best) return null;
  const next = usable.slice(1).find((skill) => !skill.loaded);
  return (
    <div>
      <h3>Reasons against {best.name}</h3>
      <ul className="plain-list" aria-label={`Against ${best.name}`}>
        {answer.against.length === 0 && <li>Nothing that counts.</li>}
        {answer.against.map((reason) => (
          <li key={`${reason.kind} ${reason.text}`}>
            {sentence(reason.text)} ({signed(reason.share)})
          </li>
        ))}
      </ul>
      {next && (
        <p className="quiet">
          Next is {next.name} with {percent(next.confidence)}.
        </p>
      )}
    </div>
  );
}
