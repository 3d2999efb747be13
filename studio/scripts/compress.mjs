// Writes a .br and a .gz beside every asset of `dist`, or of the folder that is named, that gets smaller by it. Same
// input, same bytes.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = process.argv[2] ?? new URL("../dist", import.meta.url).pathname;
const wanted = /\.(html|js|css|svg|json|txt)$/;

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (wanted.test(entry.name)) yield path;
  }
}

let total = 0;
for (const path of [...files(root)].sort()) {
  const bytes = readFileSync(path);
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const gzip = gzipSync(bytes, { level: 9 });
  if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli);
  if (gzip.length < bytes.length) writeFileSync(`${path}.gz`, gzip);
  total += Math.min(brotli.length, bytes.length);
  console.log(
    `${String(bytes.length).padStart(8)} ${String(brotli.length).padStart(7)} br  ${path.slice(root.length + 1)}`,
  );
}
console.log(`${total} bytes with brotli`);
