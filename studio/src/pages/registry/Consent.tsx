import { useState } from "react";
import { Button, Note } from "../../components";
import type { Planned } from "./Review";

/** The yes to a plan: a button if a yes is enough, a tick before it if there are warnings, nothing if it is forbidden. */
export function Consent(props: {
  planned: Planned;
  action: string;
  busy: boolean;
  onAgree: (acknowledged: boolean) => void;
}) {
  const { planned } = props;
  const [accepted, setAccepted] = useState(false);
  if (planned.needs === "refused")
    return (
      <Note kind="error">
        It cannot be installed: the scanner or the registry calls it malicious, or the policy of this machine
        forbids it.
      </Note>
    );
  const warned = planned.needs === "despiteWarnings";
  return (
    <div className="consent">
      {warned && (
        <label className="tick">
          <input type="checkbox" checked={accepted} onChange={(event) => setAccepted(event.target.checked)} />
          I have read the warnings above and want it anyway
        </label>
      )}
      <div className="actions">
        <Button
          look="primary"
          busy={props.busy}
          disabled={warned && !accepted}
          onClick={() => props.onAgree(warned)}
        >
          {props.action}
        </Button>
      </div>
    </div>
  );
}
