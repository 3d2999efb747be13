import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useCall, useChange } from "../../api";
import { Button, ErrorNote } from "../../components";
import { useDraft } from "../../lib/draft";
import "./live";

/** Gives the agent a message, in a new session or in one that is there. */
export function StartRun(props: { agentId: string; agent: string; sessionKey?: string }) {
  const { agentId, agent, sessionKey } = props;
  const navigate = useNavigate();
  const [text, setText] = useDraft(`run ${agentId} ${sessionKey ?? ""}`);
  const [model, setModel] = useState("");
  const models = useCall("models.list", {}, { retry: false });
  const start = useChange("runs.start", {
    refresh: ["runs.list", "sessions.list"],
    onSuccess: (run) => {
      setText(undefined);
      if (!sessionKey)
        void navigate({
          to: "/agents/$agentId/sessions/$session",
          params: { agentId: run.agentId, session: run.session },
          search: { run: run.runId },
        });
    },
  });
  const message = (text ?? "").trim();
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!message || start.isPending) return;
    start.mutate({ message, agentId, ...(sessionKey && { sessionKey }), ...(model && { model }) });
  };
  return (
    <form className="panel start-run" aria-label="Start a run" onSubmit={send}>
      <div className="field">
        <label htmlFor="run-message">{sessionKey ? `Message in this session` : `Task for ${agent}`}</label>
        <textarea
          id="run-message"
          className="textarea"
          rows={2}
          value={text ?? ""}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
          }}
        />
      </div>
      <div className="actions">
        <Button type="submit" look="primary" icon="play" busy={start.isPending} disabled={!message}>
          Start the run
        </Button>
        {models.data && models.data.models.length > 0 && (
          <label className="inline-field">
            Model
            <select className="select" value={model} onChange={(event) => setModel(event.target.value)}>
              <option value="">The configured one</option>
              {models.data.models.map((one) => (
                <option key={`${one.provider}/${one.id}`} value={`${one.provider}/${one.id}`}>
                  {one.provider}/{one.id}
                </option>
              ))}
            </select>
          </label>
        )}
        <span className="quiet">
          It runs on the machine of the gateway. Tools ask first where the policy of the agent says so.{" "}
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts it.
        </span>
      </div>
      {start.error && (
        <ErrorNote what="The run was not started" error={start.error} retry={send} dismiss={start.reset} />
      )}
    </form>
  );
}
