// One WebSocket to the gateway that the page came from, made again when it breaks.

import { version } from "../../package.json";
import { dropToken, keepToken, knownToken } from "./credentials";
import { detailCode, GatewayError, NotConnected } from "./errors";
import { type EventFrame, type Hello, parseFrame, type ResponseFrame } from "./frames";
import { type Identity, loadIdentity, signedText } from "./identity";

export type ConnectionState =
  /** Trying for the first time. */
  | { phase: "connecting" }
  | { phase: "open"; hello: Hello }
  /** It was open; the next try is at `retryAt`. */
  | { phase: "lost"; reason: string; attempt: number; retryAt: number }
  /** The gateway does not let us in, and trying again would not help. */
  | { phase: "refused"; error: Error; code: string | undefined };

const CLIENT = { id: "prowess-studio", mode: "webchat" } as const;
const ROLE = "operator";
const SCOPES = [
  "operator.read",
  "operator.write",
  "operator.admin",
  "operator.approvals",
  "operator.pairing",
];
/** The protocol's challenge comes at once; a gateway that sends none gets an unsigned connect. */
const CHALLENGE_WAIT_MS = 5000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;

interface Waiting {
  resolve: (payload: unknown) => void;
  reject: (error: Error) => void;
}

export class Connection {
  readonly url: string;
  /** The id of this browser, once it was presented. */
  deviceId: string | undefined;
  #state: ConnectionState = { phase: "connecting" };
  #socket: WebSocket | undefined;
  #waiting = new Map<string, Waiting>();
  #listeners = new Set<() => void>();
  #eventListeners = new Set<(event: EventFrame) => void>();
  #identity: Promise<Identity | undefined> | undefined;
  #attempt = 0;
  #sequence: number | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #wasOpen = false;
  #counter = 0;
  #code: string | undefined;

  constructor(url: string) {
    this.url = url;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Tells `listener` about each change of the state; returns how to stop it. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells `listener` about each event; returns how to stop it. */
  onEvent(listener: (event: EventFrame) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Opens the connection, at once even if a later try is planned. A one-time code is presented until it is answered. */
  start(code?: string): void {
    if (code) this.#code = code;
    clearTimeout(this.#retry);
    this.#socket?.close();
    if (!this.#wasOpen) this.#set({ phase: "connecting" });
    this.#open();
  }

  /** Starts again with another token. */
  presentToken(token: string): void {
    keepToken(this.url, token);
    this.#attempt = 0;
    this.start();
  }

  /** Forgets the token of this browser. */
  signOut(): void {
    dropToken(this.url);
    this.#wasOpen = false;
    this.start();
  }

  /** Asks the gateway; fails at once while there is no connection. */
  request(method: string, params: unknown): Promise<unknown> {
    const socket = this.#socket;
    if (this.#state.phase !== "open" || socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new NotConnected("Not connected to the gateway; nothing was changed"));
    }
    return this.#send(socket, method, params);
  }

  /** Resolves when requests can be made; fails when the gateway refuses us or the signal says stop. */
  opened(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        if (this.#state.phase === "open") resolve();
        else if (this.#state.phase === "refused") reject(this.#state.error);
        else if (signal?.aborted) reject(new NotConnected());
        else return;
        stop();
      };
      const stop = this.subscribe(settle);
      signal?.addEventListener("abort", settle, { once: true });
      settle();
    });
  }

  #send(socket: WebSocket, method: string, params: unknown): Promise<unknown> {
    this.#counter += 1;
    const id = `s${this.#counter}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ type: "req", id, method, params }));
    });
  }

  #open(): void {
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#sequence = undefined;
    let begun = false;
    const begin = (nonce: string) => {
      if (begun || this.#socket !== socket) return;
      begun = true;
      clearTimeout(patience);
      this.#greet(socket, nonce).catch((error: Error) => this.#refuse(socket, error));
    };
    const patience = setTimeout(() => begin(""), CHALLENGE_WAIT_MS);
    socket.onmessage = (message) => {
      const frame = parseFrame(message.data);
      if (frame?.type === "res") this.#answer(frame);
      else if (frame?.event === "connect.challenge") begin(nonceOf(frame));
      else if (frame && this.#state.phase === "open") this.#event(frame);
    };
    socket.onclose = (close) => {
      clearTimeout(patience);
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#fail(new NotConnected());
      if (this.#state.phase !== "refused") this.#planRetry(close.reason || `closed (${close.code})`);
    };
  }

  async #greet(socket: WebSocket, nonce: string): Promise<void> {
    const code = this.#code;
    const token = code ?? knownToken(this.url) ?? "";
    this.#identity ??= loadIdentity();
    const identity = await this.#identity;
    this.deviceId = identity?.id;
    const signedAt = Date.now();
    const device = identity && {
      id: identity.id,
      publicKey: identity.publicKey,
      signedAt,
      nonce,
      signature: await identity.sign(
        signedText({
          deviceId: identity.id,
          clientId: CLIENT.id,
          mode: CLIENT.mode,
          role: ROLE,
          scopes: SCOPES,
          signedAt,
          token,
          nonce,
        }),
      ),
    };
    const request = this.#send(socket, "connect", {
      minProtocol: 3,
      maxProtocol: 4,
      client: { ...CLIENT, version: version, platform: "web" },
      role: ROLE,
      scopes: SCOPES,
      caps: [],
      ...(token && { auth: code ? { bootstrapToken: code } : { token } }),
      ...(device && { device }),
      userAgent: navigator.userAgent,
      locale: navigator.language,
    });
    const hello = (await request.catch((error: Error) => {
      // The gateway answered, so the code is of no more use. This browser may still be known.
      if (error instanceof GatewayError && !error.retryable) this.#code = undefined;
      throw error;
    })) as Hello;
    this.#code = undefined;
    if (hello.auth?.deviceToken) keepToken(this.url, hello.auth.deviceToken);
    this.#attempt = 0;
    this.#wasOpen = true;
    this.#set({ phase: "open", hello });
  }

  #refuse(socket: WebSocket, error: Error): void {
    if (this.#socket !== socket || error instanceof NotConnected) return;
    if (detailCode(error) === "CODE_EXPIRED" && knownToken(this.url)) {
      this.start();
      return;
    }
    if (error instanceof GatewayError && error.retryable) {
      socket.close(4008);
      return;
    }
    this.#set({ phase: "refused", error, code: detailCode(error) });
    socket.close(4008);
  }

  #answer(frame: ResponseFrame): void {
    const waiting = this.#waiting.get(frame.id);
    if (!waiting) return;
    this.#waiting.delete(frame.id);
    if (frame.ok) waiting.resolve(frame.payload);
    else
      waiting.reject(
        new GatewayError(frame.error ?? { code: "UNAVAILABLE", message: "refused" }, frame.payload),
      );
  }

  #event(frame: EventFrame): void {
    const before = this.#sequence;
    if (frame.seq !== undefined) this.#sequence = frame.seq;
    const lost = before !== undefined && frame.seq !== undefined && frame.seq > before + 1;
    if (lost) this.#tell({ type: "event", event: "studio.gap" });
    this.#tell(frame);
  }

  #tell(frame: EventFrame): void {
    for (const listener of this.#eventListeners) listener(frame);
  }

  #fail(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  #planRetry(reason: string): void {
    const delay = Math.min(FIRST_RETRY_MS * 1.6 ** this.#attempt, LONGEST_RETRY_MS);
    this.#attempt += 1;
    this.#retry = setTimeout(() => this.#open(), delay);
    this.#set({ phase: "lost", reason, attempt: this.#attempt, retryAt: Date.now() + delay });
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

function nonceOf(frame: EventFrame): string {
  const payload = frame.payload as { nonce?: unknown } | undefined;
  return typeof payload?.nonce === "string" ? payload.nonce : "";
}

/** The address of the gateway's socket: the origin that the page came from. */
export function gatewayUrl(place: Location = location): string {
  return `${place.protocol === "https:" ? "wss:" : "ws:"}//${place.host}/ws`;
}

/** The connection to the gateway that this page came from. */
export const connection = new Connection(gatewayUrl());
