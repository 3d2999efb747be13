// The first minute: what a newcomer is told, from what the gateway says.

import AxeBuilder from "@axe-core/playwright";
import { Home } from "./support/home";
import { expect, test } from "./support/test";

function fresh(): Home {
  const home = new Home();
  home.skill("bundled", "hello", { description: "Says hello." });
  home.skill("bundled", "tidy", { description: "Tidies up." });
  home.skill("bundled", "notes", { requires: { env: ["NOTES_TOKEN"] }, primaryEnv: "NOTES_TOKEN" });
  home.skill("bundled", "far", {
    requires: { bins: ["absent-one", "absent-two"], config: ["channels.far"] },
  });
  home.skill("bundled", "mac-only", { os: ["darwin"] });
  home.writeConfig();
  return home;
}

test.use({ world: { home: fresh } });

test("a newcomer is greeted with what is ready and missing, and led on", async ({ open, page }) => {
  await open("/");
  const welcome = page.getByRole("region", { name: "Welcome" });
  await expect(welcome).toContainText(
    "2 of 5 bundled skills are ready on this machine, 2 lack something, 1 cannot run on it",
  );
  const nearest = welcome.getByRole("list", { name: "Nearly ready" }).getByRole("listitem");
  await expect(nearest).toHaveCount(2);
  await expect(nearest.first()).toContainText("notes");
  await expect(nearest.first()).toContainText("The key NOTES_TOKEN is not set");
  await expect(welcome).toContainText("prowess import");
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await nearest.first().getByRole("link", { name: "notes" }).click();
  await expect(page.getByRole("dialog", { name: "notes" })).toBeVisible();
  await page.goBack();
  await welcome.getByRole("link", { name: "Try the Playground" }).click();
  await expect(page.getByRole("heading", { name: "Playground" })).toBeVisible();
});

test("the greeting can be dismissed for good, and does not meet whoever has skills", async ({
  open,
  page,
  home,
}) => {
  await open("/agents/main/skills");
  const welcome = page.getByRole("region", { name: "Welcome" });
  await welcome.getByRole("button", { name: "Dismiss" }).click();
  await expect(welcome).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("switch", { name: "Skill hello" })).toBeVisible();
  await expect(welcome).toHaveCount(0);
  await page.evaluate(() => localStorage.removeItem("prowess.welcome"));
  await page.reload();
  await expect(welcome).toBeVisible();
  home.skill("managed", "mine", { description: "A skill of my own." });
  await expect(page.getByRole("switch", { name: "Skill mine" })).toBeVisible();
  await expect(welcome).toHaveCount(0);
});
