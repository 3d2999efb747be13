// Sessions: what an agent did, and a run watched while it goes on.

import { existsSync } from "node:fs";
import { emptyHome, everyState } from "./support/home";
import { Model } from "./support/model";
import { expect, test } from "./support/test";
import { Wire } from "./support/wire";

test.describe("with a model", () => {
  let model: Model;
  let goOn = () => {};
  test.beforeEach(async () => {
    const wait = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    model = await Model.start([
      { call: { name: "exec", arguments: { command: "echo asked > asked.txt" } } },
      { say: "It is done now.", wait },
    ]);
  });
  test.afterEach(() => model.stop());
  test.use({ world: { home: () => everyState({ models: model.config() }) } });

  test("a run is started, asks, is allowed, streams, ends in a timeline, and is rated", async ({
    open,
    page,
    home,
    gateway,
  }) => {
    await open("/agents/main/sessions");
    await expect(page.getByRole("heading", { name: "main has no sessions yet" })).toBeVisible();
    await page.getByLabel("Task for main").fill("Write a file, please");
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(/\/agents\/main\/sessions\/.+/);
    const question = page.getByRole("region", { name: "exec asks" });
    await expect(question).toContainText("echo asked > asked.txt");
    expect(existsSync(home.path("ws/asked.txt"))).toBe(false);
    await question.getByRole("button", { name: "Allow once" }).click();
    await expect(page.locator(".said").filter({ hasText: "It" })).toBeVisible();
    goOn();
    await expect(page.locator(".said").filter({ hasText: "It is done now." })).toBeVisible();
    expect(existsSync(home.path("ws/asked.txt"))).toBe(true);
    const timeline = page.getByRole("list", { name: "Timeline" });
    await expect(timeline).toContainText("The run ended.");
    await page.getByRole("button", { name: "It worked" }).click();
    await expect(timeline).toContainText("Rated");
    const { sessions } = await gateway.call<{ sessions: { totalTokens: number }[] }>("sessions.list", {
      agentId: "main",
    });
    await page.getByRole("link", { name: "Sessions of main" }).click();
    const row = page.getByRole("list", { name: "Sessions of main" }).getByRole("listitem");
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(`${sessions[0]?.totalTokens.toLocaleString("en-GB")} tokens`);
    await page
      .getByRole("group", { name: "State" })
      .getByRole("button", { name: /^Failed/ })
      .click();
    await expect(page.getByRole("heading", { name: "No sessions match" })).toBeVisible();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await row.getByRole("link").click();
    await page.getByRole("button", { name: "Delete the session" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the session" }).click();
    await expect(page.getByRole("heading", { name: "main has no sessions yet" })).toBeVisible();
  });

  test("a tool is denied, and a run is stopped", async ({ open, page, home }) => {
    await open("/agents/main/sessions");
    await page.getByLabel("Task for main").fill("Write a file, please");
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.getByRole("region", { name: "exec asks" }).getByRole("button", { name: "Deny" }).click();
    await expect.poll(() => model.requests.length).toBe(2);
    await page.getByRole("button", { name: "Stop the run" }).click();
    await expect(page.getByText("Stopped", { exact: true }).first()).toBeVisible();
    expect(existsSync(home.path("ws/asked.txt"))).toBe(false);
  });
});

test.describe("without a model", () => {
  test.use({ world: { home: emptyHome } });
  test("a run that cannot be and errors of reading are told", async ({ open, page }) => {
    const wire = await Wire.tap(page);
    wire.refuse("sessions.list", "the traces cannot be read");
    await open("/agents/main/sessions");
    await expect(page.getByRole("alert")).toContainText("The sessions could not be listed");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "main has no sessions yet" })).toBeVisible();
    wire.refuse("runs.start", "the agent is busy");
    await page.getByLabel("Task for main").fill("Hello");
    await page.getByRole("button", { name: "Start the run" }).click();
    await expect(page.getByRole("alert")).toContainText("The run was not started");
    await expect(page.getByLabel("Task for main")).toHaveValue("Hello");
    await open("/agents/main/sessions/no-such-session");
    await expect(page.getByRole("alert")).toContainText("The session could not be read");
  });
});
