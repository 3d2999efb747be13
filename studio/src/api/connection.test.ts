import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, gatewayUrl } from "./connection";
import { keepToken, knownToken, takeFromAddress } from "./credentials";
import { GatewayError, NotConnected } from "./errors";

/** A socket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 1;
  sent: { id: string; method: string; params: Record<string, unknown> }[] = [];
  onmessage: ((message: { data: string }) => void) | undefined;
  onclose: ((close: { code: number; reason: string }) => void) | undefined;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string) {
    this.sent.push(JSON.parse(text));
  }

  close(code = 1000, reason = "") {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  says(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  static get last(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
  }
}

const URL = "ws://gateway/ws";
const settle = () => vi.advanceTimersByTimeAsync(1);

async function open(connection: Connection, auth?: object): Promise<FakeSocket> {
  connection.start();
  const socket = FakeSocket.last;
  socket.says({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } });
  await settle();
  const connect = socket.sent[0];
  socket.says({ type: "res", id: connect?.id, ok: true, payload: { protocol: 4, auth } });
  await settle();
  return socket;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  localStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("connection", () => {
  it("answers the challenge and keeps the device token", async () => {
    keepToken(URL, "shared");
    const connection = new Connection(URL);
    const socket = await open(connection, { deviceToken: "own" });
    const params = socket.sent[0]?.params;
    expect(socket.sent[0]?.method).toBe("connect");
    expect(params).toMatchObject({
      minProtocol: 3,
      maxProtocol: 4,
      client: { id: "prowess-studio", mode: "webchat" },
      role: "operator",
      auth: { token: "shared" },
    });
    expect(connection.state.phase).toBe("open");
    expect(knownToken(URL)).toBe("own");
  });

  it("matches answers to requests in any order", async () => {
    const connection = new Connection(URL);
    const socket = await open(connection);
    const first = connection.request("a", {});
    const second = connection.request("b", {});
    const [, a, b] = socket.sent;
    socket.says({
      type: "res",
      id: b?.id,
      ok: false,
      error: { code: "UNAVAILABLE", message: "no" },
      payload: 7,
    });
    socket.says({ type: "res", id: a?.id, ok: true, payload: "yes" });
    await expect(first).resolves.toBe("yes");
    const error = await second.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: "UNAVAILABLE", message: "no", payload: 7 });
  });

  it("stops when it is refused and goes on with another token", async () => {
    const connection = new Connection(URL);
    connection.start();
    const socket = FakeSocket.last;
    socket.says({ type: "event", event: "connect.challenge", payload: { nonce: "n" } });
    await settle();
    socket.says({
      type: "res",
      id: socket.sent[0]?.id,
      ok: false,
      error: { code: "INVALID_REQUEST", message: "token missing", details: { code: "AUTH_TOKEN_MISSING" } },
    });
    await settle();
    expect(connection.state).toMatchObject({ phase: "refused", code: "AUTH_TOKEN_MISSING" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    connection.presentToken("typed");
    expect(FakeSocket.all).toHaveLength(2);
    expect(knownToken(URL)).toBe("typed");
  });

  it("tries again when it is lost, and fails what was asked", async () => {
    const connection = new Connection(URL);
    const socket = await open(connection);
    const asked = connection.request("a", {}).catch((caught: unknown) => caught);
    socket.close(1012, "restart");
    expect(await asked).toBeInstanceOf(NotConnected);
    expect(connection.state).toMatchObject({ phase: "lost", reason: "restart", attempt: 1 });
    await expect(connection.request("b", {})).rejects.toBeInstanceOf(NotConnected);
    await vi.advanceTimersByTimeAsync(600);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.close(1006);
    expect(connection.state).toMatchObject({ phase: "lost", attempt: 2 });
  });

  it("tells of events, and of a gap in their numbers", async () => {
    const connection = new Connection(URL);
    const socket = await open(connection);
    const seen: string[] = [];
    connection.onEvent((frame) => seen.push(frame.event));
    socket.says({ type: "event", event: "tick", seq: 1 });
    socket.says({ type: "event", event: "tick", seq: 2 });
    socket.says({ type: "event", event: "run", seq: 5 });
    socket.onmessage?.({ data: "no frame" });
    expect(seen).toEqual(["tick", "tick", "studio.gap", "run"]);
  });

  it("lets those wait who can until it is open", async () => {
    const connection = new Connection(URL);
    let opened = false;
    const waiting = connection.opened().then(() => {
      opened = true;
    });
    await settle();
    expect(opened).toBe(false);
    await open(connection);
    await waiting;
    expect(opened).toBe(true);
  });
});

describe("a one-time code", () => {
  const refuse = async (socket: FakeSocket) => {
    socket.says({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } });
    await settle();
    const details = { code: "CODE_EXPIRED" };
    const error = { code: "INVALID_REQUEST", message: "This link has expired.", details };
    socket.says({ type: "res", id: socket.sent[0]?.id, ok: false, error });
    await settle();
  };

  it("is presented before the token and leads to a token for this browser", async () => {
    keepToken(URL, "old");
    const connection = new Connection(URL);
    connection.start("one-time");
    const socket = await open(connection, { deviceToken: "own" });
    expect(socket.sent[0]?.params.auth).toEqual({ bootstrapToken: "one-time" });
    expect(knownToken(URL)).toBe("own");
    const next = await open(connection);
    expect(next.sent[0]?.params.auth).toEqual({ token: "own" });
  });

  it("that expired is told, unless this browser is known", async () => {
    const connection = new Connection(URL);
    connection.start("late");
    await refuse(FakeSocket.last);
    expect(connection.state).toMatchObject({ phase: "refused", code: "CODE_EXPIRED" });
    keepToken(URL, "own");
    connection.start("later");
    await refuse(FakeSocket.last);
    const socket = FakeSocket.last;
    socket.says({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } });
    await settle();
    expect(socket.sent[0]?.params.auth).toEqual({ token: "own" });
  });
});

describe("credentials", () => {
  it("takes the token out of the address and leaves the rest", () => {
    history.replaceState(null, "", "/setup?skill=a#token=abc&x=1");
    expect(takeFromAddress(URL)).toBeUndefined();
    expect(location.href).toMatch(/\/setup\?skill=a#x=1$/);
    expect(knownToken(URL)).toBe("abc");
    expect(takeFromAddress(URL)).toBeUndefined();
  });

  it("takes a one-time code out of the address and keeps it nowhere", () => {
    history.replaceState(null, "", "/#code=abc");
    expect(takeFromAddress(URL)).toBe("abc");
    expect(location.href).toMatch(/\/$/);
    expect(JSON.stringify({ ...localStorage })).not.toContain("abc");
  });

  it("finds the gateway where the page came from", () => {
    expect(gatewayUrl({ protocol: "https:", host: "h:1" } as Location)).toBe("wss://h:1/ws");
    expect(gatewayUrl({ protocol: "http:", host: "127.0.0.1:18789" } as Location)).toBe(
      "ws://127.0.0.1:18789/ws",
    );
  });
});
