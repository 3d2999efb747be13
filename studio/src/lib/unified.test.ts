import { describe, expect, it } from "vitest";
import { unifiedLines } from "./unified";

describe("a unified difference", () => {
  it("tells headings from lines that look like them", () => {
    const kinds = unifiedLines("--- a/x\n+++ b/x\n@@ -1 +1 @@\n ---\n-old\n+---\n+new\n--- gone\n").map(
      (line) => `${line.kind} ${line.text}`,
    );
    expect(kinds).toEqual([
      "heading --- a/x",
      "heading +++ b/x",
      "heading @@ -1 +1 @@",
      "same ---",
      "removed old",
      "added ---",
      "added new",
      "removed -- gone",
    ]);
  });

  it("takes a bare name as a heading", () => {
    expect(unifiedLines("skill/SKILL.md\n+a")[0]).toEqual({ kind: "heading", text: "skill/SKILL.md" });
  });
});
