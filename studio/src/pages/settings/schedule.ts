import type { Params } from "../../api";
import { momentText } from "../../lib/text";

export type Schedule = Params<"cron.add">["schedule"];

const LENGTHS: [string, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** A schedule in words. */
export function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case "at":
      return `Once, ${momentText(Date.parse(schedule.at))}`;
    case "every": {
      const [unit, length] = LENGTHS.find(([, ms]) => schedule.everyMs % ms === 0) ?? ["second", 1000];
      const count = schedule.everyMs / length;
      return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
    }
    case "cron":
      return `${schedule.expr}${schedule.tz ? ` (${schedule.tz})` : ""}`;
  }
}
