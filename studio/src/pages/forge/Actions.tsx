import { type ReactNode, useState } from "react";
import { type Method, useChange } from "../../api";
import { Button, Confirm, ErrorNote, Note, Panel } from "../../components";
import type { Shown } from "./DraftView";

const OLD: Method[] = ["forge.show", "forge.list", "forge.diff", "skills.status"];

/** The actions for a draft in its current state. */
export function Actions({ shown }: { shown: Shown }) {
  const { status } = shown.draft;
  return (
    <Panel title="Decide">
      <div className="decide">
        {(status === "waiting" || status === "rolled-back" || status === "promoted") && (
          <Promote shown={shown} />
        )}
        {status === "promoted" && <RollBack shown={shown} />}
        {status === "retired" && <Restore shown={shown} />}
        {(status === "waiting" || status === "rolled-back") && <Reject shown={shown} />}
        {status === "rejected" && (
          <p className="quiet">It was rejected: it is not offered again. Its files are kept.</p>
        )}
      </div>
    </Panel>
  );
}

function Promote({ shown }: { shown: Shown }) {
  const { draft, target, passed, hash } = shown;
  const [asks, setAsks] = useState(false);
  const promote = useChange("forge.promote", { refresh: OLD, onSuccess: () => setAsks(false) });
  const inUse = draft.versions?.find((version) => version.number === draft.current);
  if (draft.status === "promoted" && inUse?.hash === hash) {
    return (
      <>
        <p>Version {inUse.number} is in use. Every agent that may use skills of this machine can use it.</p>
        <Written files={inUse.files.map((file) => `${inUse.root}/${file}`)} />
      </>
    );
  }
  return (
    <>
      <p>
        {passed
          ? "It passed its test. Promoting it makes it a skill that every agent may use, from the next turn."
          : "It must pass its test before it can be promoted."}
      </p>
      <div className="actions">
        <Button look="primary" disabled={!passed} onClick={() => setAsks(true)}>
          Promote it
        </Button>
      </div>
      {asks && (
        <Confirm
          title={`Promote ${draft.name}?`}
          action="Promote it"
          busy={promote.isPending}
          onClose={() => setAsks(false)}
          onConfirm={() => promote.mutate({ name: draft.name, consent: true })}
        >
          <p>These files are written. The promotion can be rolled back.</p>
          <Written files={target} />
          {promote.error && <ErrorNote what="It was not promoted" error={promote.error} />}
        </Confirm>
      )}
      {promote.data && <Note kind="success">Version {promote.data.version} is in use.</Note>}
    </>
  );
}

function Written({ files }: { files: readonly string[] }) {
  return (
    <ul className="written">
      {files.map((file) => (
        <li key={file}>
          <code>{file}</code>
        </li>
      ))}
    </ul>
  );
}

function RollBack({ shown }: { shown: Shown }) {
  const { draft } = shown;
  const before = draft.versions?.filter((version) => version.number < (draft.current ?? 0)).at(-1);
  const rollback = useChange("forge.rollback", { refresh: OLD });
  const retire = useChange("forge.retire", { refresh: OLD });
  return (
    <div className="actions">
      <Asked
        label="Roll back"
        question={`Roll back ${draft.name}?`}
        failure="It was not rolled back"
        busy={rollback.isPending}
        error={rollback.error}
        run={(done) => rollback.mutate({ name: draft.name }, { onSuccess: done })}
      >
        {before
          ? `Version ${before.number} is used again instead of version ${draft.current}.`
          : "The skill is removed, as there is no earlier version. The draft is kept."}
      </Asked>
      <Asked
        label="Retire"
        question={`Retire ${draft.name}?`}
        failure="It was not retired"
        busy={retire.isPending}
        error={retire.error}
        run={(done) => retire.mutate({ name: draft.name }, { onSuccess: done })}
      >
        The skill is taken out of use for every agent. It can be brought back here.
      </Asked>
    </div>
  );
}

function Restore({ shown }: { shown: Shown }) {
  const restore = useChange("forge.restore", { refresh: OLD });
  return (
    <>
      <p>It is retired: no agent uses it.</p>
      <div className="actions">
        <Button
          look="primary"
          busy={restore.isPending}
          onClick={() => restore.mutate({ name: shown.draft.name })}
        >
          Restore
        </Button>
      </div>
      {restore.error && (
        <ErrorNote what="It is still retired" error={restore.error} dismiss={restore.reset} />
      )}
    </>
  );
}

function Reject({ shown }: { shown: Shown }) {
  const [reason, setReason] = useState("");
  const reject = useChange("forge.reject", { refresh: OLD });
  return (
    <Asked
      label="Reject it"
      question={`Reject ${shown.draft.name}?`}
      failure="It was not rejected"
      busy={reject.isPending}
      error={reject.error}
      run={(done) =>
        reject.mutate(
          { name: shown.draft.name, ...(reason.trim() && { reason: reason.trim() }) },
          { onSuccess: done },
        )
      }
    >
      The draft is put away for good: the same procedure is not offered again.
      <label className="field reject-reason">
        <span className="label">Why (optional)</span>
        <input className="input" value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
    </Asked>
  );
}

/** An action that takes something away, with its question. */
function Asked(props: {
  label: string;
  question: string;
  /** The message for a failure. */
  failure: string;
  busy: boolean;
  error: Error | null;
  run: (done: () => void) => void;
  children: ReactNode;
}) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button look="danger" size="small" onClick={() => setAsks(true)}>
        {props.label}
      </Button>
      {asks && (
        <Confirm
          title={props.question}
          action={props.label}
          danger
          busy={props.busy}
          onClose={() => setAsks(false)}
          onConfirm={() => props.run(() => setAsks(false))}
        >
          <div>{props.children}</div>
          {props.error && <ErrorNote what={props.failure} error={props.error} />}
        </Confirm>
      )}
    </>
  );
}
