// The settings of an agent, tab by tab.

import { existsSync } from "node:fs";
import { expect, test } from "./support/test";
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
