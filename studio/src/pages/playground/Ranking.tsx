import { Link } from "@tanstack/react-router";
import { Chip, Empty, Panel } from "../../components";
import { sentence } from "../../lib/readiness";
import {
  type Answer,
  certainText,
  inPrompt,
  type Prompted,
  percent,
  type Ranked,
  type SignalKind,
  signalsOf,
} from "./signals";

const LEGEND: [SignalKind, string][] = [
  ["meaning", "Meaning"],
  ["words", "Words"],
  ["triggers", "Trigger phrases"],
  ["learned", "Learned before"],
];

/** The best skills for the message, each with the parts of its score. */
export function Ranking(props: { answer: Answer; agentId: string; skills: Prompted[] | undefined }) {
  const { answer, agentId, skills } = props;
  const most = Math.max(...answer.results.map((skill) => skill.score), 1);
  return (
    <Panel
      flush
      title="Ranking"
      end={
        <ul className="legend" aria-label="Signals">
          {LEGEND.map(([kind, label]) => (
            <li key={kind}>
              <span className={`swatch ${kind}`} aria-hidden="true" /> {label}
            </li>
          ))}
        </ul>
      }
    >
      {answer.results.length === 0 ? (
        <Empty icon="search" title="No skills to rank">
          This agent has no skill, or none has been read yet.
        </Empty>
      ) : (
        <ol className="rows" aria-label="Ranking">
          {answer.results.map((skill) => (
            <Row key={skill.filePath} skill={skill} most={most} agentId={agentId} skills={skills} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Row(props: { skill: Ranked; most: number; agentId: string; skills: Prompted[] | undefined }) {
  const { skill, most, agentId, skills } = props;
  const isLoaded = skills?.some((one) => one.name === skill.name && one.how !== "listed");
  const signals = signalsOf(skill);
  const certain = certainText(skill.certain);
  return (
    <li className="rank-row" data-eligible={skill.eligible}>
      <div className="rank-head">
        <Link to="/agents/$agentId/skills/$name" params={{ agentId, name: skill.name }} search={{}}>
          {skill.name}
        </Link>
        {skills && skill.eligible && (
          <Chip look={isLoaded ? "ready" : "plain"} {...(isLoaded && { icon: "check" as const })}>
            {inPrompt(skill.name, skills)}
          </Chip>
        )}
        {!skill.eligible && (
          <Chip look="unsupported" icon="blocked">
            Cannot be used
          </Chip>
        )}
        {certain && <Chip look="accent">{certain}</Chip>}
        <span className="rank-figures">
          score {skill.score.toFixed(1)} · <strong>{percent(skill.confidence)}</strong>
        </span>
      </div>
      <div
        className="bar"
        role="img"
        aria-label={`Score ${skill.score.toFixed(1)}: ${signals.map((signal) => `${signal.label} ${signal.share.toFixed(1)}`).join(", ")}`}
      >
        {signals
          .filter((signal) => signal.share > 0)
          .map((signal) => (
            <span
              key={signal.label}
              className={signal.kind}
              style={{ width: `${(signal.share / most) * 100}%` }}
            />
          ))}
      </div>
      {skill.missing.length > 0 && <p className="rank-missing">{skill.missing.map(sentence).join("; ")}</p>}
      <details className="rank-details">
        <summary>{signals.map((signal) => `${signal.label} ${signal.share.toFixed(1)}`).join(" · ")}</summary>
        <dl className="facts">
          {signals.map((signal) => (
            <Fact
              key={signal.label}
              name={`${signal.label} ${signal.share.toFixed(2)}`}
              text={signal.detail}
            />
          ))}
          <Fact name="File" text={skill.filePath} />
        </dl>
      </details>
    </li>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}
