import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call, errorText, isNotFound, type Result, refresh, type SkillStatus } from "../../api";
import { Button, Confirm, ErrorNote, Output, toast } from "../../components";
import { agentName, useAgents } from "../../lib/agents";
import { listed } from "../../lib/readiness";
import { bringBack } from "./Trash";

type Offer = Result<"skills.remove.plan">;

/** Taking a skill away: apart from everything else, after a question that says what goes and who misses it. */
export function RemoveZone(props: { skill: SkillStatus; agentId: string; onRemoved: () => void }) {
  const { skill, agentId, onRemoved } = props;
  const [offer, setOffer] = useState<Offer>();
  const skillKey = skill.skillKey;
  const ask = useMutation({
    mutationFn: () => call("skills.remove.plan", { skillKey, agentId }),
    onSuccess: setOffer,
  });
  const remove = useMutation({
    mutationFn: (path: string) =>
      call("skills.remove", { skillKey, agentId, confirm: path }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }),
    onSuccess: (removal) => {
      onRemoved();
      if (!removal) {
        toast(`${skill.name} was already gone.`, { kind: "info" });
        return;
      }
      const { trashId, scope, name } = removal;
      const undo = () =>
        bringBack({
          trashId: trashId ?? "",
          scope: scope === "managed" ? "managed" : "workspace",
          agentId,
        }).then(
          () => toast(`Restored ${name}.`),
          (error: unknown) =>
            toast(`${name} is still in the trash: ${errorText(error)}`, { kind: "warning" }),
        );
      toast(
        resultText(removal),
        trashId === undefined ? { kind: "info" } : { action: { label: "Undo", run: () => void undo() } },
      );
    },
    onSettled: () => {
      setOffer(undefined);
      return refresh("skills.status", "skills.trash");
    },
  });
  return (
    <section className="zone-danger" aria-label="Remove">
      <h3>Remove this skill</h3>
      <p>
        Moves the folder <code>{skill.baseDir}</code> to the trash. It can be restored from there.
      </p>
      <div className="actions">
        <Button look="danger" icon="trash" busy={ask.isPending} onClick={() => ask.mutate()}>
          Remove {skill.name}
        </Button>
      </div>
      {ask.error && (
        <ErrorNote
          what={`${skill.name} cannot be removed`}
          error={ask.error}
          retry={() => ask.mutate()}
          dismiss={ask.reset}
        />
      )}
      {remove.error && (
        <ErrorNote what={`${skill.name} was not removed`} error={remove.error} dismiss={remove.reset} />
      )}
      {offer && (
        <Confirm
          title={`Remove ${offer.name}?`}
          action="Remove it"
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate(offer.path)}
          onClose={() => setOffer(undefined)}
        >
          <p>This folder goes to the trash:</p>
          <Output label="Folder" text={offer.path} />
          <Affected offer={offer} />
        </Confirm>
      )}
    </section>
  );
}

/** The actual result, as the gateway saw it afterwards. */
function resultText(removal: Result<"skills.remove">): string {
  if (removal.trashId === undefined) return `${removal.name} was already gone.`;
  return removal.removed
    ? `${removal.name} was removed and is kept in the trash.`
    : `${removal.name} was moved to the trash, but something is in its place again: ${removal.path}`;
}

function Affected({ offer }: { offer: Offer }) {
  const { agents } = useAgents();
  const names = offer.agents.map((id) =>
    agentName(
      agents.find((agent) => agent.id === id),
      id,
    ),
  );
  return (
    <>
      <p>
        {names.length > 0
          ? `It is gone for ${listed(names, "and")}, from the next turn.`
          : "No agent of this gateway uses that folder."}
      </p>
      {offer.uncovers.map((file) => (
        <p key={file}>
          The copy that it hides comes back into use: <code>{file}</code>
        </p>
      ))}
    </>
  );
}
