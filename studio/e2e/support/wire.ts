// The wire between a page and its gateway: everything is passed on and noted; answers can be held or replaced.

import type { Page } from "@playwright/test";

interface Frame {
  type: string;
  id?: string;
  method?: string;
  event?: string;
  params?: unknown;
  ok?: boolean;
}

interface Refusal {
  code: string;
  message: string;
  details?: unknown;
}

export class Wire {
  /** Every frame, as text, in both directions. */
  readonly sent: string[] = [];
  readonly received: string[] = [];
  private readonly refusals: { method: string; error: Refusal; times: number }[] = [];
  private readonly held = new Map<string, (() => void)[]>();
  private readonly muted = new Set<string>();

  /** Comes between before the page is opened. */
  static async tap(page: Page): Promise<Wire> {
    const wire = new Wire();
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      const waiting = new Map<string, string>();
      socket.onMessage((message) => {
        const frame = parse(message);
        wire.sent.push(String(message));
        const refused = wire.refusals.find((one) => one.method === frame.method && one.times > 0);
        if (refused && frame.id) {
          refused.times -= 1;
          socket.send(JSON.stringify({ type: "res", id: frame.id, ok: false, error: refused.error }));
          return;
        }
        if (frame.id && frame.method && wire.held.has(frame.method)) waiting.set(frame.id, frame.method);
        server.send(message);
      });
      server.onMessage((message) => {
        wire.received.push(String(message));
        const frame = parse(message);
        const method = frame.type === "res" && frame.id ? waiting.get(frame.id) : undefined;
        const held = method === undefined ? undefined : wire.held.get(method);
        if (frame.event && wire.muted.has(frame.event)) return;
        if (held) held.push(() => socket.send(message));
        else socket.send(message);
      });
    });
    return wire;
  }

  /** Answers the next calls of a method with an error instead of passing them on. */
  refuse(method: string, message: string, times = 1, more: Partial<Refusal> = {}): void {
    this.refusals.push({ method, times, error: { code: "UNAVAILABLE", message, ...more } });
  }

  /** Keeps answers of a method back until `release`. */
  hold(method: string): void {
    this.held.set(method, []);
  }

  release(method: string): void {
    const answers = this.held.get(method) ?? [];
    this.held.delete(method);
    for (const pass of answers) pass();
  }

  /** Lets no event of this name through until `unmute`. */
  mute(event: string): void {
    this.muted.add(event);
  }

  unmute(event: string): void {
    this.muted.delete(event);
  }

  /** How often a method was called. */
  calls(method: string): number {
    return this.sent.filter((text) => parse(text).method === method).length;
  }
}

function parse(message: string | Buffer): Frame {
  return JSON.parse(String(message)) as Frame;
}
