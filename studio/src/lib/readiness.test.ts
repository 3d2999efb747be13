import { describe, expect, it } from "vitest";
import type { SkillStatus } from "../api";
import { countStates, hasState, matches } from "./filter";
import { isUsable, listed, readinessOf, reasonsOf, sentence } from "./readiness";

const NOTHING = { bins: [], anyBins: [], env: [], config: [], os: [] };

function skill(part: Partial<SkillStatus>): SkillStatus {
  return {
    name: "weather",
    displayName: "Weather",
    skillKey: "weather",
    source: "openclaw-bundled",
    description: "Tells the weather",
    eligible: true,
    disabled: false,
    blockedByAllowlist: false,
    blockedByAgentFilter: false,
    platformIncompatible: false,
    missing: NOTHING,
    reasons: [],
    ...part,
  } as SkillStatus;
}

describe("readiness", () => {
  it("tells four states apart", () => {
    expect(readinessOf(skill({}))).toBe("ready");
    expect(readinessOf(skill({ disabled: true, missing: { ...NOTHING, os: ["darwin"] } }))).toBe("off");
    expect(readinessOf(skill({ eligible: false, missing: { ...NOTHING, os: ["darwin"] } }))).toBe(
      "unsupported",
    );
    expect(readinessOf(skill({ eligible: false, missing: { ...NOTHING, bins: ["gh"] } }))).toBe("setup");
  });

  it("keeps access apart from readiness", () => {
    expect(isUsable(skill({}))).toBe(true);
    expect(isUsable(skill({ blockedByAgentFilter: true }))).toBe(false);
    expect(readinessOf(skill({ blockedByAgentFilter: true }))).toBe("ready");
  });

  it("lists everything that is missing, the system first", () => {
    const missing = {
      bins: ["a", "b"],
      anyBins: ["c", "d"],
      env: ["KEY", "URL"],
      config: ["x.y"],
      os: ["darwin"],
    };
    const kinds = reasonsOf(skill({ eligible: false, missing, primaryEnv: "KEY" })).map(
      (reason) => reason.kind,
    );
    expect(kinds).toEqual(["os", "bin", "bin", "anyBin", "env", "env", "config"]);
  });

  it("falls back to the words of the engine", () => {
    const reasons = reasonsOf(skill({ eligible: false, reasons: ["not trusted: `x`"] }));
    expect(reasons).toEqual([{ kind: "other", text: "Not trusted: x" }]);
  });

  it("writes lists and sentences", () => {
    expect(listed(["a"], "or")).toBe("a");
    expect(listed(["a", "b", "c"], "and")).toBe("a, b and c");
    expect(sentence("missing `op`")).toBe("Missing op");
  });
});

describe("filters", () => {
  it("counts usable ones apart from ready ones", () => {
    const skills = [skill({}), skill({ blockedByAgentFilter: true }), skill({ disabled: true })];
    expect(countStates(skills)).toEqual({ any: 3, usable: 1, ready: 2, setup: 0, unsupported: 0, off: 1 });
    expect(skills.filter((one) => hasState(one, "usable"))).toHaveLength(1);
  });

  it("finds by every word", () => {
    expect(matches(skill({}), "bundled TELLS")).toBe(true);
    expect(matches(skill({}), "tells rain")).toBe(false);
    expect(matches(skill({}), "")).toBe(true);
  });
});
