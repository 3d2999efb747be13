// The document that the typed client is made from is the one of the gateway.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { TOKEN } from "./support/home";
import { expect, test } from "./support/test";

test("openapi.json is the gateway's own", async ({ gateway }) => {
  const answer = await fetch(`${gateway.url}/api/v1/openapi.json`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const committed: unknown = JSON.parse(readFileSync("openapi.json", "utf8"));
  const isSame = isDeepStrictEqual(await answer.json(), committed);
  expect(isSame, "write what the gateway says to openapi.json, then `npm run api`").toBe(true);
});
