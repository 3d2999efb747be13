// An encoder that is told when to go on: an OpenAI-compatible server for embeddings on a port of its own.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export class HeldEncoder {
  private readonly waiting: (() => void)[] = [];
  private allowed = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Answers at once, except for texts in which `held` is found: those wait for `next`. */
  static async start(held: RegExp): Promise<HeldEncoder> {
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += String(part);
      const { input } = JSON.parse(body) as { input: string | string[] };
      const texts = Array.isArray(input) ? input : [input];
      if (texts.some((text) => held.test(text))) await encoder.turn();
      response.setHeader("content-type", "application/json");
      const data = texts.map((text, index) => ({
        index,
        embedding: /weather/i.test(text) ? [1, 0] : [0, 1],
      }));
      response.end(JSON.stringify({ object: "list", data }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const encoder = new HeldEncoder(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return encoder;
  }

  /** The part of a config that makes it the encoder. */
  config(): object {
    return { match: { encoder: "endpoint", endpoint: { url: this.url, model: "held" } } };
  }

  /** Lets one request go on, now or when it comes. */
  next(): void {
    const first = this.waiting.shift();
    if (first) first();
    else this.allowed += 1;
  }

  stop(): void {
    for (const go of this.waiting) go();
    this.server.closeAllConnections();
    this.server.close();
  }

  private async turn(): Promise<void> {
    if (this.allowed > 0) {
      this.allowed -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
