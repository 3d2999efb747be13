import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type SkillStatus, type StatusReport, useCall } from "../../api";
import { Button, Chip, CopyButton, StateChip } from "../../components";
import { countStates } from "../../lib/filter";
import { listed, readinessOf, reasonsOf } from "../../lib/readiness";
import { byEase } from "../setup/ease";

const KEY = "prowess.welcome";
const NEAREST = 3;

/** The page of the first visit: what is ready, what is missing, where to begin. */
export function Welcome(props: { agentId: string; name: string; report: StatusReport }) {
  const { agentId, name, report } = props;
  const [isOpen, setOpen] = useState(() => localStorage.getItem(KEY) !== "seen");
  const untouched = isOpen && report.skills.length > 0 && !report.skills.some(isOwn);
  const sessions = useCall(
    "sessions.list",
    { agentId, limit: 1, offset: 0, includeGlobal: false, includeUnknown: false },
    { retry: false, enabled: untouched },
  );
  if (!untouched || sessions.data?.totalCount !== 0) return null;
  const bundled = report.skills.filter((skill) => skill.bundled);
  const counts = countStates(bundled);
  const nearest = report.skills
    .filter((skill) => readinessOf(skill) === "setup")
    .sort(byEase)
    .slice(0, NEAREST);
  return (
    <section className="panel padded welcome" aria-labelledby="welcome">
      <div className="section-head">
        <h2 id="welcome">Welcome</h2>
        <Button
          size="small"
          look="quiet"
          icon="cross"
          onClick={() => {
            localStorage.setItem(KEY, "seen");
            setOpen(false);
          }}
        >
          Dismiss
        </Button>
      </div>
      <p>
        <strong>
          {counts.ready} of {bundled.length} bundled skills are ready
        </strong>{" "}
        on this machine, {counts.setup} lack something, {counts.unsupported} cannot run on it. Write a
        message, and see which of them {name} would use and why.
      </p>
      <div className="actions">
        <Link className="button primary" to="/agents/$agentId/playground" params={{ agentId }} search={{}}>
          Try the Playground
        </Link>
        <Link className="button" to="/registry" search={{}}>
          Search the registry
        </Link>
      </div>
      {nearest.length > 0 && <Nearest skills={nearest} agentId={agentId} />}
      <Others skills={report.skills} />
    </section>
  );
}

/** True if a skill was installed or written for this gateway: then it is no longer the first visit. */
function isOwn({ origin }: SkillStatus): boolean {
  return (origin.tier === "managed" || origin.tier === "workspace") && !origin.plugin;
}

function Nearest({ skills, agentId }: { skills: SkillStatus[]; agentId: string }) {
  return (
    <>
      <h3>Nearly ready</h3>
      <ul className="nearest" aria-label="Nearly ready">
        {skills.map((skill) => (
          <li key={skill.name}>
            <Link to="/setup" search={{ skill: skill.skillKey, agent: agentId }}>
              {skill.name}
            </Link>
            <StateChip state="setup" />
            <span className="quiet">
              {listed(
                reasonsOf(skill).map((one) => one.text),
                "and",
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Skills that other agent programs keep, and how to get more from them. Nothing is taken over by itself. */
function Others({ skills }: { skills: readonly SkillStatus[] }) {
  const found = skills.filter((skill) => !skill.bundled);
  return (
    <>
      <h3>Do you use another agent program?</h3>
      {found.length > 0 && (
        <p>
          {found.length === 1 ? "One skill" : `${found.length} skills`} of others{" "}
          {found.length === 1 ? "was" : "were"} found and can be used where they are:{" "}
          <span className="chips">
            {found.slice(0, 6).map((skill) => (
              <Chip key={skill.name} look="plain" title={skill.filePath}>
                {skill.name}
              </Chip>
            ))}
          </span>
        </p>
      )}
      <p className="quiet">
        The first of these names the agent programs of this machine, the second shows what one of them has.
        Nothing is imported without your consent.
      </p>
      <div className="actions">
        {["prowess sync --list", "prowess import --from claude-code --dry-run"].map((command) => (
          <span key={command} className="actions">
            <code>{command}</code>
            <CopyButton text={command} name={`Copy ${command}`} />
          </span>
        ))}
      </div>
    </>
  );
}
