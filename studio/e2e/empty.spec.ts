// Pages with nothing on them say what to do.

import { emptyHome } from "./support/home";
import { expect, test } from "./support/test";

test.use({ world: { home: emptyHome } });

test("Skills and System setup without any skill", async ({ open, page, home }) => {
  await open("/agents/main/skills");
  await expect(page.getByRole("heading", { name: "There is no skill yet" })).toBeVisible();
  await expect(page.locator(".empty")).toContainText(`${home.workspace}/skills`);
  await open("/setup");
  await expect(page.getByRole("heading", { name: "Nothing waits to be set up" })).toBeVisible();
});
