import { describe, expect, it } from "vitest";
import { follow, type Live, type RunEvent } from "./live";

type Told = RunEvent extends infer E ? (E extends unknown ? Omit<E, "runId"> : never) : never;

const tell = (...events: Told[]) =>
  events.reduce<Live | undefined>(
    (live, event) => follow(live, { runId: "r", ...event } as RunEvent),
    undefined,
  );

describe("a run as it happens", () => {
  it("joins words and keeps thoughts apart", () => {
    const live = tell(
      { kind: "queued", message: "hi" },
      { kind: "started", run: "1" },
      { kind: "thinking", delta: "hm" },
      { kind: "text", delta: "Hel" },
      { kind: "text", delta: "lo" },
    );
    expect(live).toMatchObject({ status: "running", whole: true });
    expect(live?.items).toEqual([
      { kind: "thinking", text: "hm" },
      { kind: "text", text: "Hello" },
    ]);
  });

  it("puts the answer of a tool to its call, also when ids come twice", () => {
    const call = (n: number) => ({ kind: "toolStarted" as const, id: "c", tool: "exec", input: { n } });
    const end = (ok: boolean, output: string) => ({
      kind: "toolEnded" as const,
      id: "c",
      tool: "exec",
      ok,
      output,
    });
    const live = tell(call(1), end(true, "one"), call(2), end(false, "two"));
    expect(live?.items).toMatchObject([
      { state: "ok", output: "one" },
      { state: "failed", output: "two" },
    ]);
    expect(live?.whole).toBe(false);
  });

  it("takes back the words of an answer that is asked for again", () => {
    const live = tell({ kind: "text", delta: "half" }, { kind: "retry", reason: "busy", afterMs: 5 });
    expect(live?.items).toEqual([{ kind: "notice", text: "Retried: busy" }]);
  });

  it("ends with its error", () => {
    const live = tell(
      { kind: "started", run: "1" },
      { kind: "finished", status: "failed", error: "no model" },
    );
    expect(live).toMatchObject({ status: "failed", error: "no model" });
  });
});
