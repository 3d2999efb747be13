// A real gateway of its own for a test: its own process, port and home.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Home, TOKEN } from "./home";

/** The program under test in the environment of a home. */
function spawned(home: Home, args: string[], env: Record<string, string> = {}): ChildProcess {
  const program = process.env.PROWESS;
  if (!program) throw new Error("PROWESS must name the prowess program");
  return spawn(program, args, {
    cwd: home.root,
    env: {
      HOME: home.root,
      PATH: `${home.bin}:/usr/bin:/bin`,
      PROWESS_BUNDLED_SKILLS_DIR: home.bundled,
      LANG: "C.UTF-8",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs the program to its end; what it wrote to standard output. */
export async function run(home: Home, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawned(home, args, env);
  let output = "";
  let errors = "";
  child.stdout?.on("data", (text: Buffer) => {
    output += text.toString();
  });
  child.stderr?.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`prowess ${args.join(" ")} ended (${code}): ${output} ${errors}`);
  return output;
}

/** Starts the program and waits for the line of its output that `told` finds something in. */
export async function started(home: Home, args: string[], told: RegExp): Promise<[ChildProcess, string]> {
  const child = spawned(home, args);
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const found = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      const match = told.exec(line);
      if (match?.[1]) resolve(match[1]);
    });
    child.on("exit", (code) => reject(new Error(`prowess ${args.join(" ")} ended (${code}): ${errors}`)));
  });
  return [child, found];
}

export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

export class Gateway {
  private constructor(
    readonly home: Home,
    readonly url: string,
    private child: ChildProcess,
  ) {}

  static async start(home: Home): Promise<Gateway> {
    const [child, url] = await started(home, ["gateway", "--port", "0"], /Serving at (http:\/\/[^/; ]+)/);
    return new Gateway(home, url, child);
  }

  /** An address of the Studio with the token. */
  at(path: string): string {
    return `${this.url}${path}#token=${TOKEN}`;
  }

  /** An address with a one-time code, as the person at the terminal gets it. */
  async oneTimeUrl(): Promise<string> {
    return (await run(this.home, ["gateway", "url"])).trim();
  }

  async stop(): Promise<void> {
    await ended(this.child, "SIGTERM");
  }

  /** Starts it again at the same address. */
  async startAgain(): Promise<void> {
    const port = new URL(this.url).port;
    [this.child] = await started(this.home, ["gateway", "--port", port], /Serving at (http:\/\/[^/; ]+)/);
  }

  /** Calls a method over HTTP, beside the browser. */
  async call<T = Record<string, unknown>>(method: string, params: object = {}): Promise<T> {
    const { status, body } = await this.post(`/api/v1/${method}`, params);
    if (status !== 200) throw new Error(`${method}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }

  async post(path: string, params: object): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(params),
    });
    return { status: answer.status, body: await answer.json() };
  }

  async drop(): Promise<void> {
    await ended(this.child, "SIGKILL");
    this.home.drop();
  }
}
