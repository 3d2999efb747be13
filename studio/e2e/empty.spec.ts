// Pages with nothing on them say what to do.

import { emptyHome } from "./support/home";
import { expect, test } from "./support/test";

test.use({ world: { home: emptyHome } });

test("Skills and System setup without any skill", async ({ open, page, home }) => {
  await open("/agents/main/skills");
  await expect(page.getByRole("heading", { name: "No skills yet" })).toBeVisible();
  await expect(page.locator(".empty")).toContainText(`${home.workspace}/skills`);
  await open("/setup");
  await expect(page.getByRole("heading", { name: "Nothing to set up" })).toBeVisible();
});
