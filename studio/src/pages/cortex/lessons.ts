// The lessons, learned besides weights. A lesson comes as the file has it; here it gets a sentence and a name.

import type { Params } from "../../api";

export type LessonRef = Params<"cortex.lessons.judge">["lesson"];

export interface Lesson {
  about: LessonRef;
  text: string;
  confidence: number | undefined;
  created: string | undefined;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A lesson with its sentence; none for a type that this version does not know. */
export function lessonOf(raw: Record<string, unknown>): Lesson | undefined {
  const read = sentenceOf(raw);
  if (!read) return undefined;
  return {
    ...read,
    confidence: typeof raw.confidence === "number" ? raw.confidence : undefined,
    created: text(raw.created) || undefined,
  };
}

function sentenceOf(raw: Record<string, unknown>): Pick<Lesson, "about" | "text"> | undefined {
  const region = text(raw.region);
  const key = text(raw.key);
  const slug = text(raw.slug);
  const detail = text(raw.detail);
  switch (raw.type) {
    case "dependency_warning":
      return {
        about: { type: "dependency_warning", region, key },
        text: `Tasks of the kind ${region} tend to need ${key}, which tends to be missing: look for it before installing a skill.`,
      };
    case "skill_quality_warning":
      return {
        about: { type: "skill_quality_warning", slug, detail },
        text: `${slug} does not do what it says${detail && `: ${detail}`}.`,
      };
    case "env_ready":
      return {
        about: { type: "env_ready", region, key },
        text: `For tasks of the kind ${region} the variable ${key} tends to be set.`,
      };
    default:
      return undefined;
  }
}
