import { useChange } from "../../api";
import { Button, Diff, ErrorNote, Panel } from "../../components";
import { useCurrentAgent } from "../../lib/agents";

/** Lets the model of an agent phrase the description of a draft. */
export function Improve({ name }: { name: string }) {
  const agentId = useCurrentAgent();
  const improve = useChange("forge.improve", { refresh: ["forge.show", "forge.list", "forge.diff"] });
  const ask = () => improve.mutate({ name, ...(agentId && { agentId }) });
  return (
    <Panel title="Description">
      <div className="decide">
        <p>
          By its description the model finds a skill. The model of {agentId ?? "the default agent"} can phrase
          it anew; a test from before does not count for the new one.
        </p>
        <div className="actions">
          <Button busy={improve.isPending} onClick={ask}>
            Improve with the model
          </Button>
        </div>
        {improve.error && (
          <ErrorNote
            what="The description was not changed"
            error={improve.error}
            retry={ask}
            dismiss={improve.reset}
          />
        )}
        {improve.data && (
          <Diff
            before={improve.data.before}
            after={improve.data.after}
            label="What changed in the description"
          />
        )}
      </div>
    </Panel>
  );
}
