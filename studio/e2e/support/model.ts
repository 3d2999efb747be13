// A model that follows a script: an OpenAI-compatible server on a port of its own.

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model says, or which tool it calls. `wait` keeps the answer back until it settles. */
export interface Turn {
  say?: string;
  call?: { name: string; arguments: object };
  wait?: Promise<void>;
}

export class Model {
  readonly requests: unknown[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Answers each request with the next turn; after the last one, with "Done.". */
  static async start(script: Turn[]): Promise<Model> {
    const turns = [...script];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += String(part);
      const asked = JSON.parse(body || "{}") as { stream?: boolean };
      model.requests.push(asked);
      const turn = turns.shift() ?? { say: "Done." };
      await answer(turn, asked.stream === true, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const model = new Model(server, `http://127.0.0.1:${port}`);
    return model;
  }

  /** The part of a config that makes it the model `test/scripted`. */
  config(): object {
    return {
      providers: { test: { api: "openai-completions", baseUrl: this.url, apiKey: "sk-scripted" } },
    };
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function answer(turn: Turn, stream: boolean, response: ServerResponse): Promise<void> {
  const calls = turn.call && [
    {
      index: 0,
      id: "call-1",
      type: "function",
      function: { name: turn.call.name, arguments: JSON.stringify(turn.call.arguments) },
    },
  ];
  const finish = calls ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 40, completion_tokens: 8, total_tokens: 48 };
  if (!stream) {
    await turn.wait;
    response.setHeader("content-type", "application/json");
    const message = { role: "assistant", content: turn.say ?? "", ...(calls && { tool_calls: calls }) };
    response.end(JSON.stringify({ id: "c", choices: [{ index: 0, message, finish_reason: finish }], usage }));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const chunk = (delta: object, finish_reason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  chunk({ role: "assistant", content: "" });
  const words = (turn.say ?? "").split(/(?<= )/);
  const [first, ...rest] = words;
  if (first) chunk({ content: first });
  await turn.wait;
  for (const word of rest) chunk({ content: word });
  if (calls) chunk({ tool_calls: calls });
  chunk({}, finish);
  response.write(`data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}
