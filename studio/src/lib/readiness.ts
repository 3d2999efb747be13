// A skill's report in words for people. Three questions are kept apart: may this agent use it (access), can this
// machine run it (readiness), and the result: will the model see it (usable).

import type { Requirements, SkillStatus } from "../api";

/** The readiness of a skill on this machine. Each has its own look and its own word. */
export type Readiness = "ready" | "setup" | "unsupported" | "off";

export const READINESS = ["ready", "setup", "unsupported", "off"] as const;

export const READINESS_TEXT: Record<Readiness, string> = {
  ready: "Ready",
  setup: "Setup required",
  unsupported: "Not supported",
  off: "Switched off for all",
};

/** The state of a skill: a switch that a person set first, then what no set-up can change, then what is missing. */
export function readinessOf(skill: SkillStatus): Readiness {
  if (skill.disabled) return "off";
  if (skill.platformIncompatible || skill.missing.os.length > 0 || skill.blockedByAllowlist)
    return "unsupported";
  return skill.eligible ? "ready" : "setup";
}

/** True if the agent may use a skill. */
export function isAllowed(skill: SkillStatus): boolean {
  return !skill.blockedByAgentFilter;
}

/** True if the agent can use a skill: it may, and the skill is ready. */
export function isUsable(skill: SkillStatus): boolean {
  return isAllowed(skill) && readinessOf(skill) === "ready";
}

/** Something that stands in the way, and what kind of thing it is. */
export interface Reason {
  kind: "off" | "os" | "policy" | "bin" | "anyBin" | "env" | "config" | "other";
  text: string;
}

const SYSTEMS: Record<string, string> = {
  darwin: "macOS",
  linux: "Linux",
  win32: "Windows",
  freebsd: "FreeBSD",
};

/** Everything that stands in the way of a skill; what no set-up can change comes first. */
export function reasonsOf(skill: SkillStatus): Reason[] {
  const { missing } = skill;
  const reasons: Reason[] = [];
  if (missing.os.length > 0) {
    const names = missing.os.map((os) => SYSTEMS[os] ?? os);
    reasons.push({ kind: "os", text: `Made for ${listed(names, "or")}; the gateway runs on another system` });
  }
  if (skill.blockedByAllowlist)
    reasons.push({
      kind: "policy",
      text: "Bundled skills are limited to skills.allowBundled, and it is not in there",
    });
  if (skill.disabled) reasons.push({ kind: "off", text: "Switched off for all agents" });
  for (const bin of missing.bins) reasons.push({ kind: "bin", text: `Program ${bin} is not installed` });
  if (missing.anyBins.length > 0)
    reasons.push({
      kind: "anyBin",
      text: `None of the programs ${listed(missing.anyBins, "or")} is installed`,
    });
  for (const name of missing.env)
    reasons.push({
      kind: "env",
      text:
        name === skill.primaryEnv
          ? `The key ${name} is not set`
          : `The environment variable ${name} is not set`,
    });
  for (const path of missing.config)
    reasons.push({ kind: "config", text: `The setting ${path} is not switched on` });
  if (reasons.length === 0 && !skill.eligible)
    for (const text of skill.reasons) reasons.push({ kind: "other", text: sentence(text) });
  return reasons;
}

/** True if anything is listed. */
export function isEmpty(needs: Requirements): boolean {
  return [needs.bins, needs.anyBins, needs.env, needs.config, needs.os].every((list) => list.length === 0);
}

/** `a`, `a or b`, `a, b or c`. */
export function listed(names: readonly string[], word: "and" | "or"): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}

/** A text of the engine as a sentence of its own: first letter large, no backticks. */
export function sentence(text: string): string {
  const plain = text.replaceAll("`", "");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

const SOURCES: Record<SkillStatus["origin"]["tier"], string> = {
  workspace: "Workspace",
  project: "Project",
  personal: "Personal",
  managed: "Managed",
  workshop: "Workshop",
  bundled: "Bundled",
  extra: "Extra folder",
};

/** The source of a skill, in a word. */
export function sourceText(origin: SkillStatus["origin"]): string {
  if (origin.plugin) return `Plugin ${origin.plugin}`;
  return SOURCES[origin.tier] ?? origin.source;
}

/** True if the Studio may offer to remove a skill: the gateway checks the same from its own roots. */
export function isRemovable(skill: SkillStatus): boolean {
  return skill.origin.tier === "managed" || skill.origin.tier === "workspace";
}
