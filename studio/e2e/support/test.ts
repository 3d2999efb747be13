// What every test starts with: a home, a gateway, a browser that is let in, and eyes for what goes wrong unseen.

import { test as base, type Page } from "@playwright/test";
import { Gateway } from "./gateway";
import { everyState, type Home } from "./home";
import { servePages } from "./pages";

export { expect, type Locator, type Page } from "@playwright/test";

interface Fixtures {
  /** What makes the home; a file or a group says `test.use({ world: { home: … } })` for another. */
  world: { home: () => Home };
  gateway: Gateway;
  home: Home;
  /** Opens a page of the Studio and waits until it has a heading. */
  open: (path: string, page?: Page) => Promise<void>;
}

export const test = base.extend<Fixtures>({
  world: [{ home: everyState }, { option: true }],
  gateway: async ({ world }, use) => {
    const gateway = await Gateway.start(world.home());
    await use(gateway);
    await gateway.drop();
  },
  home: async ({ gateway }, use) => use(gateway.home),
  open: async ({ gateway, page }, use) => {
    await use(async (path, other = page) => {
      await other.goto(gateway.at(path));
      await other.locator("#main h1, #main h2").first().waitFor();
    });
  },
  context: async ({ context }, use) => {
    await servePages(context);
    await use(context);
  },
  page: async ({ page }, use) => {
    const faults: string[] = [];
    watch(page, faults);
    await use(page);
    if (faults.length > 0) throw new Error(`the page failed unseen: ${faults.join("\n")}`);
  },
});

/** Notes exceptions that nobody caught and what the content policy refused. */
function watch(page: Page, faults: string[]): void {
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (/content security policy|react/i.test(message.text()) && message.type() === "error")
      faults.push(message.text());
  });
}

/** A row of a list by the name of its skill. */
export function row(page: Page, name: string) {
  return page.locator("#main li.skill-row, #main li.setup-row").filter({
    has: page.locator(".skill-name").filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) }),
  });
}

/** A figure for people; no test depends on it. */
export function report(name: string, value: string): void {
  console.log(`    measured: ${name}: ${value}`);
}
