import { describe, expect, it } from "vitest";
import { base64url, hex, signedText } from "./identity";

describe("identity", () => {
  it("signs nine fields joined by bars", () => {
    const text = signedText({
      deviceId: "d",
      clientId: "prowess-studio",
      mode: "webchat",
      role: "operator",
      scopes: ["operator.read", "operator.admin"],
      signedAt: 17,
      token: "t",
      nonce: "n",
    });
    expect(text).toBe("v2|d|prowess-studio|webchat|operator|operator.read,operator.admin|17|t|n");
  });

  it("writes bytes without padding and in lower case", () => {
    expect(base64url(new Uint8Array([251, 255, 254, 1]))).toBe("-__-AQ");
    expect(hex(new Uint8Array([0, 10, 255]))).toBe("000aff");
  });
});
