import { describe, expect, test } from "vitest";
import { type Reason, sidesOf, signed, strength } from "./signals";

const reasons: Reason[] = [
  { kind: "meaning", share: 2, text: "its meaning is close to the message" },
  { kind: "words", share: 0, text: "no word in common" },
  { kind: "reader", share: 3, text: "read together with the message, it fits" },
  { kind: "request", share: -0.5, text: "the message sounds like a remark, not like a request" },
  { kind: "bar", share: -3.2, text: "every skill starts here, because most messages ask for none" },
];

describe("reasons", () => {
  test("stand on their side, the strongest first", () => {
    const { pro, con, neutral } = sidesOf(reasons);
    expect(pro.map((reason) => reason.kind)).toEqual(["reader", "meaning"]);
    expect(con.map((reason) => reason.kind)).toEqual(["bar", "request"]);
    expect(neutral.map((reason) => reason.kind)).toEqual(["words"]);
    expect(strength(con)).toBeCloseTo(3.7);
  });

  test("have a sign, unless they are as good as nothing", () => {
    expect([2.04, -3.15, 0.01].map(signed)).toEqual(["+2.0", "−3.1", ""]);
  });
});
