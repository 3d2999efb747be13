import { describe, expect, it } from "vitest";
import { merge, same } from "./merge";

describe("merge", () => {
  const base = { a: 1, b: { c: 2, d: 3 }, list: [1] };

  it("keeps changes of both sides", () => {
    const { value, conflicts } = merge(base, { ...base, a: 9 }, { ...base, b: { c: 2, d: 4, e: 5 } });
    expect(value).toEqual({ a: 9, b: { c: 2, d: 4, e: 5 }, list: [1] });
    expect(conflicts).toEqual([]);
  });

  it("keeps what either side removed away", () => {
    const { value } = merge(base, { b: base.b, list: [1] }, { a: 1, b: { d: 3 }, list: [1] });
    expect(value).toEqual({ b: { d: 3 }, list: [1] });
  });

  it("names the places where both sides changed the same", () => {
    const { value, conflicts } = merge(base, { ...base, list: [1, 2] }, { ...base, list: [3], a: 5 });
    expect(value).toEqual({ ...base, list: [1, 2], a: 5 });
    expect(conflicts).toEqual(["list"]);
  });

  it("sees no conflict in the same change", () => {
    expect(merge(base, { ...base, a: 2 }, { ...base, a: 2 }).conflicts).toEqual([]);
  });

  it("compares without regard to the order of members", () => {
    expect(same({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(same({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  });
});
