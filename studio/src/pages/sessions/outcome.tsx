import type { Result } from "../../api";
import { Chip } from "../../components";

export type Outcome = NonNullable<Result<"sessions.list">["sessions"][number]["outcome"]>;

const RESULTS: Record<Outcome["result"], string> = {
  success: "Worked",
  dependency_missing: "Something was missing",
  auth_error: "Not let in",
  api_error: "A service failed",
  task_mismatch: "Wrong skill for the task",
  runtime_error: "Failed",
  unknown: "Not rated",
};

const SAID_BY: Record<Outcome["by"], string> = {
  user: "as a person said",
  agent: "as the agent said",
  classifier: "as its errors tell",
  nobody: "nobody said",
};

/** How a run went, and who says so. */
export function OutcomeChip({ outcome }: { outcome: Outcome }) {
  const title = [SAID_BY[outcome.by], outcome.detail].filter(Boolean).join(": ");
  if (outcome.result === "success")
    return (
      <Chip look="ready" icon="check" title={title}>
        {RESULTS.success}
      </Chip>
    );
  if (outcome.result === "unknown")
    return (
      <Chip look="plain" title={title}>
        {RESULTS.unknown}
      </Chip>
    );
  return (
    <Chip look="bad" icon="warning" title={title}>
      {RESULTS[outcome.result]}
    </Chip>
  );
}

/** The same in words. */
export function outcomeText(outcome: Outcome): string {
  const detail = outcome.detail ? `: ${outcome.detail}` : "";
  return `${RESULTS[outcome.result]}, ${SAID_BY[outcome.by]}${detail}`;
}

/** How long something took. */
export function lengthText(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
