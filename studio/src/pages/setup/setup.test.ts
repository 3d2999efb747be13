import { expect, it } from "vitest";
import type { SkillStatus } from "../../api";
import { byEase, effort, usefulOptions } from "./ease";
import { progressText } from "./installs";

const NOTHING = { bins: [], anyBins: [], env: [], config: [], os: [] };
const option = (id: string, bins: string[]) => ({ id, kind: "brew", label: id, bins });
const skill = (part: Partial<SkillStatus>) =>
  ({ name: "a", missing: NOTHING, install: [], ...part }) as unknown as SkillStatus;

it("offers what brings something that is missing", () => {
  const install = [option("x", ["x"]), option("any", []), option("y", ["y"])] as SkillStatus["install"];
  const needing = skill({ missing: { ...NOTHING, bins: ["x"] }, install });
  expect(usefulOptions(needing).map(({ id }) => id)).toEqual(["x", "any"]);
  expect(usefulOptions(skill({ install }))).toEqual([]);
});

it("puts the easiest first", () => {
  const install = [option("x", ["x"])] as SkillStatus["install"];
  const oneClick = skill({ name: "c", missing: { ...NOTHING, bins: ["x"] }, install });
  const byHand = skill({ name: "a", missing: { ...NOTHING, bins: ["x"] } });
  const key = skill({ name: "b", missing: { ...NOTHING, env: ["K"] }, primaryEnv: "K" });
  expect([byHand, oneClick, key].sort(byEase).map(({ name }) => name)).toEqual(["b", "c", "a"]);
  expect(effort(skill({ missing: { ...NOTHING, env: ["OTHER"] } }))).toBeGreaterThan(effort(key));
});

it("writes what an installer does", () => {
  const note = { name: "a", installId: "x" };
  expect(progressText({ ...note, kind: "command", text: "brew install x" })).toBe("$ brew install x\n");
  expect(progressText({ ...note, kind: "output", text: "half a li" })).toBe("half a li");
  expect(progressText({ ...note, kind: "received", received: 2048, total: 4096 })).toBe("2.0 kB of 4.0 kB\n");
});
