// Browsers that come from elsewhere wait until somebody lets them in.

import { Elsewhere } from "./support/elsewhere";
import { TOKEN } from "./support/home";
import { servePages } from "./support/pages";
import { expect, type Page, test } from "./support/test";
import { Wire } from "./support/wire";

const DEVICES = "/?settingsAgentId=main&tab=devices";

let elsewhere: Elsewhere;
test.beforeEach(async ({ gateway }) => {
  elsewhere = await Elsewhere.start(gateway.url);
});
test.afterEach(() => elsewhere.stop());

/** A browser from elsewhere at the door. */
async function knock(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error("there is no browser");
  const context = await browser.newContext();
  await servePages(context);
  const other = await context.newPage();
  await other.goto(`${elsewhere.url}/agents/main/skills#token=${TOKEN}`);
  await expect(other.getByRole("heading", { name: "This browser is waiting for approval" })).toBeVisible();
  return other;
}

test("a browser that waits is told on every page, approved in Settings, and goes on by itself", async ({
  open,
  page,
}) => {
  await open("/agents/main/skills");
  const other = await knock(page);
  await expect(
    other.getByText("Approve it in the Studio of a browser that is already signed in."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Show it" }).click();
  const waiting = page.getByRole("list", { name: "Pending devices" });
  await expect(waiting.getByRole("listitem")).toHaveCount(1);
  await expect(waiting).toContainText("operator.admin");
  await waiting.getByRole("button", { name: /^Approve/ }).click();
  await expect(page.getByRole("heading", { name: "No pending devices" })).toBeVisible();
  const known = page.getByRole("list", { name: "Approved devices" });
  await expect(known.getByRole("listitem")).toHaveCount(2);
  await expect(known.getByText("This browser")).toHaveCount(1);
  await expect(other.getByRole("switch", { name: "Skill hello" })).toBeVisible();

  // Whoever is removed must wait again.
  const row = known.getByRole("listitem").filter({ hasNotText: "This browser" });
  await row.getByRole("button", { name: /^Remove/ }).click();
  const question = page.getByRole("dialog");
  await expect(question).toContainText("Its connections end at once");
  await question.getByRole("button", { name: "Remove it" }).click();
  await expect(known.getByRole("listitem")).toHaveCount(1);
  await other.reload();
  await expect(other.getByRole("switch", { name: "Skill hello" })).toHaveCount(0);
  await other.context().close();
});

test("a browser that waits is rejected; each failure is told where it happened", async ({ open, page }) => {
  const wire = await Wire.tap(page);
  await open(DEVICES);
  await expect(page.getByRole("heading", { name: "No pending devices" })).toBeVisible();
  const other = await knock(page);
  const waiting = page.getByRole("list", { name: "Pending devices" });
  wire.refuse("device.pair.approve", "the file of devices cannot be written");
  await waiting.getByRole("button", { name: /^Approve/ }).click();
  await expect(waiting.getByRole("alert")).toContainText("was not approved");
  await expect(waiting.getByRole("alert")).toContainText("the file of devices cannot be written");
  await waiting.getByRole("button", { name: "Dismiss" }).click();
  wire.refuse("device.pair.reject", "the file of devices cannot be written");
  await waiting.getByRole("button", { name: /^Reject/ }).click();
  await expect(waiting.getByRole("alert")).toContainText("was not rejected");
  await waiting.getByRole("button", { name: "Dismiss" }).click();
  // It asks again by itself; a page that is closed does not.
  await other.context().close();
  await waiting.getByRole("button", { name: /^Reject/ }).click();
  await expect(page.getByRole("heading", { name: "No pending devices" })).toBeVisible();
  wire.refuse("device.pair.remove", "the file of devices cannot be written");
  await page.getByRole("button", { name: /^Remove/ }).click();
  await expect(page.getByRole("dialog")).toContainText("This is the browser that you use now.");
  await page.getByRole("button", { name: "Remove it" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("was not removed");
});

test("the list of devices can fail, too", async ({ open, page }) => {
  const wire = await Wire.tap(page);
  wire.refuse("device.pair.list", "the file of devices cannot be read");
  await open(DEVICES);
  await expect(page.getByRole("alert")).toContainText("The devices could not be listed");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "No pending devices" })).toBeVisible();
});
