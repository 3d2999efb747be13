// The frames of the wire, as docs/gateway-protocol.md has them.

/** The error of a refused request. */
export interface ErrorBody {
  code: string;
  message: string;
  details?: unknown;
  retryable?: boolean;
  retryAfterMs?: number;
}

export interface ResponseFrame {
  type: "res";
  id: string;
  ok: boolean;
  payload?: unknown;
  error?: ErrorBody;
}

export interface EventFrame {
  type: "event";
  event: string;
  payload?: unknown;
  seq?: number;
}

export type Frame = ResponseFrame | EventFrame;

/** The answer to `connect`, as far as the Studio reads it. */
export interface Hello {
  protocol: number;
  server?: { version?: string; connId?: string };
  features?: { methods?: string[]; events?: string[] };
  auth?: { deviceToken?: string; role?: string; scopes?: string[] };
  snapshot?: { health?: { defaultAgentId?: string; agents?: { agentId: string; name?: string }[] } };
}

/** Reads a frame; undefined for anything that is none. */
export function parseFrame(text: unknown): Frame | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const frame = value as Partial<Frame>;
    if (frame.type === "res" && typeof frame.id === "string") return frame as ResponseFrame;
    if (frame.type === "event" && typeof frame.event === "string") return frame as EventFrame;
    return undefined;
  } catch {
    return undefined;
  }
}
