// Runs as they happen. Events are kept from the moment the Studio hears of a run, so that nothing is lost between the
// start of a run and the page that shows it.

import { useSyncExternalStore } from "react";
import { connection, type Result } from "../../api";

export type Run = Result<"runs.list">["runs"][number];

/** One thing that happened in a run. */
export type LiveItem =
  | { kind: "text" | "thinking" | "notice"; text: string }
  | { kind: "skill"; skill: string }
  | {
      kind: "tool";
      id: string;
      tool: string;
      input: unknown;
      state: "running" | "ok" | "failed";
      output: string;
    };

export interface Live {
  status: "queued" | "running" | "done" | "failed" | "aborted";
  items: readonly LiveItem[];
  error?: string | undefined;
  /** True if its events were received from the beginning. */
  whole: boolean;
}

/** The payload of the event `run` of the gateway. */
export type RunEvent = { runId: string } & (
  | { kind: "queued"; message: string }
  | { kind: "started"; run: string }
  | { kind: "text" | "thinking"; delta: string }
  | { kind: "toolStarted"; id: string; tool: string; input: unknown }
  | { kind: "toolEnded"; id: string; tool: string; ok: boolean; output: string }
  | { kind: "skill"; skill: string }
  | { kind: "retry"; reason: string; afterMs: number }
  | { kind: "notice"; text: string }
  | { kind: "approval"; id: string; tool: string; what: string; expiresAtMs: number }
  | { kind: "finished"; status: Live["status"]; error?: string | null }
);

/** A run after one more event. */
export function follow(before: Live | undefined, event: RunEvent): Live {
  const live: Live = before ?? { status: "running", items: [], whole: event.kind === "queued" };
  const { items } = live;
  const add = (item: LiveItem): Live => ({ ...live, status: "running", items: [...items, item] });
  switch (event.kind) {
    case "queued":
      return { ...live, status: "queued" };
    case "started":
    case "approval":
      return { ...live, status: "running" };
    case "text":
    case "thinking": {
      const last = items.at(-1);
      if (last?.kind !== event.kind) return add({ kind: event.kind, text: event.delta });
      return { ...live, items: [...items.slice(0, -1), { ...last, text: last.text + event.delta }] };
    }
    case "toolStarted":
      return add({
        kind: "tool",
        id: event.id,
        tool: event.tool,
        input: event.input,
        state: "running",
        output: "",
      });
    case "toolEnded": {
      const state = event.ok ? "ok" : "failed";
      const at = items.findLastIndex(
        (item) => item.kind === "tool" && item.id === event.id && item.state === "running",
      );
      const begun = items[at];
      if (begun?.kind !== "tool")
        return add({
          kind: "tool",
          id: event.id,
          tool: event.tool,
          input: null,
          state,
          output: event.output,
        });
      return { ...live, items: items.with(at, { ...begun, state, output: event.output }) };
    }
    case "skill":
      return add({ kind: "skill", skill: event.skill });
    case "retry": {
      // The model is asked again: the words of this answer do not count.
      const kept = items.at(-1)?.kind === "text" ? items.slice(0, -1) : items;
      return { ...live, items: [...kept, { kind: "notice", text: `Retried: ${event.reason}` }] };
    }
    case "notice":
      return add({ kind: "notice", text: event.text });
    case "finished":
      return { ...live, status: event.status, error: event.error ?? undefined };
  }
}

const runs = new Map<string, Live>();
const listeners = new Set<() => void>();
/** Maximum number of kept runs; the oldest are dropped first. */
const MOST_RUNS = 50;

connection.onEvent((frame) => {
  if (frame.event !== "run") return;
  const event = frame.payload as RunEvent;
  runs.set(event.runId, follow(runs.get(event.runId), event));
  const oldest = runs.keys().next().value;
  if (runs.size > MOST_RUNS && oldest !== undefined) runs.delete(oldest);
  for (const listener of listeners) listener();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The events of a run since the Studio was opened. */
export function useLive(runId: string): Live | undefined {
  return useSyncExternalStore(subscribe, () => runs.get(runId));
}
