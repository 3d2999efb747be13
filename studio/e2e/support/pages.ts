// With STUDIO_DIST, pages come from a folder instead of from inside the program: to try pages without building it.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";

const FOLDER = process.env.STUDIO_DIST;

export async function servePages(context: BrowserContext): Promise<void> {
  if (!FOLDER) return;
  await context.route(/^http:\/\/127\.0\.0\.1:\d+\/(?!api\/|ws$|healthz|readyz|metrics)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = join(FOLDER, pathname);
    const isFile = existsSync(file) && statSync(file).isFile();
    await route.fulfill({ path: isFile ? file : join(FOLDER, "index.html") });
  });
}
