// Every page: clean for axe in light and dark, whole at phone width, every control reached by keyboard. Screenshots
// are for people to look at.

import { mkdirSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { Gateway } from "./support/gateway";
import { everyState } from "./support/home";
import { Model } from "./support/model";
import { Registry } from "./support/registry";
import { expect, type Page, test } from "./support/test";

const SHOTS = "../target/studio-shots";
const TASK = "Convert the spreadsheet into a report and sort the invoices by amount";

let model: Model;
let registry: Registry;
let gateway: Gateway;
let session = "";
let draft = "";

const exec = (command: string) => ({ call: { name: "exec", arguments: { command } } });

test.beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  model = await Model.start([
    exec("sort -t, -k2 ledger.csv > sorted.csv"),
    exec("wc -l sorted.csv | tee count.txt"),
    { call: { name: "write", arguments: { path: "report.md", content: "A report\n" } } },
    exec("grep -c report report.md"),
    { call: { name: "report_outcome", arguments: { result: "success" } } },
    { say: "The report is written." },
  ]);
  registry = await Registry.start();
  await registry.publish("chess", "1.0.0", "# Chess\n\nPlay e4.\n");
  await registry.publish("checkers", "1.0.0", "# Checkers\n");
  const home = everyState({
    models: model.config(),
    tools: { exec: { policy: "allow" }, write: { policy: "allow" } },
    skills: { registry: registry.url, entries: { quiet: { enabled: false } } },
  });
  home.write("ws/ledger.csv", "b,2\na,1\n");
  home.program("npm", "true");
  gateway = await Gateway.start(home);
  for (const result of ["success", "success", "task_mismatch", "success"])
    await gateway.call("cortex.record", {
      skill: "todoist-cli",
      result,
      region: "todo",
      task: "add a todo item",
    });
  for (let time = 0; time < 3; time += 1)
    await gateway.call("cortex.record", {
      skill: "pdf",
      result: "dependency_missing",
      key: "pdftotext",
      region: "pdf",
      task: "read a pdf",
    });
  const run = await gateway.call<{ runId: string; session: string }>("runs.start", {
    agentId: "main",
    message: TASK,
  });
  await gateway.call("runs.wait", { runId: run.runId });
  session = run.session;
  const { drafts } = await gateway.call<{ drafts: { name: string }[] }>("forge.list");
  draft = drafts[0]?.name ?? "";
  await gateway.call("skills.install", { source: "clawhub", slug: "chess" });
  await gateway.call("cron.add", {
    name: "Morning",
    agentId: "main",
    enabled: true,
    schedule: { kind: "cron", expr: "0 8 * * *" },
    sessionTarget: "isolated",
    payload: { kind: "agentTurn", message: "What is on today?" },
  });
});
test.afterAll(async () => {
  model.stop();
  await gateway.drop();
  await registry.drop();
});

const settings = (tab: string) => `/?settingsAgentId=main&tab=${tab}`;

/** Name of the page, its address, and what is there when it is whole. */
const PAGES: [name: string, path: () => string, whole: string][] = [
  ["skills", () => "/agents/main/skills", ".skill-row"],
  ["skill", () => "/agents/main/skills/weather", ".why li"],
  ["setup", () => "/setup", ".setup-row"],
  ["configure-key", () => "/setup?skill=notes", "dialog .key-line"],
  ["configure-install", () => "/setup?skill=moo", "dialog .command"],
  ["playground", () => "/agents/main/playground?message=will+it+rain+tomorrow", ".rank-row"],
  ["sessions", () => "/agents/main/sessions", ".session-row"],
  ["session", () => `/agents/main/sessions/${session}`, ".timeline .moment"],
  ["registry", () => "/registry?q=play", ".found-row"],
  ["registry-skill", () => "/registry?skill=checkers", "dialog .consent"],
  ["registry-installed", () => "/registry?tab=installed", ".found-row"],
  ["cortex", () => "/cortex", ".plot canvas"],
  ["cortex-lessons", () => "/cortex?tab=lessons", ".lesson-row"],
  ["forge", () => "/forge", ".draft-row"],
  ["forge-draft", () => `/forge?draft=${draft}`, ".draft-columns .decide"],
  ["settings-behavior", () => settings("behavior"), "textarea"],
  ["settings-capabilities", () => settings("capabilities"), ".tool-row"],
  ["settings-skills", () => settings("skills"), ".skill-row"],
  ["settings-setup", () => settings("setup"), ".setup-row"],
  ["settings-automations", () => settings("automations"), ".job-row"],
  ["settings-devices", () => settings("devices"), ".tool-row"],
  ["settings-advanced", () => settings("advanced"), "textarea.config"],
];

for (const [name, path, whole] of PAGES)
  test(`${name}: axe, light, dark, phone, keyboard`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(gateway.at(path()));
    await page.locator(whole).first().waitFor();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await page.screenshot({ path: `${SHOTS}/${name}-light.png`, fullPage: true });
    await expectClean(page, "light");
    await expectReachable(page);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.screenshot({ path: `${SHOTS}/${name}-dark.png`, fullPage: true });
    await expectClean(page, "dark", (axe) => axe.withRules(["color-contrast"]));
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: `${SHOTS}/${name}-phone.png`, fullPage: true });
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(tooWide, "nothing is wider than a phone").toBeLessThanOrEqual(1);
    await expectClean(page, "phone", (axe) => axe.disableRules(["color-contrast"]));
  });

test("the page that asks for a token, and one that does not exist, are clean", async ({ page }) => {
  await page.goto(`${gateway.url}/`);
  await expect(page.getByLabel("Token of the gateway")).toBeVisible();
  await page.screenshot({ path: `${SHOTS}/connect-light.png` });
  await expectClean(page, "connect");
  await page.goto(gateway.at("/no/such/page"));
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expectClean(page, "nowhere");
});

test("the list of keys and the dialog of an import are clean", async ({ page }) => {
  await page.goto(gateway.at("/cortex"));
  await page.getByRole("button", { name: "Shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await expectClean(page, "keys");
  await page.screenshot({ path: `${SHOTS}/keys-light.png` });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByLabel("Exported file")).toBeFocused();
  await expectClean(page, "import");
});

test("at phone width the menu opens, leads on, and closes", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(gateway.at("/agents/main/skills"));
  await expect(page.locator(".skill-row").first()).toBeVisible();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Agent" })).toBeFocused();
  await expectClean(page, "menu");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Menu", exact: true })).toBeFocused();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("link", { name: "System setup", exact: true }).click();
  await expect(page.getByRole("heading", { name: "System setup" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Menu", exact: true })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
});

/** What axe finds, in a form that can be read in the output of a test. Colours are looked at once for each theme. */
async function expectClean(page: Page, look: string, only = (axe: AxeBuilder) => axe): Promise<void> {
  const { violations } = await only(new AxeBuilder({ page }).setLegacyMode()).analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join("\n  ")}`,
  );
  expect(found, look).toEqual([]);
}

/** Goes through the page with Tab and expects to come by every control that can be seen. */
async function expectReachable(page: Page): Promise<void> {
  const controls = "a[href], button:enabled, select, textarea, input:not([type=radio]), summary";
  const inside = (await page.locator("dialog[open]").count()) > 0 ? "dialog[open] " : "";
  const scope = controls
    .split(", ")
    .map((one) => `${inside}${one}:visible`)
    .join(", ");
  const count = await page.locator(scope).count();
  for (let step = 0; step < count + 20; step += 1) {
    await page.keyboard.press("Tab");
    const isNew = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      if (!element || element === document.body) return true;
      const seen = element.dataset.tabbed !== undefined;
      element.dataset.tabbed = "";
      return !seen;
    });
    if (!isNew && step > count) break;
  }
  const missed = await page
    .locator(scope)
    .evaluateAll((all) =>
      all.filter((one) => !one.hasAttribute("data-tabbed")).map((one) => one.outerHTML.slice(0, 160)),
    );
  expect(missed, "every control is reached with Tab").toEqual([]);
  // No ring on the pictures that follow.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}
