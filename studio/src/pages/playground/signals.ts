// The reasons for and against a skill. Their words come from the gateway; nothing is computed here but sums.

import type { Result } from "../../api";

export type Answer = Result<"skills.match">;
export type Ranked = Answer["results"][number];
export type Prompt = Result<"skills.prompt">;
export type Prompted = NonNullable<Prompt["skills"]>[number];

const IN_PROMPT: Record<Prompted["how"], string> = {
  listed: "Listed in the prompt",
  text: "Whole text in the prompt",
  map: "Map of its sections in the prompt",
  pointer: "Place of its file in the prompt",
  again: "Text given earlier",
};

/** The fullest form in which the prompt has a skill, in words. */
export function inPrompt(name: string, skills: readonly Prompted[]): string {
  const own = skills.filter((skill) => skill.name === name);
  const most = own.find((skill) => skill.how !== "listed") ?? own[0];
  return most ? IN_PROMPT[most.how] : "Not in the prompt";
}

export type Reason = Ranked["reasons"][number];

/** A share below this would be shown as zero. */
const NEUTRAL = 0.05;

/** The kinds of reasons that a bar tells apart, with their names in the legend. */
export const KINDS: Record<Reason["kind"], string> = {
  meaning: "Meaning",
  words: "Shared words",
  triggers: "Trigger phrases",
  learned: "Earlier runs",
  reader: "Second reading",
  action: "Action by itself",
  request: "Request or remark",
  unsupported: "Words without meaning",
  unread: "Not read again",
  bar: "Start of every skill",
};

export interface Sides {
  /** The strongest first. */
  pro: Reason[];
  /** The strongest first. */
  con: Reason[];
  neutral: Reason[];
}

/** The reasons of a skill by the side that they are on. */
export function sidesOf(reasons: readonly Reason[]): Sides {
  const strongest = (a: Reason, b: Reason) => Math.abs(b.share) - Math.abs(a.share);
  return {
    pro: reasons.filter((reason) => reason.share >= NEUTRAL).sort(strongest),
    con: reasons.filter((reason) => reason.share <= -NEUTRAL).sort(strongest),
    neutral: reasons.filter((reason) => Math.abs(reason.share) < NEUTRAL),
  };
}

/** The sum of the shares of one side. */
export function strength(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, reason) => sum + Math.abs(reason.share), 0);
}

/** A share as a number with its sign; nothing for one that would be shown as zero. */
export function signed(share: number): string {
  if (Math.abs(share) < NEUTRAL) return "";
  return `${share > 0 ? "+" : "−"}${Math.abs(share).toFixed(1)}`;
}

/** The signal that makes a skill certain without any score. */
export function certainText(certain: Ranked["certain"]): string | undefined {
  if (!certain) return undefined;
  switch (certain.by) {
    case "named":
      return `Called by name: “${certain.text}”`;
    case "path":
      return `Made for ${certain.file} (${certain.glob})`;
    case "trigger":
      return `Trigger phrase: ${certain.phrases.map((phrase) => `“${phrase}”`).join(", ")}`;
  }
}

/** A probability as a percentage; what is not certain is never rounded to it. */
export function percent(value: number): string {
  if (value > 0.99 && value < 1) return "> 99 %";
  if (value < 0.01 && value > 0) return "< 1 %";
  return `${Math.round(value * 100)} %`;
}

/** The effect of the turn before, as a sentence. */
export function followUpText(followUp: { effect: string; skills: string[]; reason: string }): string {
  const skills = followUp.skills.join(", ");
  if (followUp.effect === "kept") return `Kept from the turn before: ${skills} (${followUp.reason})`;
  if (followUp.effect === "dropped") return `Nothing is loaded: ${followUp.reason}`;
  return `Not kept from the turn before: ${skills} (${followUp.reason})`;
}
