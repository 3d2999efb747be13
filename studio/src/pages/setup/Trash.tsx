import { useMutation } from "@tanstack/react-query";
import { call, type Params, type Result, refresh, useCall } from "../../api";
import { Button, Chip, ErrorNote } from "../../components";
import { momentText } from "../../lib/text";

/** Takes a skill out of the trash. */
export async function bringBack(what: Params<"skills.restore">): Promise<void> {
  await call("skills.restore", what);
  await refresh("skills.status", "skills.trash");
}

/** The removed skills that can be restored. */
export function Trash({ agentId }: { agentId: string }) {
  const trash = useCall("skills.trash", { agentId }, { retry: false });
  const skills = trash.data?.skills ?? [];
  if (skills.length === 0) return null;
  return (
    <details className="panel padded">
      <summary>{skills.length} in the trash</summary>
      <ul className="trash" aria-label="Trash">
        {skills.map((skill) => (
          <TrashRow key={`${skill.scope} ${skill.trashId}`} skill={skill} agentId={agentId} />
        ))}
      </ul>
    </details>
  );
}

function TrashRow(props: { skill: Result<"skills.trash">["skills"][number]; agentId: string }) {
  const { trashId, scope, from, removedAt } = props.skill;
  const back = useMutation({ mutationFn: () => bringBack({ trashId, scope, agentId: props.agentId }) });
  return (
    <li>
      <div className="section-head">
        <span>
          <code>{from}</code> <Chip look="plain">{scope}</Chip>{" "}
          <span className="quiet">removed {momentText(removedAt)}</span>
        </span>
        <Button
          size="small"
          aria-label={`Restore ${from}`}
          busy={back.isPending}
          onClick={() => back.mutate()}
        >
          Restore
        </Button>
      </div>
      {back.error && <ErrorNote what="It is still in the trash" error={back.error} dismiss={back.reset} />}
    </li>
  );
}
