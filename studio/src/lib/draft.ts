// Text that was typed and not saved. It survives a lost connection and going to another page, in memory only:
// a draft may hold what should not be written to the disk of a browser. Keys and tokens are never drafts.

import { useSyncExternalStore } from "react";

const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The draft of that name, and how to change it; `undefined` means that there is none. */
export function useDraft(name: string): [string | undefined, (text: string | undefined) => void] {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(name));
  const set = (text: string | undefined) => {
    if (text === undefined) drafts.delete(name);
    else drafts.set(name, text);
    for (const listener of listeners) listener();
  };
  return [draft, set];
}
