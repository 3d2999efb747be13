// Events of the gateway make answers old. What is on screen is asked for again; the rest when it is next shown.

import { queries } from "./client";
import { connection } from "./connection";
import type { EventFrame } from "./frames";

/** The answers that an event makes stale: methods, or families of methods that end in a dot. */
const OLD: Record<string, readonly string[]> = {
  // A change of the config file shows here, too: it may be the only event about one made outside.
  "skills.changed": ["skills.", "config.get", "agents.list"],
  "config.changed": ["config.", "agents.", "skills.", "models.", "exec.approvals."],
  "agents.changed": ["agents.", "skills."],
  "sessions.changed": ["sessions."],
  "exec.approval.requested": ["exec.approvals.", "exec.approval."],
  "exec.approval.resolved": ["exec.approvals.", "exec.approval."],
  "device.pair.requested": ["device."],
  "device.pair.resolved": ["device."],
  "cortex.changed": ["cortex."],
  "forge.changed": ["forge."],
  presence: ["presence."],
  cron: ["cron."],
};

/** True if an event makes the answer of a method stale. */
export function makesOld(event: string, method: string): boolean {
  const patterns = OLD[event] ?? [];
  return patterns.some((pattern) =>
    pattern.endsWith(".") ? method.startsWith(pattern) : method === pattern,
  );
}

/** A run changes its own lists when it begins and ends, not with every word. */
function isMilestone(frame: EventFrame): boolean {
  const payload = frame.payload as { kind?: string; state?: string; type?: string } | undefined;
  const word = payload?.kind ?? payload?.state ?? payload?.type ?? "";
  return ["started", "finished", "aborted", "failed", "error", "final"].includes(word);
}

function handle(frame: EventFrame): void {
  if (frame.event === "studio.gap") {
    void queries.invalidateQueries();
    return;
  }
  const { event } = frame;
  if (event === "run" && isMilestone(frame)) {
    void queries.invalidateQueries({
      predicate: (query) => /^(runs|sessions|cortex)\./.test(String(query.queryKey[0])),
    });
    return;
  }
  if (!(event in OLD)) return;
  void queries.invalidateQueries({ predicate: (query) => makesOld(event, String(query.queryKey[0])) });
}

/** Begins to listen. After a reconnect everything on screen is asked for again. */
export function goLive(): void {
  let phase = connection.state.phase;
  connection.onEvent(handle);
  connection.subscribe(() => {
    const before = phase;
    phase = connection.state.phase;
    if (phase === "open" && before !== "open") void queries.invalidateQueries();
  });
}
