import { expect, test } from "vitest";
import { sessionsSearch, skillsSearch } from "./addresses";

test("known values of an address are kept", () => {
  expect(skillsSearch({ q: "mail", state: "ready", access: "denied" })).toEqual({
    q: "mail",
    state: "ready",
    access: "denied",
  });
  expect(sessionsSearch({ limit: "600", q: 7 })).toEqual({ limit: 600, q: "7" });
});

test("unknown fields and values are left out", () => {
  expect(skillsSearch({ state: "sideways", other: "x", q: "" })).toEqual({});
  expect(sessionsSearch({ limit: "-3", state: null })).toEqual({});
});
