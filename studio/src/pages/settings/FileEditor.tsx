import { useMutation } from "@tanstack/react-query";
import { call, refresh, useCall } from "../../api";
import { Button, Diff, ErrorNote, Loading, Note } from "../../components";
import { useDraft } from "../../lib/draft";

/** Says that the file became another one since it was opened here. */
class Changed extends Error {
  constructor(readonly theirs: string) {
    super("The file changed since you began");
  }
}

/** One instruction file: what was typed stays until it is saved or thrown away, also when the file changes on disk. */
export function FileEditor({ agentId, name, path }: { agentId: string; name: string; path: string }) {
  const key = `file/${agentId}/${name}`;
  const [draft, setDraft] = useDraft(key);
  const [base, setBase] = useDraft(`${key}/base`);
  const file = useCall("agents.files.get", { agentId, name });
  const onDisk = file.data?.file.content ?? "";

  const save = useMutation({
    mutationFn: async (how: "check" | "overwrite") => {
      if (draft === undefined) return;
      if (how === "check") {
        const now = (await call("agents.files.get", { agentId, name })).file.content ?? "";
        if (now !== base) throw new Changed(now);
      }
      await call("agents.files.set", { agentId, name, content: draft });
      await refresh("agents.files.get", "agents.files.list");
      setDraft(undefined);
      setBase(undefined);
    },
  });
  const edit = (text: string) => {
    if (draft === undefined) setBase(onDisk);
    setDraft(text);
  };
  const discard = () => {
    setDraft(undefined);
    setBase(undefined);
    save.reset();
    void refresh("agents.files.get");
  };

  if (file.isPending) return <Loading label="Loading the file" rows={3} />;
  if (file.error && !file.data)
    return <ErrorNote what={`${name} could not be read`} error={file.error} retry={() => file.refetch()} />;
  const conflict = save.error instanceof Changed ? save.error : undefined;
  return (
    <div className="editor">
      <textarea
        className="textarea code"
        aria-label={`Text of ${name}`}
        spellCheck={false}
        placeholder={
          file.data?.file.missing ? "This file does not exist yet. Saving creates it." : "This file is empty."
        }
        value={draft ?? onDisk}
        onChange={(event) => edit(event.target.value)}
      />
      <div className="actions">
        <Button
          look="primary"
          disabled={draft === undefined || draft === base}
          busy={save.isPending}
          onClick={() => save.mutate("check")}
        >
          Save {name}
        </Button>
        {draft !== undefined && draft !== base && (
          <>
            <Button onClick={discard}>Discard the changes</Button>
            <span className="quiet">Not saved</span>
          </>
        )}
        <span className="quiet path">
          <code>{path}</code>
        </span>
      </div>
      {save.isSuccess && draft === undefined && (
        <p role="status" className="quiet">
          Saved. Applies from the next turn.
        </p>
      )}
      {conflict && (
        <Note
          kind="warning"
          actions={
            <>
              <Button look="danger" onClick={() => save.mutate("overwrite")}>
                Overwrite with mine
              </Button>
              <Button onClick={discard}>Use the version on disk</Button>
            </>
          }
        >
          <p>{conflict.message}. This is what the other one changed; nothing of yours was written.</p>
          <Diff before={base ?? ""} after={conflict.theirs} label="What changed on disk" />
        </Note>
      )}
      {save.error && !conflict && (
        <ErrorNote
          what={`${name} was not saved`}
          error={save.error}
          retry={() => save.mutate("check")}
          dismiss={save.reset}
        />
      )}
    </div>
  );
}
