// The score of a skill, as parts with a name. The parts come from the gateway; nothing is computed
// here but their sum.

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

export type SignalKind = "meaning" | "words" | "triggers" | "learned";

export interface Signal {
  kind: SignalKind;
  label: string;
  share: number;
  /** The source of the part, in words. */
  detail: string;
}

const FIELDS = {
  name: "name",
  description: "description",
  triggers: "trigger phrases",
  body: "text",
} as const;

/** The parts of a skill's score, the same kinds in the same order for every skill. */
export function signalsOf({ signals }: Ranked): Signal[] {
  const parts: Signal[] = signals.voices.map((voice) => ({
    kind: "meaning",
    label: signals.voices.length > 1 ? `Meaning (${voice.encoder})` : "Meaning",
    share: voice.share,
    detail:
      voice.cosine == null
        ? `${voice.encoder} has no vector of this skill yet, so it says nothing`
        : `${voice.encoder}: likeness ${voice.cosine.toFixed(2)}, ${voice.value.toFixed(1)} deviations above an unrelated skill`,
  }));
  parts.push({
    kind: "words",
    label: "Words",
    share: signals.lexical.share,
    detail:
      signals.lexical.terms.length === 0
        ? "No word in common"
        : signals.lexical.terms.map((term) => `“${term.word}” in its ${FIELDS[term.field]}`).join(", "),
  });
  if (signals.triggers)
    parts.push({
      kind: "triggers",
      label: "Trigger phrases",
      share: signals.triggers.share,
      detail: signals.triggers.phrases.map((phrase) => `“${phrase}”`).join(", "),
    });
  if (signals.prior != null)
    parts.push({
      kind: "learned",
      label: "Learned before",
      share: signals.prior,
      detail: "What earlier runs taught about this skill",
    });
  return parts;
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
