import { useEffect, useRef } from "react";

/** Text of a program, in its own scrolling box. `follow` keeps the end in sight. */
export function Output({ text, label, follow }: { text: string; label: string; follow?: boolean }) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text scrolls into sight
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, follow]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long output can be scrolled by keyboard
    <section ref={box} className="output" aria-label={label} tabIndex={0}>
      {text}
    </section>
  );
}
