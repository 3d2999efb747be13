// The settings of an agent, tab by tab.

import { existsSync } from "node:fs";
import { activate } from "./support/keys";
import { expect, row, test } from "./support/test";
import { Wire } from "./support/wire";

const tab = (name: string) => `/?settingsAgentId=main&tab=${name}`;

test("Behavior: the model and a file are saved; a file that changed meanwhile is not overwritten", async ({
  open,
  page,
  home,
}) => {
  await open(`${tab("behavior")}&file=AGENTS.md`);
  await page.getByLabel("Model that answers for main").fill("ollama/qwen3");
  await page.getByRole("button", { name: "Save the model" }).click();
  await expect.poll(() => home.configText()).toContain("ollama/qwen3");
  expect(home.agentText("writer")).not.toContain("qwen3");
  const editor = page.getByLabel("Text of AGENTS.md");
  await editor.fill("# Mine\n");
  await page.getByRole("button", { name: "Save AGENTS.md" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(home.read("ws/AGENTS.md")).toBe("# Mine\n");
  await editor.fill("# Mine too\n");
  home.write("ws/AGENTS.md", "# Theirs\n");
  await page.getByRole("button", { name: "Save AGENTS.md" }).click();
  await expect(page.getByText("changed since you began")).toBeVisible();
  expect(home.read("ws/AGENTS.md")).toBe("# Theirs\n");
  await page.getByRole("button", { name: "Use the version on disk" }).click();
  await expect(editor).toHaveValue("# Theirs\n");
});

test("Behavior: errors of both actions are told where they happened", async ({ open, page }) => {
  const wire = await Wire.tap(page);
  await open(`${tab("behavior")}&file=SOUL.md`);
  wire.refuse("agents.update", "the disk is full");
  await page.getByLabel("Model that answers for main").fill("ollama/qwen3");
  await page.getByRole("button", { name: "Save the model" }).click();
  await expect(page.getByRole("alert")).toContainText("The model was not saved");
  wire.refuse("agents.files.set", "the folder is gone");
  await page.getByLabel("Text of SOUL.md").fill("# Text\n");
  await page.getByRole("button", { name: "Save SOUL.md" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "the folder is gone" })).toBeVisible();
  await expect(page.getByLabel("Text of SOUL.md")).toHaveValue("# Text\n");
});

test("Capabilities: a policy is written; a refused one stays what it was", async ({ open, page, home }) => {
  const wire = await Wire.tap(page);
  await open(tab("capabilities"));
  const exec = page.getByRole("group", { name: "Policy of exec" });
  await expect(exec.getByRole("radio", { name: "Ask" })).toBeChecked();
  await exec.getByText("Never").click();
  await expect(exec.getByRole("radio", { name: "Never" })).toBeChecked();
  await expect.poll(() => home.config()).toMatchObject({ tools: { exec: { policy: "deny" } } });
  wire.refuse("config.patch", "the disk is full");
  await page.getByRole("group", { name: "Policy of write" }).getByText("Allow").click();
  await expect(page.getByRole("alert")).toContainText("The policy of write was not changed");
  await expect(
    page.getByRole("group", { name: "Policy of write" }).getByRole("radio", { name: "Ask" }),
  ).toBeChecked();
});

test("Skills and System setup are tabs, too, with their scope", async ({ open, page }) => {
  await open(tab("skills"));
  await expect(page.getByRole("switch", { name: "Skill hello" })).toBeVisible();
  await expect(page.locator(".scope-badge")).toHaveText("Agent main");
  await page
    .getByRole("navigation", { name: "Settings of main" })
    .getByRole("link", { name: /System setup/ })
    .click();
  await expect(page.getByRole("button", { name: "Set up notes" })).toBeVisible();
  await expect(page.locator(".scope-badge")).toHaveText("All agents");
});

const TABS = ["Behavior", "Capabilities", "Skills", "System setup", "Automations", "Devices", "Advanced"];

for (const [device, size] of [
  ["screen", { width: 1280, height: 860 }],
  ["phone", { width: 390, height: 780 }],
] as const)
  test(`S7 on a ${device}: from Skills and System setup every other tab is one step away`, async ({
    open,
    page,
  }) => {
    await page.setViewportSize(size);
    const tabs = page.getByRole("navigation", { name: "Settings of main" });
    const link = (name: string) => tabs.getByRole("link", { name: new RegExp(`^${name}`) });
    const inSettings = async (name: string) => {
      await expect(page).toHaveURL(/\/\?(.*&)?settingsAgentId=main/);
      await expect(link(name)).toHaveAttribute("aria-current", "page");
      await expect(link(name)).toBeInViewport();
    };
    for (const from of ["Skills", "System setup"]) {
      await open(tab(from === "Skills" ? "skills" : "setup"));
      for (const to of TABS.filter((other) => other !== from)) {
        await inSettings(from);
        await link(to).click();
        await inSettings(to);
        await link(from).click();
      }
    }
  });

test("S7: the way through a skill, its page and its setup stays in the settings", async ({ open, page }) => {
  await open(tab("skills"));
  const tabs = page.getByRole("navigation", { name: "Settings of main" });
  await row(page, "notes").getByRole("link", { name: "Open System setup" }).click();
  await expect(page).toHaveURL(/\/\?settingsAgentId=main&tab=setup&skill=notes/);
  await expect(page.getByRole("dialog", { name: /notes/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(tabs.getByRole("link", { name: "Automations" })).toBeVisible();

  await tabs.getByRole("link", { name: "Skills" }).click();
  await page.getByRole("combobox", { name: "Access" }).selectOption("denied");
  await expect(page).toHaveURL(/access=denied/);
  await expect(row(page, "notes")).toHaveCount(0);
  await page.getByRole("combobox", { name: "Access" }).selectOption("any");
  await row(page, "notes").getByRole("link", { name: "notes", exact: true }).click();
  await expect(page.getByRole("heading", { name: "notes", level: 1 })).toBeVisible();
  await page.getByRole("link", { name: "Skills of main" }).click();
  await expect(tabs.getByRole("link", { name: "Skills" })).toHaveAttribute("aria-current", "page");
  await expect(tabs.getByRole("link", { name: "Advanced" })).toBeVisible();
  await row(page, "notes").getByRole("link", { name: "notes", exact: true }).click();
  await page.getByRole("link", { name: "Open System setup" }).click();
  await expect(tabs.getByRole("link", { name: /System setup/ })).toHaveAttribute("aria-current", "page");

  // Outside of the settings nothing leads into them, and the addresses of the seed work.
  await open("/agents/main/skills");
  await row(page, "notes").getByRole("link", { name: "Open System setup" }).click();
  await expect(page).toHaveURL(/\/setup\?skill=notes&agent=main/);
  await open("/agents/main/settings?tab=setup");
  await expect(page).toHaveURL(/\/\?(tab=setup&settingsAgentId=main|settingsAgentId=main&tab=setup)$/);
  await expect(tabs.getByRole("link", { name: "Advanced" })).toBeVisible();
});

test("S7 by keys: to Skills, to System setup, to Advanced", async ({ open, page }) => {
  await open(tab("behavior"));
  const tabs = page.getByRole("navigation", { name: "Settings of main" });
  for (const name of ["Skills", "System setup", "Automations", "Skills", "Advanced"]) {
    const link = tabs.getByRole("link", { name: new RegExp(`^${name}`) });
    await activate(page, link);
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(link).toBeFocused();
  }
});

test("Automations: empty, refused, added, run, edited, switched off, deleted", async ({
  open,
  page,
  gateway,
}) => {
  await open(tab("automations"));
  await expect(page.getByRole("heading", { name: "No automations yet" })).toBeVisible();
  await page.getByRole("button", { name: "Add an automation" }).click();
  await page.getByLabel("Name").fill("Evening");
  await page.getByLabel("Message").fill("Say good night");
  await page.getByLabel("Cron expression").fill("bad");
  await page.getByRole("button", { name: "Create automation" }).click();
  await expect(page.getByRole("alert")).toContainText("The automation was not saved");
  await page.getByLabel("Cron expression").fill("0 22 * * *");
  await page.getByRole("button", { name: "Create automation" }).click();
  const list = page.getByRole("list", { name: "Automations of main" });
  await expect(list).toContainText("Say good night");
  const { jobs } = await gateway.call<{ jobs: { name: string; agentId?: string }[] }>("cron.list");
  expect(jobs).toMatchObject([{ name: "Evening", agentId: "main" }]);
  await page.getByRole("button", { name: "Edit Evening" }).click();
  await page.getByLabel("Message").fill("Say good morning");
  await page.getByRole("button", { name: "Save the automation" }).click();
  await expect(list).toContainText("Say good morning");
  // No model is set, so the run fails, and says why.
  await page.getByRole("button", { name: "Run now: Evening" }).click();
  await expect(list.getByText("Last: error")).toBeVisible();
  await page.getByRole("button", { name: "Runs: Evening" }).click();
  await expect(list.getByRole("cell", { name: /error/ })).toBeVisible();
  await page.getByRole("switch", { name: "Automation Evening" }).click();
  await expect(page.getByRole("switch", { name: "Automation Evening" })).toHaveAttribute(
    "aria-checked",
    "false",
  );
  await page.getByRole("button", { name: "Delete Evening" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expect(page.getByRole("heading", { name: "No automations yet" })).toBeVisible();
});

test("Advanced: a mistake is refused with its place, and nothing is written", async ({
  open,
  page,
  home,
}) => {
  const before = home.configText();
  await open(tab("advanced"));
  const editor = page.getByLabel("Text of the config file");
  const config = JSON.parse(await editor.inputValue()) as Record<string, unknown>;
  await editor.fill(JSON.stringify({ ...config, run: { maxRequests: "many" } }, null, 2));
  await page.getByRole("button", { name: "Show the changes" }).click();
  await expect(page.getByLabel("Your changes")).toContainText("maxRequests");
  await page.getByRole("button", { name: "Save the config" }).click();
  await expect(page.getByRole("alert")).toContainText("The config was not saved");
  await expect(page.getByRole("alert")).toContainText("maxRequests");
  expect(home.configText()).toBe(before);
  await page.getByRole("button", { name: "Discard the changes" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(existsSync(home.configFile)).toBe(true);
});
