// The skills that match a search and the filters of a page.

import type { SkillStatus } from "../api";
import { isAllowed, type Readiness, readinessOf } from "./readiness";

const haystacks = new WeakMap<SkillStatus, string>();

function haystack(skill: SkillStatus): string {
  let text = haystacks.get(skill);
  if (text === undefined) {
    text = [skill.name, skill.displayName, skill.skillKey, skill.source, skill.description]
      .join("\n")
      .toLowerCase();
    haystacks.set(skill, text);
  }
  return text;
}

/** True if every word of a search is in a skill's name, description, key or source. */
export function matches(skill: SkillStatus, search: string): boolean {
  const text = haystack(skill);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export type StateFilter = "any" | "usable" | Readiness;
export type AccessFilter = "any" | "allowed" | "denied";

/** The number of skills in each state. */
export function countStates(skills: readonly SkillStatus[]): Record<StateFilter, number> {
  const counts: Record<StateFilter, number> = {
    any: 0,
    usable: 0,
    ready: 0,
    setup: 0,
    unsupported: 0,
    off: 0,
  };
  for (const skill of skills) {
    const state = readinessOf(skill);
    counts.any += 1;
    counts[state] += 1;
    if (state === "ready" && isAllowed(skill)) counts.usable += 1;
  }
  return counts;
}

export function hasState(skill: SkillStatus, filter: StateFilter): boolean {
  if (filter === "any") return true;
  const state = readinessOf(skill);
  return filter === "usable" ? state === "ready" && isAllowed(skill) : state === filter;
}

export function hasAccess(skill: SkillStatus, filter: AccessFilter): boolean {
  return filter === "any" || isAllowed(skill) === (filter === "allowed");
}
