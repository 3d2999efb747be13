import type { Result } from "../../api";
import { Chip } from "../../components";

export type Outcome = NonNullable<Result<"sessions.list">["sessions"][number]["outcome"]>;

/** The words of the trace. */
const RESULTS: Record<Outcome["result"], string> = {
  success: "Success",
  dependency_missing: "Dependency missing",
  auth_error: "Auth error",
  api_error: "API error",
  task_mismatch: "Task mismatch",
  runtime_error: "Runtime error",
  unknown: "Unknown",
};

/** The meaning of a result, for its tooltip. */
const MEANINGS: Record<Outcome["result"], string> = {
  success: "It did what was asked",
  dependency_missing: "A program, file or library was missing",
  auth_error: "A service rejected its credentials",
  api_error: "A service failed",
  task_mismatch: "The skill was not made for the task",
  runtime_error: "Something failed on the way",
  unknown: "No outcome recorded",
};

const SAID_BY: Record<Outcome["by"], string> = {
  user: "as a person said",
  agent: "as the agent said",
  classifier: "as its errors tell",
  nobody: "not recorded",
};

/** The result of a run, and its source. */
export function OutcomeChip({ outcome }: { outcome: Outcome }) {
  const who = outcome.by === "nobody" ? undefined : SAID_BY[outcome.by];
  const title = [[MEANINGS[outcome.result], who].filter(Boolean).join(", "), outcome.detail]
    .filter(Boolean)
    .join(": ");
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

/** A duration in words. */
export function lengthText(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
