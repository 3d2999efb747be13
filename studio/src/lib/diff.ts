// The difference of two texts by lines: the longest common subsequence, with equal heads and tails set aside first.

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

export type ShownLine = DiffLine | { kind: "gap"; count: number };

/** So many cells are compared at most; longer middles are shown as replaced whole. */
const MOST_CELLS = 4_000_000;

export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail += 1;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

function middle(a: string[], b: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (a.length * b.length > MOST_CELLS) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else if (right !== undefined) {
      lines.push(added(right));
      j += 1;
    }
  }
  return lines;
}

/** Only what changed, with `around` lines before and after. Empty if nothing did. */
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
