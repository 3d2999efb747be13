import { useState } from "react";
import { call, refresh, type SkillStatus, useChange } from "../../api";
import { Button, Confirm, ErrorNote, Output, toast } from "../../components";
import { agentName, useAgents } from "../../lib/agents";
import { listed } from "../../lib/readiness";

/** Taking a skill away: apart from everything else, after a question that says what goes and who misses it. */
export function RemoveZone(props: { skill: SkillStatus; agentId: string; onRemoved: () => void }) {
  const { skill, agentId, onRemoved } = props;
  const [asking, setAsking] = useState(false);
  const change = useChange("skills.remove", { refresh: ["skills.status"] });
  const affected = useAffected(skill);
  const remove = () =>
    change.mutate(
      { skillKey: skill.skillKey, agentId, confirm: true },
      {
        onSuccess: (removal) => {
          setAsking(false);
          toast(
            removal.removed
              ? `${skill.name} was removed and is kept in the trash.`
              : `${skill.name} was already gone.`,
            removal.trashId
              ? { action: { label: "Undo", run: () => void undo(removal.trashId ?? "", skill.name) } }
              : {},
          );
          onRemoved();
        },
        onError: () => setAsking(false),
      },
    );
  return (
    <section className="zone-danger" aria-label="Remove">
      <h3>Remove this skill</h3>
      <p>
        Takes the folder <code>{skill.baseDir}</code> away. It is kept in the trash, so that it can be brought
        back.
      </p>
      <div className="actions">
        <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
          Remove {skill.name}
        </Button>
      </div>
      {change.error && (
        <ErrorNote
          what={`${skill.name} was not removed`}
          error={change.error}
          retry={remove}
          dismiss={change.reset}
        />
      )}
      {asking && (
        <Confirm
          title={`Remove ${skill.name}?`}
          action="Remove it"
          danger
          busy={change.isPending}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>This folder goes to the trash:</p>
          <Output label="Folder" text={skill.baseDir} />
          <p>
            {affected.length > 0
              ? `It is gone for ${listed(affected, "and")}, from the next turn.`
              : "No agent of this gateway uses that folder."}
          </p>
          {skill.shadowed[0] && (
            <p>
              The copy that it hides comes back into use: <code>{skill.shadowed[0].file}</code>
            </p>
          )}
        </Confirm>
      )}
    </section>
  );
}

async function undo(trashId: string, name: string): Promise<void> {
  try {
    await call("skills.restore", { trashId });
    toast(`${name} is back.`);
  } catch (error) {
    toast(`${name} is still in the trash: ${(error as Error).message}`, { kind: "warning" });
  }
  await refresh("skills.status");
}

/** The agents that see a skill: all of them, or those that work where it is. */
function useAffected(skill: SkillStatus): string[] {
  const { agents } = useAgents();
  const sees = (workspace: string) =>
    skill.origin.tier !== "workspace" || skill.baseDir.startsWith(`${workspace.replace(/[/\\]$/, "")}/`);
  return agents.filter((agent) => sees(agent.workspace)).map((agent) => agentName(agent, agent.id));
}
