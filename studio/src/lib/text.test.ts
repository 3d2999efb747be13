import { expect, it } from "vitest";
import { fromNow, lineAt, sizeText, splitFrontmatter } from "./text";

it("counts lines by bytes", () => {
  expect(lineAt("a\nä\nb", 0)).toBe(1);
  expect(lineAt("a\nä\nb", 2)).toBe(2);
  expect(lineAt("a\nä\nb", 5)).toBe(3);
});

it("splits a skill's file", () => {
  expect(splitFrontmatter("---\nname: x\n---\nHello")).toEqual({ settings: "name: x", body: "Hello" });
  expect(splitFrontmatter("no settings")).toEqual({ settings: "", body: "no settings" });
});

it("writes sizes and distances", () => {
  expect(sizeText(12)).toBe("12 B");
  expect(sizeText(2048)).toBe("2.0 kB");
  expect(fromNow(1000, 1000 + 7_200_000)).toMatch(/2 hours ago/);
});
