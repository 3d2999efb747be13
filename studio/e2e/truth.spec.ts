// The Studio says only what happened, and what would happen: every statement is compared with the fact behind it.

import { createHash } from "node:crypto";
import { everyState, type Home } from "./support/home";
import { Model } from "./support/model";
import { expect, row, test } from "./support/test";

const QUESTION = "what will the weather be tomorrow, give me a forecast";
const BODY = "Ask the weather service of the canton, never guess.";

interface PromptedSkill {
  name: string;
  path: string;
  how: "listed" | "text" | "map" | "pointer" | "again";
}

const prompted = (name: string, how: PromptedSkill["how"]): PromptedSkill => ({
  name,
  path: `/skills/${name}/SKILL.md`,
  how,
});

/** Stores a text with a session, and gives its hash. */
function stored(home: Home, session: string, text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  home.write(`.prowess/sessions/${session}/prompts/${hash}`, text);
  return hash;
}

/** Writes a session as the engine does: two turns, of which the second one gets the text of a skill. */
function record(home: Home, session: string): void {
  const system = "You have skills.\n- hello\n- weather\n";
  const ranked = [
    { name: "weather", score: 4, confidence: 0.99, loaded: true },
    { name: "slack", score: 3, confidence: 0.2 },
  ];
  const turn = (run: string, at: number, message: string, context: string | undefined) => [
    { at, run, type: "run_started", message, backend: { kind: "model", name: "test", model: "scripted" } },
    { at: at + 1, run, type: "selection", decision: "load", confidence: 0.99, ranked },
    {
      at: at + 2,
      run,
      type: "prompt",
      system: stored(home, session, system),
      ...(context && { context: stored(home, session, context) }),
      message: stored(home, session, message),
      chars: system.length + (context?.length ?? 0),
      listed: 2,
      skills: [
        prompted("hello", "listed"),
        prompted("weather", "listed"),
        ...(context ? [prompted("weather", "text")] : []),
      ],
    },
    { at: at + 3, run, type: "answer", text: "Done." },
    { at: at + 4, run, type: "run_ended", outcome: { result: "unknown", by: "nobody" } },
  ];
  const lines = [
    { at: 1, type: "session", format: 1, session, agent: "main", workspace: home.workspace },
    ...turn("r1", 10, "hello there", undefined),
    ...turn("r2", 20, QUESTION, `${BODY}\n`),
  ];
  home.write(
    `.prowess/sessions/${session}/trace.jsonl`,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

/** A session of version 0.1: a ranking, and no record of the prompt. */
function recordOld(home: Home, session: string): void {
  const lines = [
    { at: 1, type: "session", format: 1, session, agent: "main", workspace: home.workspace },
    { at: 2, run: "r1", type: "run_started", message: QUESTION, backend: { kind: "model", name: "test" } },
    {
      at: 3,
      run: "r1",
      type: "selection",
      decision: "load",
      confidence: 0.99,
      ranked: [{ name: "weather", score: 4, confidence: 0.99, loaded: true }],
    },
    { at: 4, run: "r1", type: "run_ended", outcome: { result: "unknown", by: "nobody" } },
  ];
  home.write(
    `.prowess/sessions/${session}/trace.jsonl`,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

test.describe("sessions", () => {
  const fact = (run: import("@playwright/test").Locator, name: string) =>
    run.locator("dt", { hasText: new RegExp(`^${name}$`) }).locator("xpath=following-sibling::dd[1]");

  test("shown, loaded and used come from the recorded prompt; the ranking is what was considered", async ({
    open,
    page,
    home,
  }) => {
    record(home, "talk");
    await open("/agents/main/sessions/talk");
    const first = page.getByRole("region", { name: "Run: hello there" });
    await expect(fact(first, "Skills shown")).toHaveText(/^hello listed\s*weather listed$/);
    await expect(fact(first, "Loaded")).toHaveText("None");
    const second = page.getByRole("region", { name: `Run: ${QUESTION}` });
    await expect(fact(second, "Skills shown")).toHaveText(/^hello listed\s*weather whole text$/);
    await expect(fact(second, "Loaded")).toHaveText("weather");
    await expect(fact(second, "Used")).toHaveText("None");
    await expect(fact(second, "Considered")).toContainText("slack 20");
    await expect(fact(second, "Skills shown")).not.toContainText("slack");
    await expect(page.getByText("Loaded for the message")).toHaveCount(0);
  });

  test("the exact prompt is one link away, with its difference to the turn before", async ({
    open,
    page,
    home,
  }) => {
    record(home, "talk");
    await open("/agents/main/sessions/talk");
    const second = page.getByRole("region", { name: `Run: ${QUESTION}` });
    await second.getByRole("button", { name: "Show the exact prompt" }).click();
    await expect(page).toHaveURL(/prompt=r2/);
    const dialog = page.getByRole("dialog", { name: "The exact prompt" });
    await expect(dialog.getByRole("region", { name: "System prompt", exact: true })).toHaveText(
      /You have skills\.\s*- hello\s*- weather/,
    );
    await expect(dialog.getByRole("region", { name: "In front of the message", exact: true })).toContainText(
      BODY,
    );
    await expect(dialog.getByText("System prompt: the same.")).toBeVisible();
    const difference = dialog.getByRole("region", { name: "Difference: In front of the message" });
    await expect(difference).toContainText(BODY);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(page).not.toHaveURL(/prompt=/);
  });

  test("a session of version 0.1 says that the prompt was not recorded", async ({ open, page, home }) => {
    recordOld(home, "old");
    await open("/agents/main/sessions/old");
    const run = page.getByRole("region", { name: `Run: ${QUESTION}` });
    await expect(fact(run, "Skills shown")).toHaveText("Not recorded");
    await expect(fact(run, "Loaded")).toHaveText("None");
    await expect(run.getByRole("button", { name: "Show the exact prompt" })).toHaveCount(0);
    await expect(run.getByRole("list", { name: "Timeline" })).toContainText(
      "Best match for the message: weather",
    );
    await expect(run.getByRole("list", { name: "Timeline" })).not.toContainText("Loaded");
  });
});

test.describe("a run", () => {
  let model: Model;
  test.beforeEach(async () => {
    model = await Model.start([{ say: "Rain." }]);
  });
  test.afterEach(() => model.stop());
  test.use({
    world: {
      home: () => {
        const home = everyState({ models: model.config() });
        home.skill("workspace", "weather", {
          description: "Tells the weather of tomorrow. Use for forecasts.",
          body: `${BODY}\n`,
        });
        return home;
      },
    },
  });

  test("is told as the model's request was", async ({ open, page, gateway }) => {
    await open("/agents/main/sessions");
    await page.getByLabel("Task for main").fill(QUESTION);
    await page.getByRole("button", { name: "Start the run" }).click();
    const run = page.getByRole("region", { name: `Run: ${QUESTION}` });
    await expect(run.getByRole("list", { name: "Timeline" })).toContainText("The run ended.");
    const { sessions } = await gateway.call<{ sessions: { sessionId: string }[] }>("sessions.list", {
      agentId: "main",
    });
    interface Got {
      activations: { shown: PromptedSkill[] | null }[];
      summary: { runs: { loaded: string[] }[] };
    }
    const got = await gateway.call<Got>("sessions.get", { session: sessions[0]?.sessionId });
    const shown = got.activations[0]?.shown;
    expect(shown, "the run recorded its prompt").not.toBeNull();
    const request = JSON.stringify(model.requests[0]);
    for (const skill of shown ?? []) expect(request).toContain(skill.name);
    const loaded = got.summary.runs[0]?.loaded ?? [];
    expect(loaded.includes("weather")).toBe(request.includes(BODY));
    const texts = run.locator("dt", { hasText: /^Loaded$/ }).locator("xpath=following-sibling::dd[1]");
    await expect(texts).toHaveText(loaded.join(", ") || "None");
    await run.getByRole("button", { name: "Show the exact prompt" }).click();
    const dialog = page.getByRole("dialog", { name: "The exact prompt" });
    const messages = (model.requests[0] as { messages: { role: string; content: string }[] }).messages;
    const system = messages.find((message) => message.role === "system")?.content ?? "";
    const said = await dialog.getByRole("region", { name: "System prompt", exact: true }).textContent();
    expect(said?.trim()).toBe(system.trim());
  });
});

for (const [name, prompt] of [
  ["as it is by default", {}],
  ["with one list for all messages", { select: "all", preload: false }],
  ["with the best and the text", { select: "top", preload: true }],
] as const) {
  test.describe(`the playground ${name}`, () => {
    test.use({
      world: {
        home: () => {
          const home = everyState({ skills: { prompt, entries: { quiet: { enabled: false } } } });
          home.skill("workspace", "weather", {
            description: "Tells the weather of tomorrow. Use for forecasts.",
            body: `${BODY}\n`,
          });
          return home;
        },
      },
    });

    test("says of a skill what the prompt beside it has", async ({ open, page, gateway }) => {
      await open(`/agents/main/playground?message=${encodeURIComponent(QUESTION)}`);
      interface Prompt {
        text: string;
        context: string | null;
        skills: PromptedSkill[];
      }
      const answer = await gateway.call<Prompt>("skills.prompt", { agentId: "main", message: QUESTION });
      const own = answer.skills.filter((skill) => skill.name === "weather");
      const isWhole = own.some((skill) => skill.how === "text");
      expect(isWhole, "a text that is said to be whole is there").toBe(
        (answer.text + (answer.context ?? "")).includes(BODY),
      );
      const decision = page.locator(".decision-text");
      await expect(decision).toContainText("weather");
      const words = isWhole ? /whole text in the prompt/ : /weather: (listed|not) in the prompt/;
      await expect(decision).toContainText(words);
      const first = page.getByRole("list", { name: "Ranking" }).getByRole("listitem").first();
      await expect(first.getByText("Whole text in the prompt")).toHaveCount(isWhole ? 1 : 0);
      const inside = page.getByRole("list", { name: "Skills in the prompt" });
      await expect(inside.getByRole("listitem")).toHaveCount(
        new Set(answer.skills.map((skill) => skill.name)).size,
      );
      const shown = await page.locator(".playground-side").textContent();
      expect(shown?.includes(BODY)).toBe(isWhole);
    });
  });
}

test.describe("the skills page with a short list", () => {
  test.use({
    world: {
      home: () =>
        everyState({
          skills: {
            prompt: { select: "all" },
            limits: { maxSkillsInPrompt: 1 },
            entries: { quiet: { enabled: false } },
          },
        }),
    },
  });

  test("tells usable skills from those the model is told about", async ({ open, page, gateway }) => {
    interface Told {
      told: { name: string; when: string; reason?: string }[];
      text: string;
    }
    await open("/agents/main/skills");
    const { told, text } = await gateway.call<Told>("skills.prompt", { agentId: "main" });
    const always = told.filter((skill) => skill.when === "always");
    expect(always).toHaveLength(1);
    const counter = (name: string) => page.locator(".counter").filter({ hasText: name }).locator("dd");
    await expect(counter("in every prompt")).toHaveText("1");
    for (const name of ["hello", "tidy", "weather", "shipped"]) {
      const state = row(page, name).locator(".told");
      if (text.includes(`<name>${name}</name>`)) await expect(state).toHaveText("In every prompt");
      else await expect(state).toHaveText(/^Not listed: .+/);
    }
    await expect(row(page, "lacking").locator(".told")).toHaveCount(0);
  });
});

test.describe("the skills page where lists follow the message", () => {
  test.use({
    world: {
      home: () =>
        everyState({
          skills: { prompt: { select: "top", preload: true }, entries: { quiet: { enabled: false } } },
        }),
    },
  });

  test("says that a skill is chosen by the message", async ({ open, page }) => {
    await open("/agents/main/skills");
    await expect(row(page, "hello").locator(".told")).toHaveText("Chosen by message");
    const counter = (name: string) => page.locator(".counter").filter({ hasText: name }).locator("dd");
    await expect(counter("in every prompt")).toHaveText("0");
    await expect(counter("chosen by message")).toHaveText("4");
  });
});

test.describe("settings", () => {
  test.use({
    world: {
      home: () => {
        const home = everyState();
        const text = home.configText();
        home.write(
          ".prowess/prowess.json",
          text.replace('"agents": {', '"agents": { "defaults": { "model": "local/qwen3" },'),
        );
        return home;
      },
    },
  });

  test("an agent without a model of its own is answered for by the default one", async ({ open, page }) => {
    await open("/?settingsAgentId=main&tab=behavior");
    await expect(page.getByText("the default model of all agents answers: local/qwen3")).toBeVisible();
    await expect(page.getByText("cannot answer yet")).toHaveCount(0);
  });

  test("only tools that ask say so", async ({ open, page }) => {
    await open("/?settingsAgentId=main&tab=capabilities");
    const tool = (name: string) =>
      page
        .getByRole("list", { name: "Tools" })
        .getByRole("listitem")
        .filter({ has: page.getByRole("group", { name: `Policy of ${name}` }) });
    await expect(tool("read")).toContainText("It never asks.");
    await expect(tool("read").getByRole("radio", { name: "Ask" })).toHaveCount(0);
    await expect(tool("read").getByRole("radio", { name: "Allow" })).toBeChecked();
    await expect(tool("write")).toContainText("Not set, so it asks before each file.");
    await expect(tool("exec")).toContainText("Not set, so it asks before each command.");
  });
});

test.describe("without any model", () => {
  test("an agent that cannot answer says so", async ({ open, page }) => {
    await open("/?settingsAgentId=main&tab=behavior");
    await expect(page.getByText("No model is set, so this agent cannot answer yet.")).toBeVisible();
  });
});

test.describe("setup", () => {
  test.use({
    world: {
      home: () => {
        const home = everyState();
        home.program("npm", "exit 0");
        home.skill("managed", "bottled", {
          requires: { bins: ["absent-bottle"] },
          install: [{ id: "brew", kind: "brew", formula: "bottle", bins: ["absent-bottle"] }],
        });
        return home;
      },
    },
  });

  test("an installer is offered exactly where a button runs it", async ({ open, page }) => {
    await open("/setup");
    await expect(row(page, "moo").getByText("Installer offered")).toBeVisible();
    for (const [name, runs] of [
      ["moo", 1],
      ["bottled", 0],
    ] as const) {
      await row(page, name)
        .getByRole("button", { name: `Set up ${name}` })
        .click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByText("Loading the plan")).toHaveCount(0);
      await expect(dialog.getByRole("button", { name: "Run this" })).toHaveCount(runs);
      await page.keyboard.press("Escape");
      await expect(row(page, name).getByText("Installer offered")).toHaveCount(runs);
    }
  });
});
