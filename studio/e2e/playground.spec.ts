// The playground: what a message would bring into the prompt.

import { HeldEncoder } from "./support/encoder";
import { emptyHome, manySkills } from "./support/home";
import { expect, test } from "./support/test";
import { Wire } from "./support/wire";

const QUESTION = "what will the weather be tomorrow, give me a forecast";

test("a message is ranked with its parts, decided on a scale, and put into the prompt", async ({
  open,
  page,
  gateway,
}) => {
  await open("/agents/main/playground");
  await expect(page.getByRole("heading", { name: "Write a message" })).toBeVisible();
  await page.getByLabel("Message").fill(QUESTION);
  await expect(page).toHaveURL(/message=what/);
  const first = page.getByRole("list", { name: "Ranking" }).getByRole("listitem").first();
  await expect(first).toContainText("weather");
  interface Match {
    results: { name: string; score: number }[];
    threshold: number;
  }
  const match = await gateway.call<Match>("skills.match", {
    agentId: "main",
    message: QUESTION,
    files: [],
    top: 10,
  });
  await expect(first).toContainText(`score ${match.results[0]?.score.toFixed(1)}`);
  // What speaks for it and what speaks against it, as bars and in words.
  await expect(first.getByRole("img")).toHaveAccessibleName(/^For \d.*, against \d.*: Meaning \+\d/);
  await expect(first.locator(".bar.pro > .kind-meaning")).toBeVisible();
  await expect(first.locator(".bar.con > .kind-bar")).toBeVisible();
  await first.locator("summary").click();
  const reasons = first.getByRole("list", { name: "For and against weather" });
  await expect(reasons).toContainText("Its meaning is");
  await expect(reasons).toContainText("Shared words: “weather” in its");
  await expect(reasons).toContainText("The message");
  await expect(page.getByRole("list", { name: "Against weather", exact: true })).toBeVisible();
  for (const jargon of [/cosine/i, /log odds/i, /logit/i, /deviation/i])
    await expect(page.locator(".playground-main")).not.toContainText(jargon);
  await expect(page.getByRole("img", { name: /^Confidence: .*clear match from/ })).toBeVisible();
  await expect(page.getByRole("list", { name: "Skills in the prompt" })).toContainText("weather");
  await expect(page.getByRole("list", { name: "Left out of the prompt" })).toContainText("lacking");
  await expect(page.getByText(/\d+ (of \d+ )?characters/)).toBeVisible();
});

test("the address can be shared; that nothing fits is an answer; a failure is told", async ({
  open,
  page,
}) => {
  const wire = await Wire.tap(page);
  await open(`/agents/writer/playground?message=${encodeURIComponent("zzz qqq xxyyzz")}`);
  await expect(page.getByLabel("Message")).toHaveValue("zzz qqq xxyyzz");
  await expect(page.locator(".decision-text")).toContainText("No skill");
  await expect(page.getByRole("list", { name: /^Against / })).toContainText("Too little speaks for it");
  await expect(page.getByRole("alert")).toHaveCount(0);
  wire.refuse("skills.match", "the encoder is missing");
  await page.getByLabel("Message").fill("something else");
  await expect(page.getByRole("alert")).toContainText("the encoder is missing", { ignoreCase: true });
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test.describe("without any skill", () => {
  test.use({ world: { home: emptyHome } });
  test("the ranking says that there is none", async ({ open, page }) => {
    await open("/agents/main/playground?message=hello");
    await expect(page.getByText("No skills to rank")).toBeVisible();
  });
});

test.describe("while skills are read", () => {
  let encoder: HeldEncoder;
  test.beforeEach(async () => {
    encoder = await HeldEncoder.start(/Looks after/);
  });
  test.afterEach(() => encoder.stop());
  test.use({ world: { home: () => manySkills(40, { skills: encoder.config() }) } });

  test("words answer meanwhile, a bar shows how far it is, and the answer is refreshed", async ({
    open,
    page,
  }) => {
    await open(`/agents/main/playground?message=${encodeURIComponent(QUESTION)}`);
    const preparing = page.locator(".preparing");
    await expect(preparing).toContainText("Reading skills: 0 of 40");
    await expect(preparing).toContainText("by their words alone");
    const first = page.getByRole("list", { name: "Ranking" }).getByRole("listitem").first();
    await expect(first).toContainText("weather");
    await first.locator("summary").click();
    await expect(first).toContainText("Its meaning has not been read yet");
    encoder.next();
    await expect(page.getByRole("progressbar", { name: "Reading skills: 32 of 40" })).toBeVisible();
    encoder.next();
    await expect(preparing).toHaveCount(0);
    await expect(first).toContainText("Its meaning is");
  });
});
