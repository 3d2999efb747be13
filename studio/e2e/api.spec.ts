// The document that the typed client is made from is the one of the gateway.

import { readFileSync } from "node:fs";
import { TOKEN } from "./support/home";
import { expect, test } from "./support/test";

test("openapi.json is the gateway's own", async ({ gateway }) => {
  const answer = await fetch(`${gateway.url}/api/v1/openapi.json`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const committed: unknown = JSON.parse(readFileSync("openapi.json", "utf8"));
  expect(await answer.json()).toEqual(committed);
});
