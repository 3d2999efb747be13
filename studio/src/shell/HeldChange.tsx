import { useCallback, useState, useSyncExternalStore } from "react";
import { connection, useGatewayEvent } from "../api";
import { confirmations, confirmHeld, type ShownChange } from "../api/confirmation";
import type { ProtectedChange } from "../api/errors";
import { Button, CopyButton, Dialog, toast } from "../components";

/** Asks the person about the first change that waits, and says on every page when another client wants one. */
export function HeldChange() {
  useKnock();
  const change = useSyncExternalStore(confirmations.subscribe, confirmations.first);
  return change ? <Question key={change.id} change={change} /> : null;
}

const text = (value: unknown) =>
  value === null || value === undefined ? "not set" : JSON.stringify(value, null, 1);

function Question({ change }: { change: ShownChange }) {
  const [busy, setBusy] = useState(false);
  const answer = (decision: "confirm" | "reject") => {
    setBusy(true);
    void change.answer(decision);
  };
  return (
    <Dialog
      title="Confirm this change"
      onClose={change.canConfirm ? () => answer("reject") : change.leave}
      footer={
        change.canConfirm ? (
          <>
            <Button data-first disabled={busy} onClick={() => answer("reject")}>
              Cancel
            </Button>
            <Button look="danger primary" busy={busy} onClick={() => answer("confirm")}>
              Confirm the change
            </Button>
          </>
        ) : (
          <Button data-first onClick={change.leave}>
            Close
          </Button>
        )
      }
    >
      <p>It loosens what runs, tools or clients are allowed to do.</p>
      <Changes changes={change.changes} />
      {!change.canConfirm && (
        <>
          <p>
            This browser cannot confirm it. Open the Studio with <code>prowess up</code>, or confirm it at the
            terminal:
          </p>
          <div className="actions">
            <code>prowess gateway confirm {change.id}</code>
            <CopyButton text={`prowess gateway confirm ${change.id}`} />
          </div>
        </>
      )}
    </Dialog>
  );
}

function Changes({ changes }: { changes: ProtectedChange[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Now</th>
          <th scope="col">Then</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.key}>
            <th scope="row">
              <code>{change.key}</code>
            </th>
            <td>
              <code>{text(change.old)}</code>
            </td>
            <td>
              <code>{text(change.new)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useKnock(): void {
  const knock = useCallback((payload: unknown) => {
    const held = payload as { id: string; deviceId?: string; client?: string; changes: ProtectedChange[] };
    // The page that asked for it shows it itself.
    if (held.deviceId !== undefined && held.deviceId === connection.deviceId) return;
    toast(`A change by ${held.client ?? "a client"} waits for you.`, {
      kind: "warning",
      key: "confirmation",
      action: { label: "Show it", run: () => void confirmHeld(held).catch(() => undefined) },
    });
  }, []);
  useGatewayEvent("confirmation.requested", knock);
}
