import type { FilterOption } from "../../components";
import type { StateFilter } from "../../lib/filter";
import { READINESS, READINESS_TEXT } from "../../lib/readiness";

/** The filters by state, in the order of the buttons. */
export const STATE_OPTIONS: FilterOption<StateFilter>[] = [
  { value: "any", label: "All" },
  { value: "usable", label: "Usable" },
  ...READINESS.map((state) => ({ value: state, label: READINESS_TEXT[state] })),
];
