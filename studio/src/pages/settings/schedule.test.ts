import { expect, it } from "vitest";
import { fieldsOf, scheduleOf } from "./JobDialog";
import { scheduleText } from "./schedule";

it("says a schedule in words", () => {
  expect(scheduleText({ kind: "every", everyMs: 3_600_000 })).toBe("Every hour");
  expect(scheduleText({ kind: "every", everyMs: 5_400_000 })).toBe("Every 90 minutes");
  expect(scheduleText({ kind: "cron", expr: "0 9 * * 1-5", tz: "Europe/Berlin" })).toBe(
    "0 9 * * 1-5 (Europe/Berlin)",
  );
});

it("gives back the schedule that it was given", () => {
  for (const schedule of [
    { kind: "every", everyMs: 172_800_000 },
    { kind: "every", everyMs: 5_400_000 },
    { kind: "cron", expr: "*/5 * * * *", tz: "UTC" },
    { kind: "at", at: "2026-12-24T18:00:00.000Z" },
  ] as const)
    expect(scheduleOf(schedule.kind, fieldsOf(schedule))).toEqual(schedule);
});

it("means nothing while a field is empty", () => {
  expect(scheduleOf("cron", fieldsOf(undefined))).toBeUndefined();
  expect(scheduleOf("at", fieldsOf(undefined))).toBeUndefined();
  expect(scheduleOf("every", { ...fieldsOf(undefined), count: "0" })).toBeUndefined();
});
