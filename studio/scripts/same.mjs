// Compares two folders of pages: the same names, the same bytes.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [first, second] = process.argv.slice(2);

function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

const [one, other] = [filesOf(first), filesOf(second)];
const names = new Set([...one.keys(), ...other.keys()]);
const different = [...names].filter((name) => !one.get(name)?.equals(other.get(name) ?? Buffer.of()));
for (const name of different.sort()) console.error(`differs: ${name}`);
if (different.length > 0) {
  console.error(`${first} is not what the sources give; \`npm run build\` makes it anew`);
  process.exit(1);
}
console.log(`${names.size} files are the same`);
