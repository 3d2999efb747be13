// The way in, the way around, and what stays when something breaks.

import { TOKEN } from "./support/home";
import { expect, row, test } from "./support/test";

test("a browser without a token is asked for one, and a wrong one is told in full", async ({
  page,
  gateway,
}) => {
  await page.goto(`${gateway.url}/setup`);
  await expect(page.getByRole("heading", { name: "Sign in to this gateway" })).toBeVisible();
  await expect(page.getByText("prowess gateway url")).toBeVisible();
  await page.getByLabel("Token of the gateway").fill("a-wrong-token");
  await page.getByRole("button", { name: "Connect" }).click();
  await expect(page.getByText("The token is not the one of this gateway")).toBeVisible();
  await page.getByLabel("Token of the gateway").fill(TOKEN);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "System setup" })).toBeVisible();
});

test("the token leaves the address at once and is replaced by one for this browser", async ({
  open,
  page,
}) => {
  await open("/agents/main/skills?q=hello");
  expect(page.url()).not.toContain(TOKEN);
  await expect(row(page, "hello")).toBeVisible();
  await expect(page.getByText(/^Connected · gateway \d/).first()).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(TOKEN);
  await page.reload();
  await expect(row(page, "hello")).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("hello");
});

test("a gateway that is not there is told, and found when it comes", async ({ page, gateway, open }) => {
  await open("/agents/main/skills");
  await expect(page.locator(".skill-row")).toHaveCount(9);
  await gateway.stop();
  await expect(page.getByText("No connection to the gateway.")).toBeVisible();
  await page.getByRole("switch", { name: "Skill hello" }).click();
  await expect(row(page, "hello").getByRole("alert")).toBeVisible();
  await expect(page.locator(".skill-row")).toHaveCount(9);
  await gateway.startAgain();
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText("No connection to the gateway.")).toHaveCount(0);
  await row(page, "hello").getByRole("button", { name: "Try again" }).click();
  await expect(row(page, "hello").locator(".verdict")).toHaveText("Ready, but not allowed");
});

test("addresses lead where they say; unknown ones say so", async ({ open, page }) => {
  await open("/");
  await expect(page).toHaveURL(/\/agents\/main\/skills$/);
  await open("/agents/writer/settings");
  await expect(page).toHaveURL(/\/\?settingsAgentId=writer$/);
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await open("/agents/nobody/skills");
  await expect(page.getByRole("alert")).toContainText('unknown agent id "nobody"', { ignoreCase: true });
  await open("/?settingsAgentId=nobody");
  await expect(page.getByText("There is no agent nobody on this gateway.")).toBeVisible();
  await open("/no/such/page");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

test("the agent picker keeps the page, and the colours can be chosen", async ({ open, page }) => {
  await open("/agents/main/skills");
  await page.getByRole("combobox", { name: "Agent" }).selectOption("Writer");
  await expect(page).toHaveURL(/\/agents\/writer\/skills/);
  await expect(page.locator(".page-head")).toContainText("What Writer can use");
  const colour = () => page.evaluate(() => getComputedStyle(document.body).color);
  const before = await colour();
  await page.getByRole("button", { name: "Dark colours" }).click();
  await expect.poll(colour).not.toBe(before);
  await page.reload();
  await expect.poll(colour).not.toBe(before);
});

test("two browsers see each other's changes", async ({ open, page, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await open("/setup?state=any");
  await open("/agents/writer/skills", other);
  await page.getByRole("button", { name: "Configure hello" }).click();
  await page.getByRole("switch", { name: "Skill hello for all agents" }).click();
  await expect(row(other, "hello").locator(".chip").first()).toHaveText("Switched off for all");
  await other.context().close();
});
