// Something between a browser and the gateway that says so, as a proxy in front of it would: whoever comes through it
// does not count as being on the gateway's machine.

import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class Elsewhere {
  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
    readonly url: string,
  ) {}

  static async start(gateway: string, from = "203.0.113.7"): Promise<Elsewhere> {
    const { host, port } = new URL(gateway);
    const sockets = new Set<Socket>();
    const server = createServer((browser) => {
      const upstream = connect(Number(port), "127.0.0.1");
      for (const socket of [browser, upstream]) {
        sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => sockets.delete(socket));
      }
      browser.on("data", (part: Buffer) => upstream.write(marked(part, host, from)));
      browser.on("end", () => upstream.end());
      upstream.pipe(browser);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Elsewhere(server, sockets, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

/** A request to the gateway with the header that says who asks; what belongs to a WebSocket passes as it is. */
function marked(part: Buffer, gateway: string, from: string): Buffer {
  if (!part.subarray(0, 5).equals(Buffer.from("GET /"))) return part;
  const text = part.toString("latin1");
  return Buffer.from(text.replace(/^host: .*$/im, `Host: ${gateway}\r\nX-Forwarded-For: ${from}`), "latin1");
}
