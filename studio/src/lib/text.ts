// Small things about texts and times.

/** The line, counted from one, of a byte in a text. */
export function lineAt(text: string, byte: number): number {
  const bytes = new TextEncoder().encode(text).subarray(0, byte);
  let line = 1;
  for (const one of bytes) if (one === 10) line += 1;
  return line;
}

/** A skill's file in two: the settings at its top, without their fences, and what the model reads. */
export function splitFrontmatter(text: string): { settings: string; body: string } {
  const match = /^﻿?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { settings: "", body: text };
  return { settings: match[1] ?? "", body: text.slice(match[0].length) };
}

/** A size for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A moment for people, from milliseconds since 1970. */
export function momentText(ms: number): string {
  return MOMENT.format(new Date(ms));
}

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** The distance of a time from now: `3 minutes ago`, `in 2 days`. */
export function fromNow(ms: number, now = Date.now()): string {
  const distance = ms - now;
  for (const [unit, length] of UNITS)
    if (Math.abs(distance) >= length) return RELATIVE.format(Math.round(distance / length), unit);
  return RELATIVE.format(Math.round(distance / 1000), "second");
}
