import { useMemo } from "react";
import { unifiedLines } from "../lib/unified";

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

/** A difference that comes as text in the unified format. */
export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  const lines = useMemo(() => unifiedLines(text), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long difference can be scrolled by keyboard
    <section className="diff" aria-label={label} tabIndex={0}>
      {lines.map((line, index) =>
        line.kind === "heading" ? (
          <div key={index} className="gap">
            {line.text}
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
