import { type FormEvent, useState } from "react";
import { useChange } from "../../api";
import { Button, Dialog, ErrorNote } from "../../components";
import type { Job } from "./Automations";
import type { Schedule } from "./schedule";

const UNITS = [
  { label: "minutes", ms: 60_000 },
  { label: "hours", ms: 3_600_000 },
  { label: "days", ms: 86_400_000 },
];

/** A new automation, or one that is to be another. */
export function JobDialog(props: { agentId: string; job: Job | undefined; onClose: () => void }) {
  const { agentId, job, onClose } = props;
  const [name, setName] = useState(job?.name ?? "");
  const [message, setMessage] = useState(job ? textOf(job) : "");
  const [kind, setKind] = useState<Schedule["kind"]>(job?.schedule.kind ?? "cron");
  const [when, setWhen] = useState(() => fieldsOf(job?.schedule));
  const add = useChange("cron.add", { refresh: ["cron.list"], onSuccess: onClose });
  const update = useChange("cron.update", { refresh: ["cron.list"], onSuccess: onClose });
  const change = job ? update : add;
  const schedule = scheduleOf(kind, when);
  const ready = name.trim() !== "" && message.trim() !== "" && schedule !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!schedule) return;
    const payload = { kind: "agentTurn" as const, message: message.trim() };
    if (job) update.mutate({ id: job.id, patch: { name: name.trim(), schedule, payload } });
    else
      add.mutate({
        name: name.trim(),
        enabled: true,
        agentId,
        schedule,
        sessionTarget: "isolated",
        payload,
      });
  };
  const set = (part: Partial<typeof when>) => setWhen({ ...when, ...part });
  return (
    <Dialog title={job ? `Edit ${job.name}` : "Add an automation"} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <div className="field">
          <label htmlFor="job-name">Name</label>
          <input
            id="job-name"
            className="input"
            data-first
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="job-message">Message</label>
          <textarea
            id="job-message"
            className="textarea"
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        </div>
        <div className="field">
          <span className="label" id="job-when">
            When
          </span>
          <fieldset className="segments" aria-labelledby="job-when">
            {(["cron", "every", "at"] as const).map((one) => (
              <label key={one}>
                <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
                {{ cron: "By the calendar", every: "Repeating", at: "Once" }[one]}
              </label>
            ))}
          </fieldset>
        </div>
        {kind === "cron" && (
          <div className="pair">
            <div className="field">
              <label htmlFor="job-expr">Cron expression</label>
              <input
                id="job-expr"
                className="input"
                placeholder="0 9 * * 1-5"
                value={when.expr}
                onChange={(event) => set({ expr: event.target.value })}
              />
              <p className="hint">Minute, hour, day, month, weekday.</p>
            </div>
            <div className="field">
              <label htmlFor="job-tz">Time zone</label>
              <input
                id="job-tz"
                className="input"
                value={when.tz}
                onChange={(event) => set({ tz: event.target.value })}
              />
            </div>
          </div>
        )}
        {kind === "every" && (
          <div className="pair">
            <div className="field">
              <label htmlFor="job-count">Every</label>
              <input
                id="job-count"
                className="input"
                type="number"
                min={1}
                value={when.count}
                onChange={(event) => set({ count: event.target.value })}
              />
            </div>
            <div className="field">
              <label htmlFor="job-unit">Unit</label>
              <select
                id="job-unit"
                className="select"
                value={when.unit}
                onChange={(event) => set({ unit: Number(event.target.value) })}
              >
                {UNITS.map((unit) => (
                  <option key={unit.ms} value={unit.ms}>
                    {unit.label}
                  </option>
                ))}
              </select>
            </div>
          </div>
        )}
        {kind === "at" && (
          <div className="field">
            <label htmlFor="job-at">At (the time of this browser)</label>
            <input
              id="job-at"
              className="input"
              type="datetime-local"
              value={when.at}
              onChange={(event) => set({ at: event.target.value })}
            />
          </div>
        )}
        {change.error && (
          <ErrorNote what="The automation was not saved" error={change.error} dismiss={change.reset} />
        )}
        <div className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={change.isPending} disabled={!ready}>
            {job ? "Save the automation" : "Create automation"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function textOf(job: Job): string {
  return job.payload.kind === "agentTurn" ? job.payload.message : job.payload.text;
}

interface Fields {
  expr: string;
  tz: string;
  count: string;
  unit: number;
  at: string;
}

/** The values of the fields for a schedule. */
export function fieldsOf(schedule: Schedule | undefined): Fields {
  const fields: Fields = {
    expr: "",
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    count: "1",
    unit: 3_600_000,
    at: "",
  };
  if (schedule?.kind === "cron") return { ...fields, expr: schedule.expr, tz: schedule.tz ?? "" };
  if (schedule?.kind === "every") {
    const unit = [...UNITS].reverse().find(({ ms }) => schedule.everyMs % ms === 0) ?? { ms: 60_000 };
    return { ...fields, count: String(schedule.everyMs / unit.ms), unit: unit.ms };
  }
  if (schedule?.kind === "at") return { ...fields, at: localText(new Date(schedule.at)) };
  return fields;
}

/** The schedule that the fields mean; undefined while they mean none. */
export function scheduleOf(kind: Schedule["kind"], fields: Fields): Schedule | undefined {
  if (kind === "cron") {
    const expr = fields.expr.trim();
    const tz = fields.tz.trim();
    return expr ? { kind, expr, ...(tz && { tz }) } : undefined;
  }
  if (kind === "every") {
    const count = Number(fields.count);
    return count > 0 ? { kind, everyMs: Math.round(count * fields.unit) } : undefined;
  }
  const at = new Date(fields.at);
  return Number.isNaN(at.getTime()) ? undefined : { kind, at: at.toISOString() };
}

/** A moment as the field of a browser writes it, in its own time. */
function localText(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
