// When a skill is shown to the model, in words.

import { type Result, useCall } from "../api";
import { sentence } from "./readiness";

export type Told = Result<"skills.prompt">["told"][number];

/** When each skill is shown to the model of an agent, by name. */
export function useTold(agentId: string): ReadonlyMap<string, Told> | undefined {
  const answer = useCall("skills.prompt", { agentId }, { retry: false });
  return answer.data && new Map(answer.data.told.map((skill) => [skill.name, skill]));
}

/** One skill's state in a few words. */
export function toldText(told: Told): string {
  switch (told.when) {
    case "always":
      return "In every prompt";
    case "byMessage":
      return "Chosen by message";
    case "never":
      return told.reason ? `Not listed: ${sentence(told.reason)}` : "Not listed";
  }
}
