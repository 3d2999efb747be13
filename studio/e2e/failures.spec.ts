// What can fail on a page is told there, one by one, and nothing else is lost by it.

import { everyState } from "./support/home";
import { Model } from "./support/model";
import { expect, type Locator, type Page, test } from "./support/test";
import { Wire } from "./support/wire";

const WHY = "the disk of the gateway is full";

/** Lets a call fail once, and expects to be told in a place; then it is dismissed or the question is closed. */
async function expectTold(
  wire: Wire,
  method: string,
  press: () => Promise<void>,
  place: Locator,
  what: string,
) {
  wire.refuse(method, WHY);
  await press();
  const alert = place.getByRole("alert").filter({ hasText: what });
  await expect(alert).toContainText(what);
  await expect(alert).toContainText(WHY);
}

async function confirm(page: Page, opener: string | RegExp, action: string): Promise<void> {
  await page.getByRole("button", { name: opener }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: action, exact: true }).click();
}

test("Cortex: export, import, ban, unban, and forgetting a word, a skill, a kind of task, everything", async ({
  open,
  page,
  gateway,
}) => {
  const outcome = { skill: "todoist-cli", result: "success", region: "todo", task: "add a todo item" };
  await gateway.call("cortex.record", outcome);
  const { text } = await gateway.call<{ text: string }>("cortex.export");
  const wire = await Wire.tap(page);
  await open("/cortex");
  const main = page.locator("#main");
  const dialog = page.getByRole("dialog");
  const press = (name: string) => () => page.getByRole("button", { name, exact: true }).click();

  await expectTold(wire, "cortex.export", press("Export"), main, "Nothing was exported");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Try again" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.json$/);
  await expect(page.getByRole("alert")).toHaveCount(0);

  await press("Import")();
  const choose = (content: string) =>
    dialog
      .getByLabel("Exported file")
      .setInputFiles({ name: "cortex.json", mimeType: "application/json", buffer: Buffer.from(content) });
  await expect(dialog.getByRole("button", { name: "Import it" })).toBeDisabled();
  await choose("this is no export");
  await dialog.getByRole("button", { name: "Import it" }).click();
  await expect(dialog.getByRole("alert")).toContainText("It was not imported");
  await choose(text);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Import it" }).click();
  await expect(dialog.getByText("There was nothing new in it, so nothing changed.")).toBeVisible();
  await choose(text.replaceAll("todo", "chore"));
  await dialog.getByRole("button", { name: "Import it" }).click();
  await expect(dialog.getByText("It is merged.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByRole("heading", { name: "chore" })).toBeVisible();

  await expectTold(wire, "cortex.ban", press("Ban todoist-cli"), main, "The ban failed");
  await press("Dismiss")();
  const forgets = [
    /^Forget the word .* of todo$/,
    "Forget todoist-cli for todo",
    "Forget the kind of task todo",
    "Forget everything",
  ];
  for (const opener of forgets) {
    const ask = () => confirm(page, opener, "Forget it");
    await expectTold(wire, "cortex.forget", ask, dialog, "It is not forgotten");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("table", { name: "Candidates for todo" })).toBeVisible();
  }
  await gateway.call("cortex.ban", { skill: "nuisance" });
  await page.getByRole("link", { name: /^Blacklist/ }).click();
  await page.getByLabel("Skill to ban").fill("another");
  await expectTold(wire, "cortex.ban", press("Ban it"), main, "The ban failed");
  await expect(page.getByLabel("Skill to ban")).toHaveValue("another");
  await press("Dismiss")();
  await expectTold(wire, "cortex.unban", press("Allow nuisance again"), main, "It is still banned");
});

test("Automations: switch, run, delete, and their list", async ({ open, page, gateway }) => {
  await gateway.call("cron.add", {
    name: "Morning",
    agentId: "main",
    enabled: true,
    schedule: { kind: "cron", expr: "0 8 * * *" },
    sessionTarget: "isolated",
    payload: { kind: "agentTurn", message: "What is on today?" },
  });
  const wire = await Wire.tap(page);
  wire.refuse("cron.list", WHY);
  await open("/?settingsAgentId=main&tab=automations");
  await expect(page.getByRole("alert")).toContainText("The automations could not be listed");
  await page.getByRole("button", { name: "Try again" }).click();
  const list = page.getByRole("list", { name: "Automations of main" });
  const morning = page.getByRole("switch", { name: "Automation Morning" });
  await expectTold(wire, "cron.update", () => morning.click(), list, "Morning was not switched");
  await expect(morning).toHaveAttribute("aria-checked", "true");
  const run = () => page.getByRole("button", { name: "Run now: Morning" }).click();
  await expectTold(wire, "cron.run", run, list, "Morning was not started");
  const remove = () => confirm(page, "Delete Morning", "Delete it");
  await expectTold(wire, "cron.remove", remove, list, "Morning was not deleted");
  await expect(list.getByRole("alert")).toHaveCount(3);
  wire.refuse("cron.runs", WHY);
  await page.getByRole("button", { name: "Runs: Morning" }).click();
  await expect(list.getByRole("alert").filter({ hasText: "The runs could not be listed" })).toBeVisible();
});

const exec = (command: string) => ({ call: { name: "exec", arguments: { command } } });

test.describe("with a run that worked", () => {
  let model: Model;
  test.beforeEach(async () => {
    model = await Model.start([
      exec("sort -t, -k2 ledger.csv > sorted.csv"),
      exec("wc -l sorted.csv | tee count.txt"),
      { call: { name: "write", arguments: { path: "report.md", content: "A report\n" } } },
      exec("grep -c report report.md"),
      { call: { name: "report_outcome", arguments: { result: "success" } } },
      { say: "The report is written." },
      { say: "Sorts a ledger by amount and writes a report. Use when somebody wants a report of invoices." },
    ]);
  });
  test.afterEach(() => model.stop());
  test.use({
    world: {
      home: () => {
        const tools = { exec: { policy: "allow" }, write: { policy: "allow" } };
        const home = everyState({ models: model.config(), tools });
        home.write("ws/ledger.csv", "b,2\na,1\n");
        return home;
      },
    },
  });

  test("Session: export, delete, rating, drafting", async ({ open, page, gateway }) => {
    const { runId, session } = await gateway.call<{ runId: string; session: string }>("runs.start", {
      agentId: "main",
      message: "Sort the ledger, please",
    });
    await gateway.call("runs.wait", { runId });
    const wire = await Wire.tap(page);
    await open(`/agents/main/sessions/${session}`);
    const main = page.locator("#main");
    const press = (name: string) => () => page.getByRole("button", { name, exact: true }).click();
    await expectTold(wire, "sessions.export", press("Export"), main, "The session was not exported");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Try again" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.md$/);
    await expectTold(wire, "sessions.rate", press("It did not"), main, "The rating was not kept");
    await expectTold(wire, "forge.draft", press("Make a draft of it"), main, "No draft was made");
    const remove = () => confirm(page, "Delete the session", "Delete the session");
    await expectTold(wire, "sessions.delete", remove, page.getByRole("dialog"), "It was not deleted");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText("The run ended.");
  });

  test("Forge: improve, promote, retire, bring back, roll back, reject", async ({ open, page, gateway }) => {
    const message = "Convert the spreadsheet into a report and sort the invoices by amount";
    const { runId } = await gateway.call<{ runId: string }>("runs.start", { agentId: "main", message });
    await gateway.call("runs.wait", { runId });
    const { drafts } = await gateway.call<{ drafts: { name: string }[] }>("forge.list");
    const name = drafts[0]?.name ?? "";
    const wire = await Wire.tap(page);
    await open(`/forge?draft=${name}`);
    const main = page.locator("#main");
    const dialog = page.getByRole("dialog");
    const phrase = () => page.getByRole("button", { name: "Improve with the model" }).click();
    await expectTold(wire, "forge.improve", phrase, main, "The description was not changed");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByLabel("What changed in the description")).toContainText(
      "Sorts a ledger by amount",
    );
    const { replay } = await gateway.call<{ replay: { hash: string } }>("forge.show", { name });
    await gateway.call("forge.test", { name, runScript: true, scriptHash: replay.hash });
    await expect(page.getByText("It passed its test.")).toBeVisible();

    const steps: [method: string, button: string, what: string][] = [
      ["forge.reject", "Reject it", "It was not rejected"],
      ["forge.promote", "Promote it", "It was not promoted"],
    ];
    for (const [method, button, what] of steps) {
      await expectTold(wire, method, () => confirm(page, button, button), dialog, what);
      await dialog.getByRole("button", { name: "Cancel" }).click();
    }
    await confirm(page, "Promote it", "Promote it");
    await expect(page.getByText("Version 1 is in use.").first()).toBeVisible();
    const later: typeof steps = [
      ["forge.rollback", "Roll back", "It was not rolled back"],
      ["forge.retire", "Retire", "It was not retired"],
    ];
    for (const [method, button, what] of later) {
      await expectTold(wire, method, () => confirm(page, button, button), dialog, what);
      await dialog.getByRole("button", { name: "Cancel" }).click();
    }
    await confirm(page, "Retire", "Retire");
    const back = () => page.getByRole("button", { name: "Restore" }).click();
    await expectTold(wire, "forge.restore", back, main, "It is still retired");
  });
});
