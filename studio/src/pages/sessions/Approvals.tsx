import { type Result, useCall, useChange } from "../../api";
import { Button, ErrorNote, Icon } from "../../components";
import { momentText } from "../../lib/text";

type Approval = Result<"exec.approval.list">["approvals"][number];

/** Tools of a run that wait for a yes. */
export function Approvals({ runId }: { runId: string }) {
  const answer = useCall("exec.approval.list", {});
  const own = (answer.data?.approvals ?? []).filter((one) => one.request.runId === runId);
  return (
    <div className="approvals" aria-live="assertive">
      {own.map((approval) => (
        <Question key={approval.id} approval={approval} />
      ))}
      {answer.error && (
        <ErrorNote
          what="The pending approvals could not be loaded"
          error={answer.error}
          retry={() => answer.refetch()}
        />
      )}
    </div>
  );
}

function Question({ approval }: { approval: Approval }) {
  const { id, request } = approval;
  const answer = useChange("exec.approval.resolve", { refresh: ["exec.approval.list"] });
  const say = (decision: "allow-once" | "allow-always" | "deny") => answer.mutate({ id, decision });
  const busy = (decision: string) => answer.isPending && answer.variables.decision === decision;
  return (
    <section className="approval" aria-label={`${request.tool} asks`}>
      <p>
        <Icon name="warning" /> <strong>{request.tool}</strong> asks to do this on the machine of the gateway:
      </p>
      <pre className="output">{request.command}</pre>
      <div className="actions">
        <Button look="primary" busy={busy("allow-once")} onClick={() => say("allow-once")}>
          Allow once
        </Button>
        <Button busy={busy("allow-always")} onClick={() => say("allow-always")}>
          Allow {request.tool} for this run
        </Button>
        <Button look="danger" busy={busy("deny")} onClick={() => say("deny")}>
          Deny
        </Button>
        <span className="quiet">No answer until {momentText(approval.expiresAtMs)} is a no.</span>
      </div>
      {answer.error && (
        <ErrorNote what="The answer was not sent" error={answer.error} dismiss={answer.reset} />
      )}
    </section>
  );
}
