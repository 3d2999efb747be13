import { type SkillStatus, useCall, useChange } from "../../api";
import { Button, Chip, Dialog, ErrorNote, Note, StateChip, Switch } from "../../components";
import { isRemovable, readinessOf, reasonsOf, sentence, sourceText } from "../../lib/readiness";
import { usefulOptions } from "./ease";
import { InstallSection } from "./InstallSection";
import { KeySection } from "./KeySection";
import { RemoveZone } from "./RemoveZone";

/** Everything about one skill that concerns all agents. */
export function ConfigureDialog(props: {
  skill: SkillStatus;
  agentId: string;
  /** True if a key is stored for it. */
  hasKey: boolean;
  onClose: () => void;
}) {
  const { skill, agentId, onClose } = props;
  const state = readinessOf(skill);
  return (
    <Dialog
      title={
        <>
          {skill.emoji && <span aria-hidden="true">{skill.emoji} </span>}
          {skill.name}
        </>
      }
      subtitle={
        <div className="actions">
          <StateChip state={state} />
          <Chip look="plain">{sourceText(skill.origin)}</Chip>
          <span className="quiet">Changes here affect all agents.</span>
        </div>
      }
      onClose={onClose}
    >
      <Missing skill={skill} agentId={agentId} />
      {usefulOptions(skill).map((option) => (
        <InstallSection key={option.id} skill={skill} option={option} />
      ))}
      {state === "setup" && <Refused skill={skill} />}
      {skill.primaryEnv && <KeySection skill={skill} name={skill.primaryEnv} stored={props.hasKey} />}
      <OnOff skill={skill} />
      {isRemovable(skill) && <RemoveZone skill={skill} agentId={agentId} onRemoved={onClose} />}
    </Dialog>
  );
}

function Missing({ skill, agentId }: { skill: SkillStatus; agentId: string }) {
  const reasons = reasonsOf(skill);
  const status = useCall("skills.status", { agentId });
  return (
    <section>
      <div className="section-head">
        <h3>{reasons.length > 0 ? "Missing" : "Nothing is missing"}</h3>
        <Button
          size="small"
          look="quiet"
          icon="refresh"
          busy={status.isFetching}
          onClick={() => status.refetch()}
        >
          Check again
        </Button>
      </div>
      {reasons.length > 0 && (
        <ul className="needs">
          {reasons.map((reason) => (
            <li key={reason.text}>{reason.text}</li>
          ))}
        </ul>
      )}
      {skill.missing.env.some((name) => name !== skill.primaryEnv) && (
        <p className="quiet">
          Environment variables without a field here are set where the gateway is started, or under{" "}
          <code>skills.entries.{skill.skillKey}.env</code> in the config file.
        </p>
      )}
    </section>
  );
}

/** Declared ways to install that cannot be used. */
function Refused({ skill }: { skill: SkillStatus }) {
  const refused = skill.refusedInstalls ?? [];
  if (refused.length === 0) return null;
  return (
    <section aria-label="Refused install options">
      {refused.map((option) => (
        <Note key={option.place} kind="warning">
          Install option {option.id ?? `${option.place}${option.kind && ` (${option.kind})`}`} is refused:{" "}
          {sentence(option.reason)}
        </Note>
      ))}
    </section>
  );
}

function OnOff({ skill }: { skill: SkillStatus }) {
  const change = useChange("skills.update", { refresh: ["skills.status", "config.get"] });
  const on = change.isPending ? change.variables.enabled === true : !skill.disabled;
  return (
    <section>
      <div className="section-head">
        <div>
          <h3>{on ? "Switched on for all agents" : "Switched off for all agents"}</h3>
          <p className="quiet">Off means that no agent can use it, whatever its own page says.</p>
        </div>
        <Switch
          label={`Skill ${skill.name} for all agents`}
          on={on}
          busy={change.isPending}
          onChange={(enabled) => change.mutate({ skillKey: skill.skillKey, enabled, env: {} })}
        />
      </div>
      {change.error && (
        <ErrorNote
          what={`${skill.name} was not switched`}
          error={change.error}
          retry={() => change.variables && change.mutate(change.variables)}
          dismiss={change.reset}
        />
      )}
    </section>
  );
}
