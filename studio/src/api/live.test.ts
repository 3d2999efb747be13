import { expect, it } from "vitest";
import { makesOld } from "./live";

it("knows which answers an event makes old", () => {
  expect(makesOld("skills.changed", "skills.status")).toBe(true);
  expect(makesOld("skills.changed", "config.schema")).toBe(false);
  expect(makesOld("config.changed", "agents.list")).toBe(true);
  expect(makesOld("tick", "skills.status")).toBe(false);
});
