// A person without a mouse: everything is reached with Tab, and what has the focus can be seen.

import { expect, type Locator, type Page } from "@playwright/test";

const MOST_STEPS = 150;

/** What the focused control is called. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });
}

/** Presses Tab until a control has the focus, and expects to see where the focus is on the way. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { isThere, isSeen } = await control.evaluate((one) => {
      const active = document.activeElement;
      // The ring of a radio button is drawn around its label.
      const around = active instanceof HTMLInputElement ? active.closest("label") : null;
      const hasRing = (element: Element) => {
        const style = getComputedStyle(element);
        return style.outlineStyle !== "none" || style.boxShadow !== "none";
      };
      const isPlace = !active || active.matches("body, main, dialog");
      return {
        isThere: active === one,
        isSeen: isPlace || [active, around].some((element) => element && hasRing(element)),
      };
    });
    if (!isSeen) throw new Error(`the focus is not seen on ${await focused(page)}`);
    if (isThere) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(
    `${control} was not reached in ${MOST_STEPS} steps; the focus is on ${await focused(page)}`,
  );
}

/** Goes to a control with Tab and presses it. */
export async function activate(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press("Enter");
}
