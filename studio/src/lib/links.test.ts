import { expect, it } from "vitest";
import { isSafeLink } from "./links";

it("sends nobody to a script", () => {
  expect(isSafeLink("https://example.org")).toBe(true);
  expect(isSafeLink("mailto:a@example.org")).toBe(true);
  expect(isSafeLink("javascript:alert(1)")).toBe(false);
  expect(isSafeLink(" javascript:alert(1)")).toBe(false);
  expect(isSafeLink("data:text/html,x")).toBe(false);
  expect(isSafeLink("references/a.md")).toBe(false);
});
