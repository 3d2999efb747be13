// A difference as text in the unified format, line by line.

export type UnifiedKind = "added" | "removed" | "same" | "heading";

export interface UnifiedLine {
  kind: UnifiedKind;
  text: string;
}

/** The lines of a difference. What has no sign of its own names a file or a place in it. */
export function unifiedLines(diff: string): UnifiedLine[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  return lines.map((line, index) => {
    const isFile =
      (line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ ")) ||
      (line.startsWith("+++ ") && lines[index - 1]?.startsWith("--- "));
    if (isFile) return { kind: "heading", text: line };
    if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
    if (line === "" || line.startsWith(" ")) return { kind: "same", text: line.slice(1) };
    return { kind: "heading", text: line };
  });
}
