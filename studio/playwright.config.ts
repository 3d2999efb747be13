import { defineConfig } from "@playwright/test";

const isRoot = process.getuid?.() === 0;

// One worker: every file has gateways of its own, and the figures that are reported mean nothing side by side.
export default defineConfig({
  testDir: "e2e",
  outputDir: "../target/studio-results",
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 860 },
    actionTimeout: 15_000,
    locale: "en-GB",
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        // Chromium's own sandbox refuses to work for root.
        ...(isRoot ? ["--no-sandbox"] : []),
        // Pages that come from a folder (see support/pages.ts) have no address, and may reach none otherwise.
        ...(process.env.STUDIO_DIST ? ["--disable-features=LocalNetworkAccessChecks"] : []),
      ],
    },
  },
});
