// Homes: real folders with skills, agents and programs, thrown away after the test.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const TOKEN = "a-token-for-tests-that-is-long-enough-0123456789";

/** What stands at the top of a skill beside its name and description. */
export interface Skill {
  description?: string;
  requires?: { bins?: string[]; anyBins?: string[]; env?: string[]; config?: string[] };
  os?: string[];
  primaryEnv?: string;
  install?: object[];
  body?: string;
}

type Config = Record<string, unknown>;

/** A home folder of one test. */
export class Home {
  readonly root = mkdtempSync(join(tmpdir(), "prowess-studio-"));
  readonly workspace = this.path("ws");
  readonly managed = this.path(".prowess/skills");
  readonly bundled = this.path("bundled");
  readonly bin = this.path("bin");
  readonly configFile = this.path(".prowess/prowess.json");

  constructor() {
    for (const folder of [this.workspace, this.path("writer"), this.managed, this.bundled, this.bin])
      mkdirSync(folder, { recursive: true });
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  write(file: string, text: string): string {
    const path = this.path(file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  remove(file: string): void {
    rmSync(this.path(file), { recursive: true });
  }

  /** Writes `<folder>/<name>/SKILL.md`. */
  skill(folder: "managed" | "bundled" | "workspace" | "writer", name: string, skill: Skill = {}): string {
    const places = {
      managed: ".prowess/skills",
      bundled: "bundled",
      workspace: "ws/skills",
      writer: "writer/skills",
    };
    const {
      description = `Does ${name}. Use when ${name} is wanted.`,
      body = `# ${name}\n`,
      ...needs
    } = skill;
    const metadata = JSON.stringify({ prowess: needs });
    return this.write(
      `${places[folder]}/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${description}\nmetadata: ${metadata}\n---\n${body}`,
    );
  }

  /** A program that the gateway finds. */
  program(name: string, script: string): void {
    chmodSync(this.write(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
  }

  /** The config as a value; comments are the fixture's own and stand on lines of their own. */
  config(): Config {
    return JSON.parse(this.configText().replace(/^\s*\/\/.*$/gm, "")) as Config;
  }

  configText(): string {
    return readFileSync(this.configFile, "utf8");
  }

  /** The entry of one agent, exactly as it is written. */
  agentText(id: string): string {
    const found = new RegExp(`\\{ "id": "${id}"[^\\n]*\\}`).exec(this.configText());
    if (!found) throw new Error(`no entry of ${id} on one line in ${this.configText()}`);
    return found[0];
  }

  /** Writes the config with two agents. `main` is one line with a comment before it, as people write it. */
  writeConfig(more: Config = {}): void {
    const main = `{ "id": "main", "default": true, "workspace": "${this.workspace}"${model(more)} }`;
    const writer = `{ "id": "writer", "name": "Writer", "workspace": "${this.path("writer")}"${model(more)} }`;
    const rest = Object.entries({ gateway: { auth: { token: TOKEN } }, ...more }).map(
      ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    this.write(
      ".prowess/prowess.json",
      `{\n  // Two agents that work in places of their own.\n  "agents": { "list": [\n    ${main},\n    ${writer}\n  ] },\n${rest.join(",\n")}\n}\n`,
    );
  }

  drop(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function model(config: Config): string {
  return "models" in config ? `, "model": "test/scripted"` : "";
}

/** A home in which every state of a skill occurs. */
export function everyState(more: Config = {}): Home {
  const home = new Home();
  home.skill("managed", "hello", {
    description: "Says hello to people. Use when somebody wants a greeting.",
  });
  home.skill("managed", "tidy", { description: "Tidies folders up. Use when a folder is a mess." });
  home.skill("bundled", "weather", { description: "The bundled weather." });
  home.skill("workspace", "weather", { description: "Tells the weather of tomorrow. Use for forecasts." });
  home.skill("bundled", "shipped", {
    description: "Comes with the program. Use when nothing else is there.",
  });
  home.skill("managed", "lacking", {
    requires: {
      bins: ["absent-one", "absent-two"],
      anyBins: ["either-a", "either-b"],
      env: ["LACKING_URL"],
      config: ["channels.lacking"],
    },
  });
  home.skill("managed", "mac-only", { os: ["darwin"], requires: { bins: ["absent-mac"] } });
  home.skill("managed", "notes", { requires: { env: ["NOTES_TOKEN"] }, primaryEnv: "NOTES_TOKEN" });
  home.skill("managed", "moo", {
    description: "Lets a cow speak. Use when a cow has something to say.",
    requires: { bins: ["moothing"] },
    install: [
      { id: "npm", kind: "node", package: "moothing", bins: ["moothing"], label: "Install moothing (npm)" },
    ],
  });
  home.skill("managed", "quiet", {});
  home.writeConfig({ skills: { entries: { quiet: { enabled: false } } }, ...more });
  return home;
}

/** A home without any skill. */
export function emptyHome(more: Config = {}): Home {
  const home = new Home();
  home.writeConfig(more);
  return home;
}

/** A home with many skills; every third lacks a program. */
export function manySkills(count: number, more: Config = {}): Home {
  const home = new Home();
  const topics = [
    "mail",
    "calendar",
    "photos",
    "music",
    "travel",
    "code",
    "news",
    "notes",
    "weather",
    "lights",
  ];
  for (let index = 0; index < count; index += 1) {
    const topic = topics[index % topics.length] ?? "mail";
    const name = `${topic}-${String(index).padStart(3, "0")}`;
    // One folder of skills has at most 200.
    home.skill(index % 2 === 0 ? "managed" : "workspace", name, {
      description: `Looks after ${topic}, part ${index}: finds, sorts and changes it. Use when somebody asks about ${topic}.`,
      ...(index % 3 === 0 && { requires: { bins: [`absent-${index}`] } }),
    });
  }
  home.writeConfig(more);
  return home;
}
