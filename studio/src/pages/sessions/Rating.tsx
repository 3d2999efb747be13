import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../api";
import { Button, ErrorNote, Note } from "../../components";
import type { Run } from "./RunSkills";

/** A person's word about a run. It is what the cortex and the forge learn from. */
export function Rating({ run, session, agentId }: { run: Run; session: string; agentId: string }) {
  const [note, setNote] = useState("");
  const rate = useChange("sessions.rate", {
    refresh: ["sessions.get", "sessions.events", "sessions.list"],
    onSuccess: () => setNote(""),
  });
  const draft = useChange("forge.draft", { refresh: ["forge.list"] });
  const say = (rating: "good" | "bad") =>
    rate.mutate({ session, run: run.run, rating, ...(note.trim() && { note: note.trim() }) });
  const rated = run.outcome.by === "user";
  return (
    <footer className="run-foot">
      <fieldset className="actions" aria-label={`Rate the run: ${run.message}`}>
        <span className="quiet">{rated ? "Change your rating:" : "Did it do what you wanted?"}</span>
        <Button
          size="small"
          icon="check"
          aria-pressed={rated && run.outcome.result === "success"}
          busy={rate.isPending && rate.variables.rating === "good"}
          onClick={() => say("good")}
        >
          It worked
        </Button>
        <Button
          size="small"
          icon="cross"
          aria-pressed={rated && run.outcome.result !== "success"}
          busy={rate.isPending && rate.variables.rating === "bad"}
          onClick={() => say("bad")}
        >
          It did not
        </Button>
        <input
          className="input run-word"
          aria-label="Note"
          placeholder="Note (optional)"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        {run.outcome.result === "success" && (
          <Button
            size="small"
            icon="forge"
            busy={draft.isPending}
            onClick={() => draft.mutate({ session, run: run.run, agentId })}
          >
            Make a draft of it
          </Button>
        )}
      </fieldset>
      {run.note && <p className="quiet">“{run.note}”</p>}
      {rate.error && <ErrorNote what="The rating was not kept" error={rate.error} dismiss={rate.reset} />}
      {draft.error && <ErrorNote what="No draft was made" error={draft.error} dismiss={draft.reset} />}
      {draft.data && (
        <Note kind="success">
          The draft{" "}
          <Link to="/forge" search={{ draft: draft.data.name }}>
            {draft.data.name}
          </Link>{" "}
          waits in the forge. It is in no prompt until you promote it.
        </Note>
      )}
    </footer>
  );
}
