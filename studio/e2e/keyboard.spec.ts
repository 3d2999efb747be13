// The whole Studio without a mouse: each page's main task, and where the focus is meanwhile.

import { existsSync } from "node:fs";
import { everyState } from "./support/home";
import { activate, focused, tabTo } from "./support/keys";
import { Model } from "./support/model";
import { Registry } from "./support/registry";
import { expect, row, test } from "./support/test";

test("the way around: skip link, pages by keys, the list of keys, and switching them off", async ({
  open,
  page,
}) => {
  await open("/agents/main/skills");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the page" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to the page" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();
  expect(new URL(page.url()).hash).toBe("");

  await page.keyboard.press("Shift+?");
  const keys = page.getByRole("dialog", { name: "Shortcuts" });
  await expect(keys).toBeVisible();
  await expect(keys).toContainText("goes to Forge");
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  await expect(page.locator("#main")).toBeFocused();

  const pages = { p: "Playground", e: "Sessions", t: "Settings", y: "System setup", r: "Registry" };
  for (const [key, title] of Object.entries({ ...pages, c: "Cortex", f: "Forge", s: "Skills" })) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.locator("#main")).toBeFocused();
  }

  await page.keyboard.press("Shift+?");
  await tabTo(page, keys.getByRole("switch", { name: "Single keys" }));
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("heading", { level: 1, name: "Skills" })).toBeVisible();
  await expect(keys).toHaveCount(0);
});

test("a link of the bar gives the focus to its page; the picker of the agent keeps it", async ({
  open,
  page,
}) => {
  await open("/agents/main/skills");
  await activate(page, page.getByRole("link", { name: "System setup", exact: true }));
  await expect(page.getByRole("heading", { name: "System setup" })).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  const bar = page.getByRole("navigation", { name: "Pages" });
  await expect(bar.locator(":focus")).toHaveCount(1);
  await page.getByRole("link", { name: "Skills", exact: true }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("link", { name: "Playground", exact: true })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("link", { name: "Skills", exact: true })).toBeFocused();
  const picker = page.getByRole("combobox", { name: "Agent" });
  await picker.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL(/\/agents\/writer\//);
  await expect(picker).toBeFocused();
});

test("Skills: search, go down the rows, switch one, read why", async ({ open, page, home }) => {
  await open("/agents/main/skills");
  await expect(page.locator(".skill-row")).toHaveCount(9);
  await page.keyboard.press("/");
  await page.keyboard.type("use when");
  await expect(row(page, "hello")).toBeVisible();
  await page.keyboard.press("Escape");
  await tabTo(page, page.getByRole("switch").first());
  const hello = page.getByRole("switch", { name: "Skill hello" });
  for (let step = 0; step < 9 && (await focused(page)) !== "Skill hello"; step += 1)
    await page.keyboard.press("ArrowDown");
  await expect(hello).toBeFocused();
  await page.keyboard.press("Space");
  await expect(hello).toHaveAttribute("aria-checked", "false");
  await expect(hello).toBeFocused();
  await expect.poll(() => home.configText()).toContain('"tidy"');
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "hello" })).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
  // What the scanner found and every rule that decided can be read from here.
  await expect(page.getByRole("heading", { name: "Security" })).toBeVisible();
  await expect(page.getByText("The scanner found nothing.")).toBeVisible();
  await activate(page, page.getByRole("link", { name: "Skills of main" }));
  await expect(row(page, "hello")).toBeFocused();
});

test("System setup: a key is set, a skill is removed and brought back by a message", async ({
  open,
  page,
  home,
}) => {
  await open("/setup?state=any");
  await activate(page, page.getByRole("button", { name: "Set up notes" }));
  await tabTo(page, page.getByLabel("Key (NOTES_TOKEN)"));
  await page.keyboard.type("a-key-of-nobody");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Stored", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Key (NOTES_TOKEN)")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row(page, "notes").locator(":focus")).toHaveCount(1);

  await activate(page, page.getByRole("button", { name: "Configure hello" }));
  await activate(page, page.getByRole("button", { name: "Remove hello" }));
  await expect(page.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(row(page, "hello")).toHaveCount(0);
  await expect(page.locator("#main").locator(":focus")).toHaveCount(1);
  await page.keyboard.press("m");
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row(page, "hello")).toBeVisible();
  expect(existsSync(home.path(".prowess/skills/hello/SKILL.md"))).toBe(true);
});

test("Playground: a message is typed, and its winner opened", async ({ open, page }) => {
  await open("/agents/main/playground");
  await tabTo(page, page.getByLabel("Message"));
  await page.keyboard.type("what will the weather be tomorrow, a forecast please");
  const ranking = page.getByRole("list", { name: "Ranking" });
  await expect(ranking.getByRole("listitem").first()).toContainText("weather");
  await expect(page.getByLabel("Message")).toBeFocused();
  await activate(page, ranking.getByRole("link").first());
  await expect(page.getByRole("heading", { level: 1, name: "weather" })).toBeVisible();
});

test("Settings: tabs, a policy by arrows, a file, an automation", async ({ open, page, home }) => {
  await open("/?settingsAgentId=main");
  const tabs = page.getByRole("navigation", { name: "Settings of main" });
  await activate(page, tabs.getByRole("link", { name: /Capabilities/ }));
  await expect(tabs.getByRole("link", { name: /Capabilities/ })).toBeFocused();
  const exec = page.getByRole("group", { name: "Policy of exec" });
  await tabTo(page, exec.getByRole("radio", { name: "Ask" }));
  await page.keyboard.press("ArrowLeft");
  await expect(exec.getByRole("radio", { name: "Never" })).toBeFocused();
  await expect.poll(() => home.config()).toMatchObject({ tools: { exec: { policy: "deny" } } });
  await expect(exec.getByRole("radio", { name: "Never" })).toBeFocused();

  await activate(page, tabs.getByRole("link", { name: "Behavior" }));
  await activate(page, page.getByRole("button", { name: "SOUL.md" }));
  await tabTo(page, page.getByLabel("Text of SOUL.md"));
  await page.keyboard.type("# Typed");
  await activate(page, page.getByRole("button", { name: "Save SOUL.md" }));
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(home.read("ws/SOUL.md")).toContain("# Typed");
  await expect(page.locator("#main").locator(":focus")).toHaveCount(1);

  await activate(page, tabs.getByRole("link", { name: "Automations" }));
  await activate(page, page.getByRole("button", { name: "Add an automation" }));
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Morning");
  await page.keyboard.press("Tab");
  await page.keyboard.type("What is on today?");
  await tabTo(page, page.getByLabel("Cron expression"));
  await page.keyboard.type("0 8 * * *");
  await page.keyboard.press("Enter");
  const list = page.getByRole("list", { name: "Automations of main" });
  await expect(list).toContainText("Morning");
  await expect(page.getByRole("button", { name: "Add an automation" })).toBeFocused();
  await activate(page, page.getByRole("button", { name: "Delete Morning" }));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No automations yet" })).toBeVisible();
  await expect(page.locator("#main:focus, #main :focus")).toHaveCount(1);
});

test("Cortex: a word and a kind of task are forgotten", async ({ open, page, gateway }) => {
  await gateway.call("cortex.record", {
    skill: "todoist-cli",
    result: "success",
    region: "todo",
    task: "add a todo item",
  });
  await open("/cortex");
  const words = page.getByRole("button", { name: /^Forget the word .* of todo$/ });
  // Counted once they are there: the page asks for them after it is open.
  await expect(words.first()).toBeVisible();
  const before = await words.count();
  await activate(page, words.first());
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(words).toHaveCount(before - 1);
  await expect(page.locator("#main:focus, #main :focus")).toHaveCount(1);
  await activate(page, page.getByRole("button", { name: "Forget the kind of task todo" }));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Forget the kind of task todo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table", { name: "Candidates for todo" })).toHaveCount(0);
  await expect(page.locator("#main:focus, #main :focus")).toHaveCount(1);
});

test.describe("with a registry", () => {
  let registry: Registry;
  test.beforeAll(async () => {
    registry = await Registry.start();
    await registry.publish("chess", "1.0.0", "# Chess\n\nPlay e4.\n");
  });
  test.afterAll(() => registry.drop());
  test.use({ world: { home: () => everyState({ skills: { registry: registry.url } }) } });

  test("Registry: a skill is found, scanned, looked into and installed", async ({ open, page, home }) => {
    await open("/registry");
    await page.keyboard.press("/");
    await page.keyboard.type("chess");
    await activate(page, page.getByRole("button", { name: /^Inspect chess/i }));
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("region", { name: "Security" })).toContainText("Clean");
    await activate(page, dialog.getByRole("button", { name: "Install chess 1.0.0" }));
    await expect(dialog.locator(".note.success")).toBeVisible();
    await expect(dialog.locator(":focus")).toHaveCount(1);
    expect(home.read("ws/skills/chess/SKILL.md")).toContain("Play e4.");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: /^Inspect chess/i })).toBeFocused();
  });
});

const exec = (command: string) => ({ call: { name: "exec", arguments: { command } } });

test.describe("with a model", () => {
  let model: Model;
  test.beforeEach(async () => {
    model = await Model.start([
      exec("sort -t, -k2 ledger.csv > sorted.csv"),
      exec("wc -l sorted.csv | tee count.txt"),
      { call: { name: "write", arguments: { path: "report.md", content: "A report\n" } } },
      exec("grep -c report report.md"),
      { call: { name: "report_outcome", arguments: { result: "success" } } },
      { say: "The report is written." },
    ]);
  });
  test.afterEach(() => model.stop());
  test.use({
    world: {
      home: () => {
        const home = everyState({ models: model.config() });
        home.write("ws/ledger.csv", "b,2\na,1\n");
        return home;
      },
    },
  });

  test("Sessions and Forge: a run is started, each tool is answered, its draft tested and promoted", async ({
    open,
    page,
  }) => {
    await open("/agents/main/sessions");
    await tabTo(page, page.getByLabel("Task for main"));
    await page.keyboard.type("Convert the spreadsheet into a report and sort the invoices by amount");
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(/\/agents\/main\/sessions\/.+/);
    const question = page.getByRole("region", { name: "exec asks" });
    await expect(question).toBeVisible();
    await page.keyboard.press("m");
    await expect(question.getByRole("button", { name: "Allow once" })).toBeFocused();
    await tabTo(page, question.getByRole("button", { name: "Allow exec for this run" }));
    await page.keyboard.press("Enter");
    const writes = page.getByRole("region", { name: "write asks" });
    await expect(writes).toBeVisible();
    await expect(page.locator("#main:focus, #main :focus")).toHaveCount(1);
    await page.keyboard.press("m");
    await expect(writes.getByRole("button", { name: "Allow once" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText("The run ended.");
    await activate(page, page.getByRole("button", { name: "It worked" }));
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText("Rated");

    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await activate(page, page.getByRole("list", { name: "Drafts" }).getByRole("link").first());
    await activate(page, page.getByRole("button", { name: "Test it", exact: true }));
    await activate(page, page.getByRole("button", { name: "Run it in a copy" }));
    await expect(page.getByText("It passed its test.")).toBeVisible();
    await activate(page, page.getByRole("button", { name: "Promote it" }));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Version 1 is in use.").first()).toBeVisible();
    await expect(page.locator("#main:focus, #main :focus")).toHaveCount(1);

    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await activate(page, page.getByRole("list", { name: "Sessions of main" }).getByRole("link").first());
    await activate(page, page.getByRole("button", { name: "Delete the session" }));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "main has no sessions yet" })).toBeVisible();
    await expect(page.locator("#main:focus, #main :focus")).toHaveCount(1);
  });
});
