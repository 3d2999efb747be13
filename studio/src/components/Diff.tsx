import { useMemo } from "react";
import { diffLines, withContext } from "../lib/diff";

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

/** The difference of two texts, line by line, with a few lines around each change. */
export function Diff({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => withContext(diffLines(before, after), 3), [before, after]);
  if (lines.length === 0) return <p>There is no difference.</p>;
  return (
    <section className="diff" aria-label={label}>
      {lines.map((line, index) =>
        line.kind === "gap" ? (
          <div key={index} className="gap">
            … {line.count} unchanged {line.count === 1 ? "line" : "lines"}
          </div>
        ) : (
          <div key={index} className={line.kind}>
            <span>{SIGNS[line.kind]}</span>
            <span>{line.text || " "}</span>
          </div>
        ),
      )}
    </section>
  );
}
