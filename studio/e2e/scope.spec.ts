// Scope clarity: what is per agent, what is for all.

import { everyState } from "./support/home";
import { Model } from "./support/model";
import { expect, row, test } from "./support/test";

test("S1 the page of an agent says that switches change one named agent; System setup says all agents", async ({
  open,
  page,
}) => {
  await open("/agents/writer/skills");
  const head = page.locator(".page-head");
  await expect(head).toContainText("What Writer can use. The switches change this agent only");
  await expect(head.locator(".scope-badge")).toHaveText("Agent Writer");
  await open("/setup");
  await expect(head).toContainText("Changes here affect all agents");
  await expect(head.locator(".scope-badge")).toHaveText("All agents");
  const rail = page.getByRole("navigation", { name: "Pages" });
  await expect(
    rail.getByRole("region", { name: "One agent" }).getByRole("link", { name: "Skills" }),
  ).toBeVisible();
  await expect(
    rail.getByRole("region", { name: "All agents" }).getByRole("link", { name: "System setup" }),
  ).toBeVisible();
});

test("S2 the list of an agent is about access: it warns of no install target", async ({ open, page }) => {
  await open("/agents/writer/skills");
  await expect(page.locator(".skill-row").first()).toBeVisible();
  await expect(page.locator("#main")).not.toContainText("default agent");
});

test("S2 the install target is the workspace that is really used, with a warning off the default agent", async ({
  open,
  page,
  home,
}) => {
  // The same skill in the workspace of another agent would install something else.
  const other = {
    id: "npm",
    kind: "node",
    package: "of-the-writer",
    bins: ["moothing"],
    label: "Another (npm)",
  };
  home.skill("writer", "moo", { requires: { bins: ["moothing"] }, install: [other] });
  home.program("npm", "true");
  await open("/setup");
  const target = page.locator("#main .note").filter({ hasText: "default agent main" });
  await expect(target).toContainText(home.workspace);
  await expect(target).not.toContainText("not the default agent");
  await open("/setup?skill=moo&agent=writer");
  await expect(target).toContainText(home.workspace);
  await expect(target).toContainText("You are viewing Writer, not the default agent");
  await expect(page.getByRole("region", { name: "Commands" })).toHaveText(/npm install .*moothing$/);
});

test("S3 a row shows its source; a shadowed copy is there with its path", async ({ open, page, home }) => {
  await open("/agents/main/skills");
  await expect(row(page, "hello").getByText("Managed", { exact: true })).toBeVisible();
  await expect(row(page, "shipped").getByText("Bundled", { exact: true })).toBeVisible();
  const weather = row(page, "weather");
  await expect(weather.getByText("Workspace", { exact: true })).toBeVisible();
  await expect(weather.getByText("hides a copy")).toBeVisible();
  await expect(weather.locator(".skill-copy")).toHaveText(
    `Hidden copy: Bundled, ${home.path("bundled/weather/SKILL.md")}`,
  );
  await expect(row(page, "hello").locator(".skill-copy")).toHaveCount(0);
});

test("S4 all, selected and none are shown and written: no key, a list, an empty list", async ({
  open,
  page,
  home,
}) => {
  const skills = () => {
    const list = (home.config().agents as { list: { id: string; skills?: string[] }[] }).list;
    return list.find((agent) => agent.id === "writer")?.skills;
  };
  await open("/agents/writer/skills");
  const access = page.getByRole("region", { name: "Access of Writer" });
  await expect(access.locator(".chip")).toHaveText("All skills");
  await access.getByRole("button", { name: "None" }).click();
  await expect(access.locator(".chip")).toHaveText("No skills");
  expect(skills()).toEqual([]);
  await access.getByRole("button", { name: "Use all" }).click();
  await expect(access.locator(".chip")).toHaveText("All skills");
  expect(skills()).toBeUndefined();
  await page.getByRole("switch", { name: "Skill hello" }).click();
  await expect(access.locator(".chip")).toHaveText("Selected skills");
  expect(skills()).not.toContain("hello");
  expect(skills()).toContain("tidy");
  await access.getByRole("button", { name: "Back to all" }).click();
  await expect(access.locator(".chip")).toHaveText("All skills");
  expect(skills()).toBeUndefined();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(access.locator(".chip")).toHaveText("Selected skills");
  expect(skills()).not.toContain("hello");
});

test("S5 a switch leaves every other agent byte-identical and never writes skills.entries", async ({
  open,
  page,
  home,
}) => {
  const before = home.agentText("main");
  const entries = (home.config().skills as { entries: object }).entries;
  await open("/agents/writer/skills");
  const toggle = page.getByRole("switch", { name: "Skill hello" });
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-checked", "false");
  await expect(page.getByText("Selected skills")).toBeVisible();
  expect(home.agentText("main")).toBe(before);
  expect(home.configText()).toContain("// Two agents that work in places of their own.");
  expect((home.config().skills as { entries: object }).entries).toEqual(entries);
});

test.describe("with a turn that is running", () => {
  let model: Model;
  let finish: () => void;
  test.beforeAll(async () => {
    model = await Model.start([{ say: "At last.", wait: new Promise((resolve) => (finish = resolve)) }]);
  });
  test.afterAll(() => model.stop());
  test.use({ world: { home: () => everyState({ models: model.config() }) } });

  test("S6 changes apply from the next turn, and a running turn with older skills is told", async ({
    open,
    page,
    gateway,
  }) => {
    await open("/agents/main/skills");
    const access = page.getByRole("region", { name: "Access of main" });
    await expect(access).toContainText("Changes apply from the next turn.");
    await expect(access).not.toContainText("the earlier skills");
    await gateway.call("runs.start", { agentId: "main", message: "Please say something." });
    await expect.poll(() => model.requests.length).toBe(1);
    await page.getByRole("switch", { name: "Skill hello" }).click();
    await expect(access).toContainText("1 running turn still uses the earlier skills.");
    finish();
    await expect(access).not.toContainText("the earlier skills");
  });
});
