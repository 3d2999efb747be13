// Action safety: which action is harmless, which installs, which deletes.

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, row, test } from "./support/test";
import { Wire } from "./support/wire";

/** A fake npm that says what it does, waits to be told to go on, and brings the program or fails. */
const NPM = (home: { root: string; bin: string }) => `
echo "npm says: $*"
echo "fetching part 1"
while [ ! -e "${home.root}/go" ]; do sleep 0.05; done
rm "${home.root}/go"
echo "a remark" >&2
if [ -e "${home.root}/fail" ]; then rm "${home.root}/fail"; echo "npm ERR! no such package" >&2; exit 1; fi
printf '#!/bin/sh\\n' > "${home.bin}/moothing"; chmod +x "${home.bin}/moothing"`;

test("A1 set-up, removal and access have places of their own; remove is never beside save", async ({
  open,
  page,
}) => {
  await open("/setup?skill=notes");
  const dialog = page.getByRole("dialog");
  const zone = dialog.getByRole("region", { name: "Remove" });
  await expect(zone.getByRole("button")).toHaveText(["Remove notes"]);
  await expect(zone.getByRole("textbox")).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: "Save the key" })).toBeVisible();
  await expect(dialog.getByRole("switch", { name: "Skill notes", exact: true })).toHaveCount(0);
  // Between the two stands the switch for all agents, a section of its own.
  const order = await dialog.locator("section").evaluateAll((all) => all.map((one) => one.textContent ?? ""));
  const place = (text: string) => order.findIndex((one) => one.includes(text));
  expect(place("Remove notes") - place("Save the key")).toBeGreaterThan(1);
  await open("/agents/main/skills");
  await expect(
    page.locator("#main").getByRole("button", { name: /remove|install|save|delete/i }),
  ).toHaveCount(0);
});

test("A2 only managed and workspace skills can be removed, after a question that names folder and agents", async ({
  open,
  page,
  home,
  gateway,
}) => {
  await open("/setup?state=any&skill=shipped");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByRole("region", { name: "Remove" })).toHaveCount(0);
  await open("/setup?state=any&skill=hello");
  await page.getByRole("button", { name: "Remove hello" }).click();
  const question = page.getByRole("dialog", { name: "Remove hello?" });
  await expect(question).toContainText(home.path(".prowess/skills/hello"));
  await expect(question).toContainText("It is gone for main and Writer");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(existsSync(home.path(".prowess/skills/hello/SKILL.md"))).toBe(true);
  await open("/setup?state=any&skill=weather");
  await page.getByRole("button", { name: "Remove weather" }).click();
  const other = page.getByRole("dialog", { name: "Remove weather?" });
  await expect(other).toContainText("It is gone for main,");
  await expect(other).toContainText(home.path("bundled/weather/SKILL.md"));

  const outside = home.path("outside/SKILL.md");
  home.write("outside/SKILL.md", "---\nname: outside\ndescription: Not a skill of ours.\n---\n");
  symlinkSync(home.path("outside"), home.path(".prowess/skills/linked"));
  mkdirSync(home.path(".prowess/skills/bare"));
  const folders = {
    workspaceDir: home.workspace,
    managedSkillsDir: home.managed,
    source: "openclaw-managed",
  };
  const refused = [
    ["hello", home.managed],
    ["hello", home.path("outside")],
    ["linked", home.path(".prowess/skills/linked")],
    ["bare", home.path(".prowess/skills/bare")],
    ["hello", "/"],
  ] as const;
  for (const [skillKey, baseDir] of refused) {
    const { status, body } = await gateway.post("/api/gateway/skills/remove", {
      ...folders,
      skillKey,
      baseDir,
    });
    expect(status, `${baseDir}: ${JSON.stringify(body)}`).toBe(400);
    expect((body as { error: string }).error).not.toBe("");
  }
  // Its own roots decide, whatever roots the request claims.
  const claimed = {
    ...folders,
    managedSkillsDir: home.root,
    skillKey: "outside",
    baseDir: home.path("outside"),
  };
  expect((await gateway.post("/api/gateway/skills/remove", claimed)).status).toBe(400);
  expect(existsSync(outside)).toBe(true);
  expect(existsSync(home.path(".prowess/skills/hello/SKILL.md"))).toBe(true);
});

test("A3 a removal is verified, told, and can be undone; what was gone already is told, too", async ({
  open,
  page,
  home,
}) => {
  const wire = await Wire.tap(page);
  const remove = async (name: string) => {
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    const question = page.getByRole("dialog", { name: `Remove ${name}?` });
    await expect(question).toBeVisible();
    return question.getByRole("button", { name: "Remove it" });
  };
  await open("/setup?state=any&skill=hello");
  await (await remove("hello")).click();
  await expect(page.getByText("hello was removed and is kept in the trash.")).toBeVisible();
  await expect(row(page, "hello")).toHaveCount(0);
  expect(existsSync(home.path(".prowess/skills/hello"))).toBe(false);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Restored hello.")).toBeVisible();
  await expect(row(page, "hello")).toBeVisible();
  expect(existsSync(home.path(".prowess/skills/hello/SKILL.md"))).toBe(true);

  await page.getByRole("button", { name: "Configure tidy" }).click();
  const sure = await remove("tidy");
  wire.mute("skills.changed");
  home.remove(".prowess/skills/tidy");
  await sure.click();
  await expect(page.getByText("tidy was already gone.")).toBeVisible();
  wire.unmute("skills.changed");

  // The trash also brings back what was removed long ago.
  await page.getByRole("button", { name: "Configure hello" }).click();
  await (await remove("hello")).click();
  await expect(row(page, "hello")).toHaveCount(0);
  await page.getByText("1 in the trash").click();
  await page.getByRole("button", { name: /^Restore/ }).click();
  await expect(row(page, "hello")).toBeVisible();
});

test("A4 a key is masked, emptied after saving, told as stored, cleared, and its value is nowhere", async ({
  open,
  page,
  home,
}) => {
  const value = "s3cret-Wq7xV2mPzK41";
  const wire = await Wire.tap(page);
  const logs: string[] = [];
  page.on("console", (message) => logs.push(message.text()));
  await open("/setup?skill=notes");
  const field = page.getByLabel("Key (NOTES_TOKEN)");
  await expect(field).toHaveAttribute("type", "password");
  await expect(page.getByText("Not stored", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Save the key" })).toBeDisabled();
  await field.fill(value);
  await page.getByRole("button", { name: "Save the key" }).click();
  await expect(page.getByText("Stored", { exact: true })).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(page.getByRole("heading", { name: "Nothing is missing" })).toBeVisible();
  expect(home.configText()).toContain(value);
  expect(wire.sent.filter((frame) => frame.includes(value))).toHaveLength(1);
  await page.goto(page.url().replace(/\?.*/, "?settingsAgentId=main&tab=advanced").replace("/setup", "/"));
  await expect(page.getByLabel("Text of the config file")).toBeVisible();
  const kept = await page.evaluate(() =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.documentElement.outerHTML,
    ]),
  );
  const fields = await page
    .locator("input, textarea")
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  for (const place of [kept, ...fields, ...logs, ...wire.received]) expect(place).not.toContain(value);

  await open("/setup?state=any&skill=notes");
  await page.getByRole("button", { name: "Clear the key" }).click();
  await expect(page.getByText("Not stored", { exact: true })).toBeVisible();
  expect(home.configText()).not.toContain(value);
});

test("A5 a failed action keeps the list; its row has the whole error, a retry and something to copy", async ({
  open,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const wire = await Wire.tap(page);
  await open("/agents/main/skills");
  const text = "the config file cannot be written: no space is left on the device that holds it";
  wire.refuse("skills.allow", text);
  await page.getByRole("switch", { name: "Skill hello" }).click();
  const failed = row(page, "hello").getByRole("alert");
  await expect(failed).toContainText("hello was not taken from main");
  await expect(failed).toContainText(text, { ignoreCase: true });
  await expect(page.locator(".skill-row")).toHaveCount(9);
  await expect(page.getByRole("alert")).toHaveCount(1);
  await expect(page.getByRole("switch", { name: "Skill hello" })).toHaveAttribute("aria-checked", "true");
  await failed.getByRole("button", { name: "Copy the error" }).click();
  expect((await page.evaluate(() => navigator.clipboard.readText())).toLowerCase()).toContain(text);
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("switch", { name: "Skill hello" })).toHaveAttribute("aria-checked", "false");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("A6 an install shows its command first, then output, warnings, cancel, and looks again afterwards", async ({
  open,
  page,
  home,
}) => {
  home.program("npm", NPM(home));
  const go = () => writeFileSync(home.path("go"), "");
  await open("/setup?skill=moo");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("region", { name: "Commands" })).toContainText(/npm install .*moothing/);
  await expect(dialog.getByText("fetching part 1")).toHaveCount(0);
  writeFileSync(home.path("fail"), "");
  await dialog.getByRole("button", { name: "Run this" }).click();
  await expect(dialog.getByText("fetching part 1")).toBeVisible();
  go();
  const failed = dialog.getByRole("alert");
  await expect(failed).toContainText("The install failed");
  await expect(dialog.getByRole("region", { name: "Output" })).toContainText("npm ERR! no such package");
  await expect(row(page, "moo").locator(".note.error")).toHaveCount(1);
  await expect(page.locator(".setup-row")).not.toHaveCount(0);

  await failed.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByText("fetching part 1")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(failed).toContainText("The install failed");
  await failed.getByRole("button", { name: "Try again" }).click();
  go();
  await expect(dialog.getByRole("heading", { name: "Nothing is missing" })).toBeVisible();
  await expect(dialog.locator(".chip").first()).toHaveText("Ready");
});

test("A6 a program that was installed by hand is found", async ({ open, page, home }) => {
  await open("/setup?skill=moo");
  await expect(page.getByRole("heading", { name: "Missing" })).toBeVisible();
  home.program("moothing", "true");
  await page.getByRole("button", { name: "Check again" }).click();
  // The gateway looks for programs every few seconds.
  await expect(page.getByRole("heading", { name: "Nothing is missing" })).toBeVisible({
    timeout: 20_000,
  });
});

const STALE = "config changed since last load; re-run config.get and retry";

test("A7 a stale hash is tried again once without a word; after that it is told", async ({ open, page }) => {
  const wire = await Wire.tap(page);
  await open("/agents/main/skills");
  wire.refuse("skills.allow", STALE, 1, { code: "INVALID_REQUEST", details: { code: "stale" } });
  await page.getByRole("switch", { name: "Skill hello" }).click();
  await expect(row(page, "hello").locator(".verdict")).toHaveText("Ready, but not allowed");
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(wire.calls("skills.allow")).toBe(2);
  wire.refuse("skills.allow", STALE, 2, { code: "INVALID_REQUEST", details: { code: "stale" } });
  await page.getByRole("switch", { name: "Skill tidy" }).click();
  await expect(row(page, "tidy").getByRole("alert")).toContainText("config changed since last load", {
    ignoreCase: true,
  });
  expect(wire.calls("skills.allow")).toBe(4);
});

test("A7 a config that both sides changed shows what changed, and one that can be merged is", async ({
  open,
  page,
  home,
}) => {
  await open("/?settingsAgentId=main&tab=advanced");
  const editor = page.getByLabel("Text of the config file");
  const edit = async (change: (config: { logging?: object; ui?: object }) => void) => {
    const config = JSON.parse(await editor.inputValue()) as object;
    change(config);
    await editor.fill(JSON.stringify(config, null, 2));
  };
  const elsewhere = (text: string) =>
    home.write(
      ".prowess/prowess.json",
      home.configText().replace(/("gateway": )/, `"logging": ${text},\n  $1`),
    );
  const save = page.getByRole("button", { name: "Save the config" });
  await edit((config) => {
    config.ui = { assistant: { name: "Mine" } };
  });
  elsewhere(`{"level": "warn"}`);
  await save.click();
  await expect(page.getByText("Saved and applied.")).toBeVisible();
  expect(home.config()).toMatchObject({ logging: { level: "warn" }, ui: { assistant: { name: "Mine" } } });
  expect(home.configText()).toContain("// Two agents that work in places of their own.");

  await edit((config) => {
    config.logging = { level: "debug" };
  });
  home.write(".prowess/prowess.json", home.configText().replace('"warn"', '"error"'));
  await save.click();
  const conflict = page.locator(".note").filter({ hasText: "changed since you began" });
  await expect(conflict).toContainText("logging.level");
  await expect(conflict.getByLabel("What changed elsewhere")).toContainText("error");
  await expect(conflict.getByLabel("What you changed")).toContainText("debug");
  expect(home.config()).toMatchObject({ logging: { level: "error" } });
  await conflict.getByRole("button", { name: "Apply mine on top of theirs" }).click();
  await save.click();
  await expect(page.getByText("Saved and applied.")).toBeVisible();
  expect(home.config()).toMatchObject({ logging: { level: "debug" } });
});

test("A7 two browsers that switch different skills lose nothing", async ({ open, page, browser, home }) => {
  const other = await (await browser.newContext()).newPage();
  await open("/agents/writer/skills");
  await open("/agents/writer/skills", other);
  await Promise.all([
    page.getByRole("switch", { name: "Skill hello" }).click(),
    other.getByRole("switch", { name: "Skill tidy" }).click(),
  ]);
  for (const one of [page, other])
    for (const name of ["hello", "tidy"])
      await expect(one.getByRole("switch", { name: `Skill ${name}` })).toHaveAttribute(
        "aria-checked",
        "false",
      );
  const list = (home.config().agents as { list: { id: string; skills?: string[] }[] }).list;
  const skills = list.find((agent) => agent.id === "writer")?.skills;
  expect(skills).not.toContain("hello");
  expect(skills).not.toContain("tidy");
  expect(skills).toContain("shipped");
  await other.context().close();
});

test("A8 only the touched row is busy", async ({ open, page }) => {
  const wire = await Wire.tap(page);
  await open("/agents/main/skills");
  wire.hold("skills.allow");
  await page.getByRole("switch", { name: "Skill hello" }).click();
  await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(1);
  await expect(page.getByRole("switch", { name: "Skill hello" })).toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("switch", { name: "Skill tidy" })).toBeEnabled();
  await expect(page.getByRole("searchbox")).toBeEnabled();
  wire.release("skills.allow");
  await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(0);
  await expect(row(page, "hello").locator(".verdict")).toHaveText("Ready, but not allowed");
});

test("A9 the hand-off opens the right skill, returns to the same row, and its address can be shared", async ({
  open,
  page,
  browser,
}) => {
  await open("/agents/writer/skills");
  await row(page, "notes").getByRole("link", { name: "Open System setup" }).click();
  await expect(page.getByRole("dialog", { name: "notes" })).toBeVisible();
  const shared = new URL(page.url());
  const other = await (await browser.newContext()).newPage();
  await open(shared.pathname + shared.search, other);
  await expect(other.getByRole("dialog", { name: "notes" })).toBeVisible();
  await expect(other.getByText("Back to the skills of Writer")).toBeAttached();
  await other.context().close();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Back to the skills of Writer" }).click();
  await expect(page).toHaveURL(/\/agents\/writer\/skills\?skill=notes/);
  await expect(row(page, "notes")).toBeFocused();
  await expect(row(page, "notes")).toBeInViewport();
});

test("A10 keyboard only: all controls can be reached, a dialog keeps the focus, Esc closes, focus returns", async ({
  open,
  page,
}) => {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
    });
  await open("/agents/main/skills");
  await expect(page.locator(".skill-row")).toHaveCount(9);
  const wanted = await page
    .locator("a:visible, button:visible:enabled, select:visible, input:visible")
    .count();
  const reached = new Set<string>();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  let count = 0;
  for (let step = 0; step < wanted + 5; step += 1) {
    await page.keyboard.press("Tab");
    const ring = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return undefined;
      const style = getComputedStyle(element);
      return style.outlineStyle !== "none" || style.boxShadow !== "none";
    });
    if (ring === undefined) break;
    expect(ring, `the focus is visible on ${await focused()}`).toBe(true);
    count += 1;
    reached.add(await focused());
  }
  expect(count).toBeGreaterThanOrEqual(wanted);
  for (const name of ["Skill hello", "Search the skills", "None", "Open System setup"])
    expect(reached).toContain(name);

  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("hello");
  await expect(page.locator(".skill-row")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.locator(".skill-row")).toHaveCount(9);
  await page.getByRole("switch", { name: "Skill hello" }).focus();
  await page.keyboard.press("Space");
  await expect(row(page, "hello").locator(".verdict")).toHaveText("Ready, but not allowed");
  await expect(page.getByRole("switch", { name: "Skill hello" })).toBeFocused();

  await open("/setup");
  const opener = page.getByRole("button", { name: "Set up notes" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "notes" });
  await expect(dialog).toBeVisible();
  for (let step = 0; step < 25; step += 1) {
    await page.keyboard.press(step % 5 === 4 ? "Shift+Tab" : "Tab");
    const outside = await page.evaluate(() => {
      const element = document.activeElement;
      return element !== document.body && element?.closest("dialog") === null;
    });
    expect(outside).toBe(false);
  }
  // A question inside closes alone.
  await dialog.getByRole("button", { name: "Remove notes" }).focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Remove notes?" });
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Remove notes" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test("A11 after a restart of the gateway the page, filters and drafts are there, keys are not", async ({
  open,
  page,
  gateway,
}) => {
  await open("/agents/writer/skills?q=use+when&state=ready");
  await expect(row(page, "hello")).toBeVisible();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "SOUL.md" }).click();
  await page.getByLabel("Text of SOUL.md").fill("# A draft that stays\n");
  await gateway.stop();
  await expect(page.getByText("No connection to the gateway.")).toBeVisible();
  await expect(page.getByLabel("Text of SOUL.md")).toHaveValue("# A draft that stays\n");
  await gateway.startAgain();
  await expect(page.getByText("No connection to the gateway.")).toHaveCount(0, { timeout: 40_000 });
  await expect(page.getByLabel("Text of SOUL.md")).toHaveValue("# A draft that stays\n");
  await page.getByRole("button", { name: "Save SOUL.md" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("searchbox")).toHaveValue("use when");
  await expect(page).toHaveURL(/state=ready/);
  await expect(row(page, "hello")).toBeVisible();

  await open("/setup?skill=notes");
  await page.getByLabel("Key (NOTES_TOKEN)").fill("typed-and-not-saved");
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain("typed-and-not-saved");
});

test("A12 no page promises what is still to come", async ({ open, page }) => {
  const pages = [
    "/agents/main/skills",
    "/agents/main/playground",
    "/agents/main/sessions",
    "/setup",
    "/registry",
    "/cortex",
    "/forge",
    "/?settingsAgentId=main",
  ];
  for (const address of pages) {
    await open(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(/coming soon|not yet available/i)).toHaveCount(0);
  }
});

test("A12 every number has a source: counts are those of the gateway's report", async ({
  open,
  page,
  gateway,
}) => {
  const { skills } = await gateway.call<{ skills: object[] }>("skills.status", { agentId: "main" });
  await open("/agents/main/skills");
  await expect(page.locator(".skill-row")).toHaveCount(skills.length);
  await expect(page.getByText(/★|☆|\bstars?\b|\brating|downloads|installs\b/i)).toHaveCount(0);
  await open("/agents/main/skills/weather");
  await expect(page.getByText("No history: it is in no lock file, so it was added by hand.")).toBeVisible();
  await expect(page.getByText(/★|☆|\bstars?\b|\brating|downloads|published/i)).toHaveCount(0);
});
