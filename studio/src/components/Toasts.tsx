// Results of what happened elsewhere than where one looks. Errors stay on their row and never come here alone.

import { type ReactNode, useSyncExternalStore } from "react";
import { Button } from "./Button";
import { Note } from "./Note";

interface Toast {
  id: number;
  kind: "success" | "info" | "warning";
  text: ReactNode;
  action?: { label: string; run: () => void } | undefined;
  /** Takes the place of an earlier one with the same key. */
  key?: string | undefined;
}

let toasts: Toast[] = [];
let counter = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const SHOWN_MS = 5_000;
/** Long enough to get to it with the keyboard alone. */
const SHOWN_WITH_ACTION_MS = 60_000;

/** Says something for a while; what offers an action stays longer. */
export function toast(text: ReactNode, options: Partial<Pick<Toast, "kind" | "action" | "key">> = {}): void {
  const { kind = "success", action, key } = options;
  counter += 1;
  const id = counter;
  const others = toasts.filter((one) => key === undefined || one.key !== key);
  set([...others, { id, text, kind, action, key }]);
  expire(id, action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

/** Removes it after a time, unless it has the focus or the pointer. */
function expire(id: number, ms: number): void {
  setTimeout(() => {
    if (document.activeElement?.closest(`[data-toast="${id}"]`)) expire(id, SHOWN_MS);
    else dismiss(id);
  }, ms);
}

function dismiss(id: number): void {
  set(toasts.filter((one) => one.id !== id));
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <ul className="toasts" aria-live="polite">
      {shown.map(({ id, kind, text, action }) => (
        <li key={id} data-toast={id}>
          <Note
            kind={kind}
            actions={
              <>
                {action && (
                  <Button
                    size="small"
                    onClick={() => {
                      action.run();
                      dismiss(id);
                    }}
                  >
                    {action.label}
                  </Button>
                )}
                <Button size="small" look="quiet" onClick={() => dismiss(id)}>
                  Dismiss
                </Button>
              </>
            }
          >
            {text}
          </Note>
        </li>
      ))}
    </ul>
  );
}
