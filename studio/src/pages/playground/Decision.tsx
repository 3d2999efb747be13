import { Chip, Panel } from "../../components";
import { type Answer, inPrompt, type Prompted, percent } from "./signals";

/** The decision, drawn on the scale of confidence with both thresholds. That nothing fits is an answer, too. */
export function Decision({ answer, skills }: { answer: Answer; skills: Prompted[] | undefined }) {
  return (
    <Panel title="Decision" end={answer.tookMs != null && <span className="quiet">{answer.tookMs} ms</span>}>
      <div className="decision">
        <p className="decision-text">
          <DecisionChip decision={answer.decision} /> {decisionText(answer, skills)}
        </p>
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
        <Gate gate={answer.gate} />
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

const FEATURES: Record<Answer["gate"]["features"][number]["feature"], string> = {
  score: "Score of the best skill",
  null: "Score of the best unrelated text",
  nullMean: "Mean score of unrelated texts",
  request: "Likeness to a request",
};

function Gate({ gate }: { gate: Answer["gate"] }) {
  return (
    <details>
      <summary>Parts of the confidence</summary>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" className="number">
                Value
              </th>
              <th scope="col" className="number">
                Weight
              </th>
              <th scope="col" className="number">
                Adds to the log odds
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>Base rate</td>
              <td />
              <td />
              <td className="number">{gate.intercept.toFixed(2)}</td>
            </tr>
            {gate.features.map((feature) => (
              <tr key={feature.feature}>
                <td>{FEATURES[feature.feature]}</td>
                <td className="number">{feature.value.toFixed(2)}</td>
                <td className="number">{feature.weight.toFixed(2)}</td>
                <td className="number">{feature.share.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
