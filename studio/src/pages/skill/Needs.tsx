import type { Requirements, SkillStatus } from "../../api";
import { Icon, Panel } from "../../components";
import { isEmpty } from "../../lib/readiness";

const KINDS: { key: keyof Requirements; label: string }[] = [
  { key: "os", label: "System" },
  { key: "bins", label: "Programs" },
  { key: "anyBins", label: "One of" },
  { key: "env", label: "Environment" },
  { key: "config", label: "Settings" },
];

/** The requirements of the skill, each with its state. */
export function Needs({ skill }: { skill: SkillStatus }) {
  const { requirements, missing } = skill;
  return (
    <Panel title="What it needs">
      {isEmpty(requirements) ? (
        <p className="quiet">Nothing.</p>
      ) : (
        <dl className="facts">
          {KINDS.filter(({ key }) => requirements[key].length > 0).map(({ key, label }) => (
            <Need
              key={key}
              label={label}
              wanted={requirements[key]}
              missing={missing[key]}
              any={key === "anyBins" || key === "os"}
            />
          ))}
        </dl>
      )}
    </Panel>
  );
}

function Need(props: { label: string; wanted: string[]; missing: string[]; any: boolean }) {
  return (
    <>
      <dt>{props.label}</dt>
      <dd className="needs-list">
        {props.wanted.map((name) => {
          // Of several that would do, either one is there or none is.
          const there = props.any ? props.missing.length === 0 : !props.missing.includes(name);
          return (
            <span key={name} className={there ? "there" : "missing"}>
              <Icon name={there ? "check" : "cross"} size={12} />
              {name}
              <span className="hidden-text">{there ? " is available" : " is missing"}</span>
            </span>
          );
        })}
      </dd>
    </>
  );
}
