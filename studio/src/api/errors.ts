import type { ErrorBody } from "./frames";

/** A request that the gateway refused. `payload` is what it says besides, such as the output of an install. */
export class GatewayError extends Error {
  readonly code: string;
  readonly details: unknown;
  readonly retryable: boolean;
  readonly payload: unknown;

  constructor(body: ErrorBody, payload?: unknown) {
    super(body.message);
    this.name = "GatewayError";
    this.code = body.code;
    this.details = body.details;
    this.retryable = body.retryable ?? false;
    this.payload = payload;
  }
}

/** The connection is not there, or went away before the answer came. */
export class NotConnected extends Error {
  constructor(message = "The connection to the gateway was lost before it answered") {
    super(message);
    this.name = "NotConnected";
  }
}

/** Returns true for a write that lost against another one: the data changed since it was read. */
export function isStale(error: unknown): boolean {
  return detailCode(error) === "stale";
}

/** Returns true if the gateway does not have the method: it is older than the Studio. */
export function isUnknownMethod(error: unknown): boolean {
  return detailCode(error) === "unknown-method";
}

/** Returns true if the thing that was named does not exist. An operation that fails because a part is missing is unavailable. */
export function isNotFound(error: unknown): boolean {
  return detailCode(error) === "not-found" && (error as GatewayError).code === "INVALID_REQUEST";
}

/** Returns true if the target of a change already exists. */
export function isAlreadyThere(error: unknown): boolean {
  return detailCode(error) === "already-there";
}

/** The text of any error. */
export function errorText(error: unknown): string {
  if (isUnknownMethod(error)) {
    return `This gateway does not offer that (${(error as Error).message}). Update it to the version of this Studio.`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** A protected setting, before and after a change. */
export interface ProtectedChange {
  key: string;
  old: unknown;
  new: unknown;
}

/** A change that waits until a person confirms it. */
export interface HeldChange {
  id: string;
  changes: ProtectedChange[];
}

/** The change that the gateway holds, if that is why it refused. */
export function heldChange(error: unknown): HeldChange | undefined {
  if (detailCode(error) !== "needs-confirmation") return undefined;
  const { confirmationId, changes } = (error as GatewayError).details as {
    confirmationId?: string;
    changes?: ProtectedChange[];
  };
  return confirmationId ? { id: confirmationId, changes: changes ?? [] } : undefined;
}

/** The code of the kind of error (docs/reference/errors.md), or a finer code of the protocol. */
export function detailCode(error: unknown): string | undefined {
  if (!(error instanceof GatewayError)) return undefined;
  const details = error.details as { code?: unknown } | null | undefined;
  return typeof details?.code === "string" ? details.code : undefined;
}
