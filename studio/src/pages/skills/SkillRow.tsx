import { Link } from "@tanstack/react-router";
import { memo, useEffect, useId, useRef } from "react";
import { type SkillStatus, useChange } from "../../api";
import { Chip, ErrorNote, StateChip, Switch } from "../../components";
import { isAllowed, type Readiness, readinessOf, reasonsOf, sourceText } from "../../lib/readiness";
import { type Told, toldText } from "../../lib/told";
import { SetupLink, useInSettings } from "../settings/links";

/** One skill of an agent: may it, can it, and if not, why not. Only this row is busy while it changes. */
export const SkillRow = memo(function SkillRow(props: {
  skill: SkillStatus;
  agentId: string;
  agent: string;
  told: Told | undefined;
  marked: boolean;
}) {
  const { skill, agentId, agent, told, marked } = props;
  const state = readinessOf(skill);
  const allowed = isAllowed(skill);
  const change = useChange("skills.allow", { refresh: ["skills.status", "config.get"] });
  const row = useRef<HTMLLIElement>(null);
  const verdictId = useId();
  const inSettings = useInSettings();
  useEffect(() => {
    if (!marked) return;
    row.current?.scrollIntoView({ block: "center" });
    row.current?.focus({ preventScroll: true });
  }, [marked]);
  const wanted = change.isPending ? change.variables.allowed : undefined;
  const on = wanted ?? allowed;
  return (
    <li
      ref={row}
      className="skill-row"
      data-usable={allowed && state === "ready"}
      data-marked={marked || undefined}
      tabIndex={-1}
    >
      <div className="skill-access">
        {state === "unsupported" ? (
          <span className="no-switch" title="It cannot run here, so there is nothing to switch">
            No switch
          </span>
        ) : (
          <Switch
            label={`Skill ${skill.name}`}
            on={on}
            busy={change.isPending}
            describedBy={verdictId}
            onChange={(next) => change.mutate({ agentId, name: skill.name, allowed: next })}
          />
        )}
      </div>
      <div className="skill-what">
        <div className="skill-title">
          <Link
            className="skill-name"
            to="/agents/$agentId/skills/$name"
            params={{ agentId, name: skill.name }}
            search={inSettings ? { from: "settings" } : {}}
          >
            {skill.emoji && <span aria-hidden="true">{skill.emoji}</span>} {skill.name}
          </Link>
          <StateChip state={state} />
          <Chip look="plain" title={skill.filePath}>
            {sourceText(skill.origin)}
          </Chip>
          {skill.shadowed.length > 0 && (
            <Chip look="plain" icon="layers">
              hides {skill.shadowed.length === 1 ? "a copy" : `${skill.shadowed.length} copies`}
            </Chip>
          )}
        </div>
        <p className="skill-text">{skill.description}</p>
        <Reasons skill={skill} />
        {skill.shadowed.map((copy) => (
          <p className="skill-copy" key={copy.file}>
            Hidden copy: {sourceText(copy)}, <code>{copy.file}</code>
          </p>
        ))}
        {change.error && (
          <ErrorNote
            what={`${skill.name} was not ${change.variables?.allowed ? "allowed for" : "taken from"} ${agent}`}
            error={change.error}
            retry={() => change.variables && change.mutate(change.variables)}
            dismiss={change.reset}
          />
        )}
      </div>
      <div className="skill-end">
        <span className="verdict" id={verdictId}>
          {verdict(state, on)}
        </span>
        {told && allowed && state === "ready" && <span className="told">{toldText(told)}</span>}
        {(state === "setup" || state === "off") && (
          <SetupLink button agentId={agentId} skill={skill.skillKey}>
            Open System setup
          </SetupLink>
        )}
      </div>
    </li>
  );
});

function Reasons({ skill }: { skill: SkillStatus }) {
  const reasons = reasonsOf(skill);
  if (reasons.length === 0) return null;
  return (
    <ul className="reasons" aria-label="Missing">
      {reasons.map((reason) => (
        <li key={reason.text}>{reason.text}</li>
      ))}
    </ul>
  );
}

/** Access and readiness together, in words. */
function verdict(state: Readiness, allowed: boolean): string {
  if (state === "ready") return allowed ? "Usable" : "Ready, but not allowed";
  if (state === "unsupported") return "Cannot run here";
  return allowed ? "Allowed, but blocked" : "Not allowed, and blocked";
}
