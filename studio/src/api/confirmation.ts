// Changes of protected settings: the gateway holds them until a person confirms. The shell shows the first that waits.

import { connection } from "./connection";
import type { HeldChange } from "./errors";

/** A change that is shown to the person. */
export interface ShownChange extends HeldChange {
  /** True if this browser may confirm it; else it is confirmed at the terminal. */
  canConfirm: boolean;
  answer: (decision: "confirm" | "reject") => Promise<void>;
  /** Leaves the change waiting. */
  leave: () => void;
}

let shown: ShownChange[] = [];
const listeners = new Set<() => void>();

function set(next: ShownChange[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

export const confirmations = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  first: (): ShownChange | undefined => shown[0],
};

/** Shows a held change and waits for the person. Resolves with the answer of the call that was held. */
export async function confirmHeld(held: HeldChange): Promise<unknown> {
  const list = (await connection.request("confirmation.list", {})) as { canConfirm?: boolean };
  return new Promise((resolve, reject) => {
    const close = () => set(shown.filter((change) => change !== entry));
    const entry: ShownChange = {
      ...held,
      canConfirm: list.canConfirm === true,
      async answer(decision) {
        try {
          const params = { id: held.id, decision };
          const answer = (await connection.request("confirmation.resolve", params)) as { result?: unknown };
          if (decision === "confirm") resolve(answer.result);
          else reject(new Error("You did not confirm it, so nothing was changed"));
        } catch (error) {
          reject(error);
        } finally {
          close();
        }
      },
      leave() {
        close();
        reject(new Error("The change waits until you confirm it; nothing was changed yet"));
      },
    };
    set([...shown, entry]);
  });
}
