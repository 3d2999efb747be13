import { type FormEvent, useState } from "react";
import { useCall, useChange } from "../../api";
import { Button, ErrorNote, Panel, QueryState } from "../../components";
import { homeSearch } from "../../lib/addresses";
import { useAgents } from "../../lib/agents";
import { useSearchState } from "../../lib/query";
import { fromNow, sizeText } from "../../lib/text";
import { FileEditor } from "./FileEditor";

/** The model of an agent, and its instruction files. */
export function Behavior({ agentId, name }: { agentId: string; name: string }) {
  return (
    <>
      <Model key={agentId} agentId={agentId} name={name} />
      <Files agentId={agentId} name={name} />
    </>
  );
}

function Model({ agentId, name }: { agentId: string; name: string }) {
  const { agents, defaultModel } = useAgents();
  const models = useCall("models.list", {});
  const change = useChange("agents.update", { refresh: ["agents.list", "config.get"] });
  const current = agents.find((agent) => agent.id === agentId)?.model?.primary ?? "";
  const [typed, setTyped] = useState<string>();
  const value = typed ?? current;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ agentId, model: value.trim() }, { onSuccess: () => setTyped(undefined) });
  };
  return (
    <Panel title="Model">
      <form className="field" onSubmit={submit}>
        <label htmlFor="model">Model that answers for {name}</label>
        <div className="key-line">
          <input
            id="model"
            className="input"
            list="models"
            placeholder={defaultModel ?? "provider/model"}
            value={value}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button
            type="submit"
            busy={change.isPending}
            disabled={value.trim() === "" || value.trim() === current}
          >
            Save the model
          </Button>
        </div>
        <datalist id="models">
          {(models.data?.models ?? []).map((model) => (
            <option key={`${model.provider}/${model.id}`} value={`${model.provider}/${model.id}`}>
              {model.name}
            </option>
          ))}
        </datalist>
        <p className="hint">{modelHint(current, defaultModel)}</p>
      </form>
      {change.error && (
        <ErrorNote what="The model was not saved" error={change.error} dismiss={change.reset} />
      )}
    </Panel>
  );
}

/** The model that answers: the agent's own, the one of all agents, or none. */
function modelHint(own: string, common: string | undefined): string {
  if (own) return "From the next turn on.";
  if (common) return `Not set for this agent, so the default model of all agents answers: ${common}.`;
  return "No model is set, so this agent cannot answer yet.";
}

function Files({ agentId, name }: { agentId: string; name: string }) {
  const [query, setQuery] = useSearchState(homeSearch);
  const list = useCall("agents.files.list", { agentId });
  const files = list.data?.files ?? [];
  const chosen = files.find((file) => file.name === query.file) ?? files[0];
  return (
    <Panel
      title="Instruction files"
      end={list.data && <span className="quiet">in {list.data.workspace}</span>}
    >
      <QueryState of={list} what="The files could not be listed" loading="Loading the files" rows={3} />
      {chosen && (
        <div className="files">
          <ul aria-label={`Instruction files of ${name}`}>
            {files.map((file) => (
              <li key={file.name}>
                <button
                  type="button"
                  className="file"
                  aria-current={file === chosen ? "true" : undefined}
                  onClick={() => setQuery({ file: file.name })}
                >
                  {file.name}
                  <small>
                    {file.missing
                      ? "not there"
                      : [
                          file.size != null && sizeText(file.size),
                          file.updatedAtMs != null && fromNow(file.updatedAtMs),
                        ]
                          .filter(Boolean)
                          .join(", ")}
                  </small>
                </button>
              </li>
            ))}
          </ul>
          <FileEditor
            key={`${agentId}/${chosen.name}`}
            agentId={agentId}
            name={chosen.name}
            path={chosen.path}
          />
        </div>
      )}
    </Panel>
  );
}
