import { READINESS_TEXT, type Readiness } from "../lib/readiness";
import { Chip } from "./Chip";
import type { IconName } from "./Icon";

export const READINESS_ICON: Record<Readiness, IconName> = {
  ready: "check",
  setup: "wrench",
  unsupported: "blocked",
  off: "power",
};

/** The readiness of a skill: four states, four looks, four texts. */
export function StateChip({ state }: { state: Readiness }) {
  return (
    <Chip look={state} icon={READINESS_ICON[state]}>
      {READINESS_TEXT[state]}
    </Chip>
  );
}
