import { describe, expect, it } from "vitest";
import { diffLines, withContext } from "./diff";

const shown = (before: string, after: string) =>
  withContext(diffLines(before, after), 1).map((line) =>
    line.kind === "gap"
      ? `…${line.count}`
      : `${{ same: " ", added: "+", removed: "-" }[line.kind]}${line.text}`,
  );

describe("diff", () => {
  it("is empty for equal texts", () => {
    expect(shown("a\nb", "a\nb")).toEqual([]);
  });

  it("shows a change with what is around it", () => {
    expect(shown("1\n2\n3\n4\n5", "1\n2\nx\n4\n5")).toEqual(["…1", " 2", "-3", "+x", " 4", "…1"]);
  });

  it("finds lines that came and went in different places", () => {
    expect(shown("a\nb\nc\nd", "b\nc\nnew\nd")).toEqual(["-a", " b", " c", "+new", " d"]);
  });

  it("gives back both texts", () => {
    const before = "a\nb\nc\na\nb";
    const after = "c\na\nb\nb\nd";
    const lines = diffLines(before, after);
    const side = (out: string) =>
      lines
        .filter((line) => line.kind !== out)
        .map((line) => line.text)
        .join("\n");
    expect(side("added")).toBe(before);
    expect(side("removed")).toBe(after);
  });
});
