import { useDeferredValue } from "react";

/**
 * Long lists are drawn in two steps: the rows that fit a screen at once, the others when there is time. Typing in a
 * search field never waits for rows. The rows themselves are `content-visibility: auto`, so that the browser skips
 * what is out of sight while everything stays in the page for find and for screen readers.
 */
export function useRows<T>(rows: readonly T[], atOnce = 30): readonly T[] {
  const later = useDeferredValue(rows, rows.slice(0, atOnce));
  return later;
}
