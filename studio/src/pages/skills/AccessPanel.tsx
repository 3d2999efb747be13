import type { ReactNode } from "react";
import { call, errorText, refresh, type StatusReport, useCall, useChange } from "../../api";
import { Button, Chip, ErrorNote, Icon, toast } from "../../components";
import { isAllowed, isUsable, readinessOf } from "../../lib/readiness";
import type { Told } from "../../lib/told";

type Mode = "all" | "selected" | "none";

const MODE_TEXT: Record<Mode, string> = { all: "All skills", selected: "Selected skills", none: "No skills" };

/** The access of an agent as a whole: everything, a selection, or nothing. */
export function AccessPanel(props: {
  agentId: string;
  name: string;
  report: StatusReport;
  told: ReadonlyMap<string, Told> | undefined;
}) {
  const { agentId, name, report, told } = props;
  const toldWhen = (when: Told["when"]) =>
    [...(told?.values() ?? [])].filter((skill) => skill.when === when).length;
  const filter = report.agentSkillFilter;
  const mode: Mode = filter == null ? "all" : filter.length === 0 ? "none" : "selected";
  const allowed = report.skills.filter(
    (skill) => isAllowed(skill) && readinessOf(skill) !== "unsupported",
  ).length;
  const usable = report.skills.filter(isUsable).length;
  const change = useChange("skills.allow", { refresh: ["skills.status", "config.get"] });

  const choose = (next: "all" | "none") =>
    change.mutate(
      { agentId, mode: next },
      {
        onSuccess: () => {
          if (mode !== "selected" || filter == null) return;
          toast(`${name} had a selection of ${filter.length} skills.`, {
            kind: "info",
            action: { label: "Restore", run: () => void restore(agentId, filter) },
          });
        },
      },
    );

  return (
    <section className="panel access" aria-label={`Access of ${name}`}>
      <div className="access-mode">
        <div className="actions">
          <span className="label">Access</span>
          <Chip look="accent">{MODE_TEXT[mode]}</Chip>
          {mode !== "all" && (
            <Button size="small" busy={change.isPending} onClick={() => choose("all")}>
              {mode === "none" ? "Use all" : "Back to all"}
            </Button>
          )}
          {mode !== "none" && (
            <Button size="small" busy={change.isPending} onClick={() => choose("none")}>
              None
            </Button>
          )}
        </div>
        <p>{explain(mode, name)}</p>
      </div>
      <dl className="counters">
        <Counter value={usable} label="usable" hint="allowed and ready" strong />
        <Counter value={allowed} label="allowed" hint="and could run here" />
        {told && <Counter value={toldWhen("always")} label="in every prompt" hint="shown to the model" />}
        {told && toldWhen("byMessage") > 0 && (
          <Counter value={toldWhen("byMessage")} label="chosen by message" hint="told when one fits" />
        )}
        <Counter value={report.skills.length} label="in total" hint="that were found" />
      </dl>
      <NextTurn agentId={agentId} since={report.snapshot.version} />
      {change.error && (
        <ErrorNote
          what={`The access of ${name} was not changed`}
          error={change.error}
          retry={() => change.variables && change.mutate(change.variables)}
          dismiss={change.reset}
        />
      )}
    </section>
  );
}

/** When changes count, and whether a turn is running that began before the last one. */
function NextTurn({ agentId, since }: { agentId: string; since: number }) {
  const runs = useCall("runs.list", { agentId, active: true }, { retry: false });
  const older = (runs.data?.runs ?? []).filter(
    (run) => run.startedAt != null && run.startedAt < since,
  ).length;
  return (
    <p className="access-foot">
      <Icon name="info" size={14} />
      <span>Changes apply from the next turn.</span>
      {older > 0 && (
        <strong>
          {older === 1 ? "1 running turn still uses" : `${older} running turns still use`} the earlier skills.
        </strong>
      )}
    </p>
  );
}

async function restore(agentId: string, skills: string[]): Promise<void> {
  try {
    await call("skills.allow", { agentId, mode: "selected", skills });
  } catch (error) {
    toast(`The selection did not come back: ${errorText(error)}`, { kind: "warning" });
  }
  await refresh("skills.status", "config.get");
}

function explain(mode: Mode, name: string): ReactNode {
  switch (mode) {
    case "all":
      return `${name} may use every skill, also those that come later. Switching one off makes it a selection.`;
    case "selected":
      return `${name} may use only the skills that are switched on here. New ones stay off until you switch them on.`;
    case "none":
      return `${name} may use no skill at all. Switch some on, or use all.`;
  }
}

function Counter(props: { value: number; label: string; hint: string; strong?: boolean }) {
  return (
    <div className={props.strong ? "counter strong" : "counter"}>
      <dt>
        {props.label}
        <small>{props.hint}</small>
      </dt>
      <dd>{props.value}</dd>
    </div>
  );
}
