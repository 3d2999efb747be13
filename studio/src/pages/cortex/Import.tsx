import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call, refresh } from "../../api";
import { Button, Dialog, ErrorNote, Note } from "../../components";

/** Merges a file that another cortex exported. */
export function ImportButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" icon="plus" onClick={() => setOpen(true)}>
        Import
      </Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const merge = useMutation({
    mutationFn: async (chosen: File) => call("cortex.import", { text: await chosen.text() }),
    onSettled: () => refresh("cortex.state", "cortex.weights", "cortex.history", "cortex.lessons.list"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file) merge.mutate(file);
  };
  return (
    <Dialog narrow title="Import what was learned elsewhere" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          A file that another cortex exported is merged into this one, for all agents. What was learned here
          stays, and importing the same file twice changes nothing.
        </p>
        <div className="field">
          <label htmlFor="cortex-file">Exported file</label>
          <input
            id="cortex-file"
            data-first
            className="input"
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              merge.reset();
              setFile(event.target.files?.[0]);
            }}
          />
        </div>
        {merge.error && <ErrorNote what="It was not imported" error={merge.error} dismiss={merge.reset} />}
        {merge.data && (
          <Note kind="success">
            {merge.data.changed ? "It is merged." : "There was nothing new in it, so nothing changed."}
          </Note>
        )}
        <div className="actions end">
          <Button onClick={onClose}>{merge.data ? "Close" : "Cancel"}</Button>
          <Button type="submit" look="primary" busy={merge.isPending} disabled={!file}>
            Import it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
