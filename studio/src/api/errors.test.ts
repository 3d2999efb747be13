import { describe, expect, it } from "vitest";
import {
  detailCode,
  errorText,
  GatewayError,
  isAlreadyThere,
  isNotFound,
  isStale,
  isUnknownMethod,
} from "./errors";

function refusal(code: string, detail?: string, message = "reworded"): GatewayError {
  return new GatewayError({ code, message, ...(detail && { details: { code: detail } }) });
}

describe("errors of the gateway", () => {
  it("are told apart by the code of their details, not by their text", () => {
    expect(isStale(refusal("INVALID_REQUEST", "stale"))).toBe(true);
    expect(isUnknownMethod(refusal("INVALID_REQUEST", "unknown-method"))).toBe(true);
    expect(isAlreadyThere(refusal("INVALID_REQUEST", "already-there"))).toBe(true);
    expect(isNotFound(refusal("INVALID_REQUEST", "not-found"))).toBe(true);
    const old = refusal(
      "INVALID_REQUEST",
      undefined,
      "config changed since last load; re-run config.get and retry",
    );
    expect(isStale(old)).toBe(false);
    expect(detailCode(old)).toBeUndefined();
  });

  it("an operation that failed because a part is missing is not an unknown name", () => {
    expect(isNotFound(refusal("UNAVAILABLE", "not-found"))).toBe(false);
  });

  it("an unknown method asks for an update of the gateway", () => {
    expect(errorText(refusal("INVALID_REQUEST", "unknown-method", "unknown method: x"))).toContain(
      "Update it",
    );
  });

  it("other errors have no code", () => {
    expect(isStale(new Error("stale"))).toBe(false);
    expect(isNotFound(undefined)).toBe(false);
  });
});
