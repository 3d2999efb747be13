import { Link } from "@tanstack/react-router";
import { Chip, Empty, Panel } from "../../components";
import { sentence } from "../../lib/readiness";
import {
  type Answer,
  certainText,
  inPrompt,
  KINDS,
  type Prompted,
  percent,
  type Ranked,
  type Reason,
  sidesOf,
  signed,
  strength,
} from "./signals";

/** The best skills for the message, each with what speaks for and against it. */
export function Ranking(props: { answer: Answer; agentId: string; skills: Prompted[] | undefined }) {
  const { answer, agentId, skills } = props;
  const sides = answer.results.map((skill) => sidesOf(skill.reasons));
  // One scale for all bars, so that they can be compared.
  const most = Math.max(1, ...sides.flatMap(({ pro, con }) => [strength(pro), strength(con)]));
  const kinds = new Set(sides.flatMap(({ pro, con }) => [...pro, ...con].map((reason) => reason.kind)));
  return (
    <Panel
      flush
      title="Ranking"
      end={
        <ul className="legend" aria-label="Signals">
          {(Object.keys(KINDS) as Reason["kind"][])
            .filter((kind) => kinds.has(kind))
            .map((kind) => (
              <li key={kind}>
                <span className={`swatch kind-${kind}`} aria-hidden="true" /> {KINDS[kind]}
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
  const { pro, con, neutral } = sidesOf(skill.reasons);
  const said = [...pro, ...con].map((reason) => `${KINDS[reason.kind]} ${signed(reason.share)}`);
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
        className="sides"
        role="img"
        aria-label={`For ${strength(pro).toFixed(1)}, against ${strength(con).toFixed(1)}: ${said.join(", ")}`}
      >
        <Bar side="con" reasons={con} most={most} />
        <Bar side="pro" reasons={pro} most={most} />
      </div>
      {skill.missing.length > 0 && <p className="rank-missing">{skill.missing.map(sentence).join("; ")}</p>}
      <details className="rank-details">
        <summary>{said.join(" · ") || "Nothing speaks for or against it"}</summary>
        <ul className="reasons" aria-label={`For and against ${skill.name}`}>
          {[...pro, ...con, ...neutral].map((reason) => (
            <ReasonLine key={reason.kind} reason={reason} most={most} />
          ))}
        </ul>
        <dl className="facts">
          <dt>File</dt>
          <dd>{skill.filePath}</dd>
        </dl>
      </details>
    </li>
  );
}

/** The reasons of one side; those against grow to the left. */
function Bar({ side, reasons, most }: { side: "pro" | "con"; reasons: Reason[]; most: number }) {
  return (
    <div className={`bar ${side}`}>
      {reasons.map((reason) => (
        <span
          key={reason.kind}
          className={`kind-${reason.kind}`}
          title={`${sentence(reason.text)} (${signed(reason.share)})`}
          style={{ width: `${(Math.abs(reason.share) / most) * 100}%` }}
        />
      ))}
    </div>
  );
}

function ReasonLine({ reason, most }: { reason: Reason; most: number }) {
  const side = reason.share < 0 ? "con" : "pro";
  return (
    <li className="reason" data-side={signed(reason.share) ? side : "neutral"}>
      <span className="reason-share">{signed(reason.share) || "0"}</span>
      <span className="reason-bar" aria-hidden="true">
        <span style={{ width: `${(Math.abs(reason.share) / most) * 100}%` }} />
      </span>
      <span>{sentence(reason.text)}</span>
    </li>
  );
}
