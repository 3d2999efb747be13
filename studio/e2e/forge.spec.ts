// The forge: from a run that worked to a skill, and back.

import { existsSync } from "node:fs";
import { everyState } from "./support/home";
import { Model } from "./support/model";
import { expect, test } from "./support/test";
import { Wire } from "./support/wire";

const exec = (command: string) => ({ call: { name: "exec", arguments: { command } } });

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
      const tools = { exec: { policy: "allow" }, write: { policy: "allow" } };
      const home = everyState({ models: model.config(), tools });
      home.write("ws/ledger.csv", "b,2\na,1\n");
      return home;
    },
  },
});

test("a draft is shown, tested, promoted with its files named, retired, brought back and rolled back", async ({
  open,
  page,
  gateway,
}) => {
  await open("/forge");
  await expect(page.getByRole("heading", { name: "No drafts yet" })).toBeVisible();
  const message = "Convert the spreadsheet into a report and sort the invoices by amount";
  const { runId } = await gateway.call<{ runId: string }>("runs.start", { agentId: "main", message });
  await gateway.call("runs.wait", { runId });
  const drafts = page.getByRole("list", { name: "Drafts" });
  await expect(drafts.getByRole("listitem")).toHaveCount(1);
  await drafts.getByRole("link").click();
  await expect(page.getByLabel("Difference")).toContainText("name:");
  await expect(page.getByLabel("Difference")).not.toContainText("tested");
  await expect(page.getByRole("button", { name: "Promote it" })).toBeDisabled();
  const wire = await Wire.tap(page);
  await page.reload();
  wire.refuse("forge.test", "the copy could not be made");
  const asks = async () => {
    await page.getByRole("button", { name: "Test it", exact: true }).click();
    return page.getByRole("dialog");
  };
  await (await asks()).getByRole("button", { name: "Test without running it" }).click();
  await expect(page.getByRole("alert")).toContainText("It could not be tested");
  // Nothing failed, but what was not run is no success either.
  await (await asks()).getByRole("button", { name: "Test without running it" }).click();
  await expect(page.getByText("Incomplete: needs your consent")).toBeVisible();
  await expect(page.getByText("Not run", { exact: true })).toBeVisible();
  await expect(page.getByText("Failed", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Promote it" })).toBeDisabled();
  // The question shows the values of the session, not the parameters.
  const script = await asks();
  await expect(script).toContainText("sort -t, -k2 ledger.csv > sorted.csv");
  await expect(script).not.toContainText("$FILE_1");
  await script.getByRole("button", { name: "Run it in a copy" }).click();
  await expect(page.getByText("It passed its test.")).toBeVisible();
  await page.getByRole("button", { name: "Promote it" }).click();
  const question = page.getByRole("dialog");
  const target = (await question.locator(".written code").first().textContent()) ?? "";
  expect(existsSync(target)).toBe(false);
  await question.getByRole("button", { name: "Promote it" }).click();
  await expect(page.getByText("Version 1 is in use.").first()).toBeVisible();
  expect(existsSync(target)).toBe(true);
  await page.getByRole("button", { name: "Retire" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retire" }).click();
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByRole("button", { name: "Roll back" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByText("Rolled back").first()).toBeVisible();
  expect(existsSync(target)).toBe(false);
  await page.getByRole("button", { name: "Reject it" }).click();
  await page.getByLabel("Why (optional)").fill("Not needed");
  await page.getByRole("dialog").getByRole("button", { name: "Reject it" }).click();
  await expect(page.getByText("It was rejected").first()).toBeVisible();
});

test("a draft that is not there is told", async ({ open, page }) => {
  await open("/forge?draft=nothing");
  await expect(page.getByRole("alert")).toContainText("The draft could not be read");
});
