// One-time codes, and changes that need a person.

import { expect, test } from "./support/test";

const capabilities = "/?settingsAgentId=main&tab=capabilities";

test("a one-time address opens the Studio once, and says so when it is used again", async ({
  page,
  gateway,
  browser,
}) => {
  const url = await gateway.oneTimeUrl();
  await page.goto(url);
  await expect(page.getByText(/^Connected · gateway \d/).first()).toBeVisible();
  expect(page.url()).not.toContain("code=");
  await page.reload();
  await expect(page.getByText(/^Connected · gateway \d/).first()).toBeVisible();
  const other = await browser.newContext();
  const late = await other.newPage();
  await late.goto(url);
  await expect(late.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  await expect(late.getByText("Run `prowess up` (or `prowess gateway url`) for a new one.")).toBeVisible();
  await other.close();
});

test("a change that loosens is shown with both values and made when the person confirms", async ({
  page,
  gateway,
  home,
}) => {
  await page.goto(await gateway.oneTimeUrl());
  await expect(page.getByText(/^Connected · gateway \d/).first()).toBeVisible();
  await page.goto(`${gateway.url}${capabilities}`);
  const exec = page.getByRole("group", { name: "Policy of exec" });
  await exec.getByText("Allow").click();
  const question = page.getByRole("dialog", { name: "Confirm this change" });
  await expect(question).toContainText("tools.exec.policy");
  await expect(question).toContainText('"allow"');
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("nothing was changed");
  expect(home.config()).not.toHaveProperty("tools.exec");
  await exec.getByText("Allow").click();
  await question.getByRole("button", { name: "Confirm the change" }).click();
  await expect.poll(() => home.config()).toMatchObject({ tools: { exec: { policy: "allow" } } });
  await expect(exec.getByRole("radio", { name: "Allow" })).toBeChecked();
});

test("a browser that came with the token is sent to the terminal", async ({ open, page, home }) => {
  await open(capabilities);
  await page.getByRole("group", { name: "Policy of exec" }).getByText("Allow").click();
  const question = page.getByRole("dialog", { name: "Confirm this change" });
  await expect(question).toContainText("prowess gateway confirm");
  await question.getByRole("button", { name: "Close" }).last().click();
  expect(home.config()).not.toHaveProperty("tools.exec");
});
