// Results of what happened elsewhere than where one looks. Errors stay on their row and never come here alone.

import { type ReactNode, useSyncExternalStore } from "react";
import { Button } from "./Button";
import { Note } from "./Note";

interface Toast {
  id: number;
  kind: "success" | "info" | "warning";
  text: ReactNode;
  action?: { label: string; run: () => void } | undefined;
}

let toasts: Toast[] = [];
let counter = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says something for a while; what offers an action stays longer. */
export function toast(text: ReactNode, options?: { kind?: Toast["kind"]; action?: Toast["action"] }): void {
  counter += 1;
  const id = counter;
  set([...toasts, { id, text, kind: options?.kind ?? "success", action: options?.action }]);
  setTimeout(() => dismiss(id), options?.action ? 15_000 : 5_000);
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
        <li key={id}>
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
