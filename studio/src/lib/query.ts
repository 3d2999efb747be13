import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { SearchReader } from "./addresses";

/**
 * The search part of the address, read and typed by the route's reader, and a function that changes it. A change
 * replaces the entry in the history, so that Back leaves the page instead of going through every keystroke; say `push`
 * for what Back should undo.
 */
export function useSearchState<S extends object>(
  read: SearchReader<S>,
): [S, (change: Partial<S>, how?: "push" | "replace") => void] {
  const search = useSearch({ strict: false });
  const state = useMemo(() => read(search), [read, search]);
  const navigate = useNavigate();
  const set = useCallback(
    (change: Partial<S>, how: "push" | "replace" = "replace") =>
      void navigate({
        to: ".",
        search: (before: object) => ({ ...before, ...change }),
        replace: how === "replace",
        resetScroll: false,
      }),
    [navigate],
  );
  return [state, set];
}

const PAUSE_MS = 250;

/**
 * A text of the address that is typed: shown at once, written to the address when typing pauses, and read from it when
 * it changes otherwise.
 */
export function useTypedText<S extends object>(
  read: SearchReader<S>,
  name: keyof S & string,
): [string, (text: string) => void] {
  const [state, setState] = useSearchState(read);
  const inAddress = String(state[name] ?? "");
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
      setState({ [name]: text || undefined } as Partial<S>);
    }, PAUSE_MS);
    return () => clearTimeout(pause);
  }, [name, text, setState]);
  return [text, setText];
}
