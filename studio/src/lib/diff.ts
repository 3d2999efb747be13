// The difference of two texts by lines, with a few lines around each change.

import { diffArrays } from "diff";

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

export type ShownLine = DiffLine | { kind: "gap"; count: number };

export function diffLines(before: string, after: string): DiffLine[] {
  return diffArrays(before.split("\n"), after.split("\n")).flatMap(({ added, removed, value }) => {
    const kind: DiffLine["kind"] = added ? "added" : removed ? "removed" : "same";
    return value.map((text) => ({ kind, text }));
  });
}

/** The changed lines with `around` lines before and after. Empty if nothing changed. */
export function withContext(lines: DiffLine[], around: number): ShownLine[] {
  const keep = new Set<number>();
  lines.forEach((line, index) => {
    if (line.kind === "same") return;
    for (let near = index - around; near <= index + around; near += 1) keep.add(near);
  });
  if (keep.size === 0) return [];
  const shown: ShownLine[] = [];
  let skipped = 0;
  const flush = () => {
    if (skipped > 0) shown.push({ kind: "gap", count: skipped });
    skipped = 0;
  };
  lines.forEach((line, index) => {
    if (!keep.has(index)) {
      skipped += 1;
      return;
    }
    flush();
    shown.push(line);
  });
  flush();
  return shown;
}
