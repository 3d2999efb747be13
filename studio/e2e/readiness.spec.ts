// Readiness clarity: what is blocked, and why.

import { Gateway } from "./support/gateway";
import { manySkills } from "./support/home";
import { servePages } from "./support/pages";
import { expect, report, row, test } from "./support/test";

test("R1 four states have four looks and four texts, and are readable without colour", async ({
  open,
  page,
}) => {
  await open("/agents/main/skills");
  const states = {
    hello: "Ready",
    lacking: "Setup required",
    "mac-only": "Not supported",
    quiet: "Switched off for all",
  };
  const looks = new Set<string>();
  const icons = new Set<string>();
  for (const [name, text] of Object.entries(states)) {
    const chip = row(page, name).locator(".chip").first();
    await expect(chip).toHaveText(text);
    icons.add(await chip.locator("svg").innerHTML());
    looks.add(
      await chip.evaluate((element) => {
        const style = getComputedStyle(element);
        return [style.color, style.backgroundColor, style.borderColor].join(" ");
      }),
    );
  }
  expect(looks.size).toBe(4);
  expect(icons.size).toBe(4);
});

test("R2 allowed-but-blocked and ready-but-not-allowed can be told apart in one row", async ({
  open,
  page,
}) => {
  await open("/agents/main/skills");
  await expect(row(page, "lacking").locator(".verdict")).toHaveText("Allowed, but blocked");
  await expect(row(page, "hello").locator(".verdict")).toHaveText("Usable");
  await page.getByRole("switch", { name: "Skill hello" }).click();
  await expect(row(page, "hello").locator(".verdict")).toHaveText("Ready, but not allowed");
  await expect(row(page, "hello").locator(".chip").first()).toHaveText("Ready");
  await page.getByRole("switch", { name: "Skill lacking" }).click();
  await expect(row(page, "lacking").locator(".verdict")).toHaveText("Not allowed, and blocked");
  await expect(page.getByRole("switch", { name: "Skill lacking" })).toHaveAccessibleDescription(
    "Not allowed, and blocked",
  );
});

test("R3 everything that is missing is listed, and what no set-up can change comes first", async ({
  open,
  page,
}) => {
  const all = [
    "Program absent-one is not installed",
    "Program absent-two is not installed",
    "None of the programs either-a or either-b is installed",
    "The environment variable LACKING_URL is not set",
    "The setting channels.lacking is not switched on",
  ];
  await open("/agents/main/skills");
  const reasons = (name: string) => row(page, name).locator(".reasons li");
  await expect(reasons("lacking")).toHaveText(all);
  await expect(reasons("mac-only")).toHaveText([
    "Made for macOS; the gateway runs on another system",
    "Program absent-mac is not installed",
  ]);
  await open("/setup?state=any");
  await expect(reasons("lacking")).toHaveText(all);
  await expect(reasons("mac-only").first()).toHaveText("Made for macOS; the gateway runs on another system");
  await page.getByRole("button", { name: "Set up lacking" }).click();
  await expect(page.getByRole("dialog").locator(".needs li")).toHaveText(all);
});

test("R4 counters count usable skills apart from allowed ones", async ({ open, page, gateway }) => {
  interface Status {
    skills: { name: string; eligible: boolean; blockedByAgentFilter: boolean; missing: { os: string[] } }[];
  }
  const status = () => gateway.call<Status>("skills.status", { agentId: "main" });
  await open("/agents/main/skills");
  await page.getByRole("switch", { name: "Skill hello" }).click();
  await expect(row(page, "hello").locator(".verdict")).toHaveText("Ready, but not allowed");
  // The row shows the change before the gateway has made it.
  const blocked = async () => (await status()).skills.find((skill) => skill.name === "hello");
  await expect.poll(blocked).toMatchObject({ blockedByAgentFilter: true });
  const { skills } = await status();
  const allowed = skills.filter((skill) => !skill.blockedByAgentFilter);
  const counter = (name: string) => page.locator(".counter").filter({ hasText: name }).locator("dd");
  await expect(counter("usable")).toHaveText(String(allowed.filter((skill) => skill.eligible).length));
  await expect(page.locator(".counter").nth(1).locator("dd")).toHaveText(
    String(allowed.filter((skill) => skill.missing.os.length === 0).length),
  );
  await expect(counter("in total")).toHaveText(String(skills.length));
});

test("R5 search and filters combine, counts follow, and an empty result offers to clear", async ({
  open,
  page,
}) => {
  await open("/agents/main/skills");
  const states = page.getByRole("group", { name: "State" });
  const search = page.getByRole("searchbox", { name: "Search the skills" });
  await expect(states.getByRole("button", { name: /^All/ })).toHaveText("All9");
  await search.fill("use when");
  await states.getByRole("button", { name: /^Ready/ }).click();
  await expect(page).toHaveURL(/q=use\+when/);
  await expect(page).toHaveURL(/state=ready/);
  await expect(row(page, "hello")).toBeVisible();
  await expect(row(page, "lacking")).toHaveCount(0);
  await search.fill("cow");
  await expect(states.getByRole("button", { name: /^Ready/ })).toHaveText("Ready0");
  await expect(states.getByRole("button", { name: /^Setup required/ })).toHaveText("Setup required1");
  await expect(page.getByRole("heading", { name: "No skills match" })).toBeVisible();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await expect(search).toHaveValue("");
  await expect(states.getByRole("button", { name: /^All/ })).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".skill-row")).toHaveCount(9);
  await page.getByRole("combobox", { name: /^Source/ }).selectOption("Bundled");
  await expect(page.locator(".skill-row")).toHaveCount(1);
  await page.getByRole("combobox", { name: /^Access/ }).selectOption("Not allowed");
  await expect(page.getByRole("heading", { name: "No skills match" })).toBeVisible();
});

test("R6 a row that is not supported shows no switch", async ({ open, page }) => {
  await open("/agents/main/skills");
  await expect(row(page, "mac-only")).toContainText("No switch");
  await expect(page.getByRole("switch", { name: "Skill mac-only" })).toHaveCount(0);
  await expect(page.getByRole("switch", { name: "Skill hello" })).toBeVisible();
});

test("R7 the list follows files and the config without a reload", async ({ open, page, home }) => {
  const since = async (what: string, change: () => void, seen: () => Promise<void>) => {
    const before = performance.now();
    change();
    await seen();
    report(what, `${Math.round(performance.now() - before)} ms`);
  };
  await open("/agents/writer/skills");
  await expect(row(page, "hello")).toBeVisible();
  await since(
    "a skill added on disk is shown",
    () => home.skill("writer", "fresh", { description: "Something fresh." }),
    () => expect(row(page, "fresh")).toBeVisible(),
  );
  await since(
    "a skill edited on disk is shown",
    () => home.skill("writer", "fresh", { description: "Another text." }),
    () => expect(row(page, "fresh")).toContainText("Another text."),
  );
  await since(
    "a skill removed on disk is gone",
    () => home.remove("writer/skills/fresh"),
    () => expect(row(page, "fresh")).toHaveCount(0),
  );
  await since(
    "a config edited on disk is shown",
    () => {
      const text = home.configText().replace('"name": "Writer"', '"name": "Writer", "skills": ["hello"]');
      home.write(".prowess/prowess.json", text);
    },
    () => expect(page.getByText("Selected skills")).toBeVisible(),
  );
});

test.describe("with 300 skills", () => {
  let gateway: Gateway;
  test.beforeAll(async () => {
    gateway = await Gateway.start(manySkills(300));
  });
  test.afterAll(() => gateway.drop());

  test("R8 300 skills: first paint and a search keystroke, measured", async ({ page }) => {
    await page.goto(gateway.at("/setup"));
    await expect(page.locator(".setup-row")).toHaveCount(100);
    // From the click to the painted rows, the data being there.
    const paint = await page.evaluate(async () => {
      const link = [...document.querySelectorAll("nav a")].find((one) => one.textContent === "Skills");
      const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const before = performance.now();
      (link as HTMLElement).click();
      while (!document.querySelector(".skill-row")) await painted();
      await painted();
      return performance.now() - before;
    });
    await expect(page.locator(".skill-row")).toHaveCount(300);
    report("first paint of 300 skills", `${paint.toFixed(0)} ms`);
    const strokes: number[] = [];
    await page.getByRole("searchbox").focus();
    for (const key of "weather") {
      strokes.push(
        await page.evaluate((letter) => {
          const field = document.querySelector("input[type=search]") as HTMLInputElement;
          const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
          const before = performance.now();
          set?.call(field, field.value + letter);
          field.dispatchEvent(new Event("input", { bubbles: true }));
          return new Promise<number>((done) =>
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - before))),
          );
        }, key),
      );
    }
    report("search keystrokes among 300 skills", `${strokes.map((ms) => ms.toFixed(0)).join(", ")} ms`);
    await expect(page.locator(".skill-row")).toHaveCount(30);
  });

  test("R8 from an empty cache: first contentful paint and the first rows, measured", async ({ browser }) => {
    const firsts: number[] = [];
    const rows: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      // A context of its own has a cache of its own.
      const context = await browser.newContext();
      await servePages(context);
      const page = await context.newPage();
      await page.addInitScript(() => {
        const watch = new MutationObserver(() => {
          if (!document.querySelector(".skill-row")) return;
          watch.disconnect();
          requestAnimationFrame(() => setTimeout(() => performance.mark("rows")));
        });
        watch.observe(document, { childList: true, subtree: true });
      });
      await page.goto(gateway.at("/agents/main/skills"));
      await expect(page.locator(".skill-row")).toHaveCount(300);
      const at = (name: string) =>
        page.evaluate((one) => performance.getEntriesByName(one)[0]?.startTime ?? Number.NaN, name);
      firsts.push(await at("first-contentful-paint"));
      rows.push(await at("rows"));
      await context.close();
    }
    expect([...firsts, ...rows].every(Number.isFinite)).toBe(true);
    report("first contentful paint, from an empty cache", spread(firsts));
    report("first rows of 300 skills, from an empty cache", spread(rows));
  });
});

/** The median of some figures, and the least and the most. */
function spread(figures: number[]): string {
  const sorted = figures.toSorted((a, b) => a - b).map((ms) => ms.toFixed(0));
  return `${sorted[Math.floor(sorted.length / 2)]} ms (${sorted[0]} to ${sorted.at(-1)})`;
}
