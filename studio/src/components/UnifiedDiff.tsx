/** A difference that comes as text in the unified format. */
export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long difference can be scrolled by keyboard
    <section className="diff" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => {
        const kind = kindOf(line);
        return kind === "gap" ? (
          <div key={index} className="gap">
            {line}
          </div>
        ) : (
          <div key={index} className={kind}>
            <span>{line.charAt(0)}</span>
            <span>{line.slice(1) || " "}</span>
          </div>
        );
      })}
    </section>
  );
}

function kindOf(line: string): "added" | "removed" | "same" | "gap" {
  if (/^(@@|\+\+\+ |--- |diff |\\ )/.test(line)) return "gap";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "same";
}
