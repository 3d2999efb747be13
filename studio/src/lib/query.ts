import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Query } from "../router";

/**
 * The search part of the address as texts, and how to change it. A change replaces the entry in the history, so that
 * Back leaves the page instead of going through every keystroke; say `push` for what Back should undo.
 */
export function useQueryTexts(): [Query, (change: Query, how?: "push" | "replace") => void] {
  const query = useSearch({ strict: false }) as Query;
  const navigate = useNavigate();
  const set = useCallback(
    (change: Query, how: "push" | "replace" = "replace") =>
      void navigate({
        to: ".",
        search: (before: Query) => ({ ...before, ...change }),
        replace: how === "replace",
        resetScroll: false,
      }),
    [navigate],
  );
  return [query, set];
}

const PAUSE_MS = 250;

/**
 * A text of the address that is typed: shown at once, written to the address when typing pauses, and read from it when
 * it changes otherwise.
 */
export function useTypedText(name: string): [string, (text: string) => void] {
  const [query, setQuery] = useQueryTexts();
  const inAddress = query[name] ?? "";
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);
  useEffect(() => {
    if (inAddress === written.current) return;
    written.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  useEffect(() => {
    if (text === written.current) return;
    const pause = setTimeout(() => {
      written.current = text;
      setQuery({ [name]: text || undefined });
    }, PAUSE_MS);
    return () => clearTimeout(pause);
  }, [name, text, setQuery]);
  return [text, setText];
}
