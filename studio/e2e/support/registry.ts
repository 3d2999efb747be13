// A registry of our own, with skills that a publisher sent.

import type { ChildProcess } from "node:child_process";
import { ended, run, started } from "./gateway";
import { Home } from "./home";

export class Registry {
  private constructor(
    private readonly home: Home,
    readonly url: string,
    private readonly token: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<Registry> {
    const home = new Home();
    const token = (await run(home, ["registry", "token", "create", "ada"])).trim();
    const [child, url] = await started(
      home,
      ["registry", "serve", "--listen", "127.0.0.1:0"],
      / at (http:\/\/[^; ]+)/,
    );
    return new Registry(home, url, token, child);
  }

  async publish(name: string, version: string, body: string): Promise<void> {
    const description = `Plays ${name}. Use when somebody wants to play ${name}.`;
    this.home.write(`out/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n${body}`);
    const args = ["publish", `out/${name}`, "--version", version, "--changelog", `What came with ${version}`];
    await run(this.home, [...args, "--yes", "--allow-suspicious"], {
      PROWESS_REGISTRY: this.url,
      PROWESS_REGISTRY_TOKEN: this.token,
    });
  }

  async drop(): Promise<void> {
    await ended(this.child, "SIGKILL");
    this.home.drop();
  }
}
