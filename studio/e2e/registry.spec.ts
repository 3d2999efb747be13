// The registry page, with a registry of our own.

import { existsSync } from "node:fs";
import { everyState } from "./support/home";
import { Registry } from "./support/registry";
import { expect, test } from "./support/test";
import { Wire } from "./support/wire";

let registry: Registry;
test.beforeAll(async () => {
  registry = await Registry.start();
  await registry.publish("chess", "1.0.0", "# Chess\n\nPlay e4.\n");
  await registry.publish("checkers", "1.0.0", "# Checkers\n");
});
test.afterAll(() => registry.drop());
test.use({ world: { home: () => everyState({ skills: { registry: registry.url } }) } });

test("search, inspect, plan, install, update with its difference, uninstall and undo", async ({
  open,
  page,
  home,
}) => {
  await open("/registry");
  await page.getByRole("searchbox", { name: "Search the registry" }).fill("chess");
  const found = page.getByRole("list", { name: "Found in the registry" });
  await expect(found.getByRole("button", { name: /^Inspect chess/i })).toBeVisible();
  await expect(page).toHaveURL(/q=chess/);
  await found.getByRole("button", { name: /^Inspect chess/i }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("region", { name: "Security" })).toContainText("Clean");
  await expect(dialog.getByRole("region", { name: "Files" })).toContainText("SKILL.md");
  const install = dialog.getByRole("region", { name: "Install" });
  await expect(install).toContainText(home.path("ws/skills/chess"));
  await expect(install).toContainText(registry.url);
  expect(existsSync(home.path("ws/skills/chess"))).toBe(false);
  await install.getByRole("button", { name: "Install chess 1.0.0" }).click();
  await expect(install.locator(".note.success")).toBeVisible();
  expect(home.read("ws/skills/chess/SKILL.md")).toContain("Play e4.");
  await dialog.getByRole("button", { name: "Close" }).click();

  await registry.publish("chess", "1.1.0", "# Chess\n\nPlay d4.\n");
  await open("/registry?tab=installed");
  await page.getByRole("button", { name: "Check for updates" }).click();
  await page.getByRole("button", { name: "Update chess" }).click();
  await expect(dialog).toContainText("Play d4.");
  await expect(dialog).toContainText("Play e4.");
  await dialog.getByRole("button", { name: /^Update chess to 1\.1\.0/ }).click();
  await expect(dialog.locator(".note.success")).toBeVisible();
  expect(home.read("ws/skills/chess/SKILL.md")).toContain("Play d4.");
  await dialog.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Uninstall chess" }).click();
  await page.getByRole("button", { name: "Remove chess" }).click();
  await page.getByRole("button", { name: "Remove it" }).click();
  await expect(page.getByText("chess was removed and is kept in the trash.")).toBeVisible();
  expect(existsSync(home.path("ws/skills/chess"))).toBe(false);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Restored chess.")).toBeVisible();
  expect(home.read("ws/skills/chess/SKILL.md")).toContain("Play d4.");
});

test("A12 what the registry page shows has its origin: the registry is named, and counts are its own", async ({
  open,
  page,
  gateway,
}) => {
  interface Found {
    results: { slug: string; downloads?: number | null; updatedAt?: number | null }[];
  }
  await open("/registry?q=checkers");
  await expect(page.locator(".page-head")).toContainText(registry.url);
  const { results } = await gateway.call<Found>("skills.search", { query: "checkers", limit: 50 });
  const row = page.getByRole("list", { name: "Found in the registry" }).getByRole("listitem").first();
  const text = (await row.textContent()) ?? "";
  const downloads = results[0]?.downloads;
  if (downloads == null) expect(text).not.toMatch(/downloads/);
  else expect(text).toContain(`${downloads.toLocaleString("en-GB")} downloads`);
  expect(text).not.toMatch(/★|rating/i);
});

test("nothing found, nothing installed, and failures of every action", async ({ open, page, home }) => {
  const wire = await Wire.tap(page);
  await open("/registry?q=zzzzqqqq");
  await expect(page.getByRole("heading", { name: "No skills found" })).toBeVisible();
  await open("/registry?tab=installed");
  await expect(page.getByRole("heading", { name: "No installed skills yet" })).toBeVisible();
  await open("/registry?skill=no-such-skill");
  await expect(page.getByRole("dialog")).toContainText("There is no plan, so nothing can be installed");
  await open("/registry?skill=checkers");
  wire.refuse("skills.install", "no space is left");
  await page.getByRole("button", { name: "Install checkers 1.0.0" }).click();
  await expect(page.getByRole("alert")).toContainText("It was not installed");
  expect(existsSync(home.path("ws/skills/checkers"))).toBe(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator(".note.success")).toBeVisible();
  wire.refuse("skills.search", "the registry is asleep");
  await open("/registry?q=chess");
  await page.getByRole("searchbox", { name: "Search the registry" }).fill("chess game");
  wire.refuse("skills.search", "the registry is asleep");
  await page.getByRole("searchbox", { name: "Search the registry" }).fill("chess games");
  await expect(page.getByRole("alert")).toContainText("The registry did not answer");
});
