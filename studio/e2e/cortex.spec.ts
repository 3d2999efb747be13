// The cortex: what was learned, and how to correct it.

import type { Gateway } from "./support/gateway";
import { expect, test } from "./support/test";
import { Wire } from "./support/wire";

async function learn(gateway: Gateway): Promise<void> {
  const record = (outcome: object) => gateway.call("cortex.record", outcome);
  for (let time = 0; time < 3; time += 1)
    await record({
      skill: "todoist-cli",
      version: "1.0.0",
      result: "success",
      region: "todo",
      task: "add a todo item",
    });
  for (let time = 0; time < 3; time += 1)
    await record({
      skill: "pdf",
      result: "dependency_missing",
      key: "pdftotext",
      region: "pdf",
      task: "read a pdf",
    });
}

test("nothing was learned yet", async ({ open, page }) => {
  await open("/cortex");
  await expect(page.getByRole("heading", { name: "Nothing learned yet" })).toBeVisible();
});

test("kinds of task with candidates, weights and plots; bans, forgetting, export", async ({
  open,
  page,
  gateway,
}) => {
  await learn(gateway);
  await open("/cortex");
  const table = page.getByRole("table", { name: "Candidates for todo" });
  const row = table.getByRole("row").filter({ hasText: "todoist-cli" });
  await expect(row).toContainText("3 ok, 0 failed");
  interface State {
    regions: { region: string; candidates: { effective: number }[] }[];
  }
  const { regions } = await gateway.call<State>("cortex.state");
  const weight = regions.find((one) => one.region === "todo")?.candidates[0]?.effective ?? Number.NaN;
  await expect(row).toContainText(weight.toFixed(2));
  await expect(page.getByRole("img", { name: "Weights for todo over time" }).locator("canvas")).toBeVisible();
  await page.getByRole("button", { name: "Ban todoist-cli" }).click();
  await expect(row).toContainText("Banned");
  await page.getByRole("link", { name: /^Blacklist/ }).click();
  await page.getByRole("button", { name: "Allow todoist-cli again" }).click();
  await expect(page.getByRole("heading", { name: "Nothing is banned" })).toBeVisible();
  await page.getByLabel("Skill to ban").fill("nuisance");
  await page.getByRole("button", { name: "Ban it" }).click();
  await expect(page.getByRole("list", { name: "Blacklist" })).toContainText("nuisance");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.json$/);
  await open("/cortex");
  await page.getByRole("button", { name: "Forget the kind of task todo" }).click();
  await page.getByRole("dialog", { name: "Forget todo?" }).getByRole("button", { name: "Forget it" }).click();
  await expect(table).toHaveCount(0);
});

test("lessons are judged, history is searched, and a failure is told", async ({ open, page, gateway }) => {
  await learn(gateway);
  const wire = await Wire.tap(page);
  await open("/cortex?tab=lessons");
  const lessons = page.getByRole("list", { name: "Lessons" });
  await expect(lessons).toContainText("pdftotext");
  wire.refuse("cortex.lessons.judge", "the log is locked");
  await page
    .getByRole("button", { name: /^Right: / })
    .first()
    .click();
  await expect(page.getByRole("alert")).toContainText("The judgement was not kept");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page
    .getByRole("button", { name: /^Right: / })
    .first()
    .click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await open("/cortex?tab=history&q=todoist");
  await expect(page.getByRole("list", { name: "History" }).getByRole("listitem")).not.toHaveCount(0);
  await expect(page.getByRole("list", { name: "History" })).not.toContainText("pdftotext");
});

test("what another client teaches shows without a reload", async ({ open, page, gateway }) => {
  await open("/cortex");
  await expect(page.getByRole("heading", { name: "Nothing learned yet" })).toBeVisible();
  await learn(gateway);
  await expect(page.getByRole("table", { name: "Candidates for todo" })).toBeVisible();
});
