import { memo, useEffect, useRef } from "react";
import type { SkillStatus } from "../../api";
import { Button, Chip, Note, StateChip } from "../../components";
import { setupSearch } from "../../lib/addresses";
import { useSearchState } from "../../lib/query";
import { readinessOf, reasonsOf, sourceText } from "../../lib/readiness";
import { usefulOptions } from "./ease";
import { InstallerChip } from "./InstallerChip";
import { useInstall } from "./installs";

/** One skill for all agents: what it lacks and the way to its settings. */
export const SetupRow = memo(function SetupRow({ skill, marked }: { skill: SkillStatus; marked: boolean }) {
  const [, setQuery] = useSearchState(setupSearch);
  const state = readinessOf(skill);
  const install = useInstall(skill.name);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: "nearest" });
  }, [marked]);
  const reasons = reasonsOf(skill);
  const helps = state === "setup" ? usefulOptions(skill) : [];
  return (
    <li ref={row} className="setup-row">
      <div className="skill-what">
        <div className="skill-title">
          <span className="skill-name">
            {skill.emoji && <span aria-hidden="true">{skill.emoji}</span>} {skill.name}
          </span>
          <StateChip state={state} />
          <Chip look="plain" title={skill.filePath}>
            {sourceText(skill.origin)}
          </Chip>
          <InstallerChip skill={skill} options={helps} />
          {skill.primaryEnv && skill.missing.env.includes(skill.primaryEnv) && (
            <Chip look="accent">Needs a key</Chip>
          )}
        </div>
        {reasons.length > 0 ? (
          <ul className="reasons" aria-label="What is missing">
            {reasons.map((reason) => (
              <li key={reason.text}>{reason.text}</li>
            ))}
          </ul>
        ) : (
          <p className="skill-text">Has everything it needs.</p>
        )}
        {install?.phase === "running" && <Note>Installing: {install.option.label}</Note>}
        {install?.phase === "failed" && (
          <Note kind="error">
            <span className="message">{install.message}</span>
          </Note>
        )}
        {install?.phase === "done" && <Note kind="success">{install.message}</Note>}
      </div>
      <div className="skill-end">
        <Button
          size="small"
          aria-label={`${state === "setup" ? "Set up" : "Configure"} ${skill.name}`}
          onClick={() => setQuery({ skill: skill.name, seen: undefined }, "push")}
        >
          {state === "setup" ? "Set up" : "Configure"}
        </Button>
      </div>
    </li>
  );
});
