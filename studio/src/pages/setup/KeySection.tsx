import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { call, refresh, type SkillStatus } from "../../api";
import { Button, Chip, ErrorNote } from "../../components";

/** The key of a skill. Its value goes one way only: into the gateway. */
export function KeySection(props: { skill: SkillStatus; name: string; stored: boolean }) {
  const { skill, name, stored } = props;
  const [key, setKey] = useState("");
  // The key is not among the variables of the mutation: those stay in memory.
  const sending = useRef("");
  const change = useMutation({
    mutationFn: (_what: "save" | "clear") => {
      const apiKey = sending.current;
      sending.current = "";
      return call("skills.update", { skillKey: skill.skillKey, apiKey, env: {} });
    },
    retry: false,
    onSettled: () => refresh("skills.status", "config.get"),
  });
  const fromEnvironment = !stored && !skill.missing.env.includes(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.current = key.trim();
    setKey("");
    change.mutate("save");
  };
  return (
    <section>
      <form className="field" onSubmit={submit} autoComplete="off">
        <div className="section-head">
          <label htmlFor="skill-key">Key ({name})</label>
          {stored ? (
            <Chip look="ready" icon="check">
              Stored
            </Chip>
          ) : fromEnvironment ? (
            <Chip look="ready" icon="check">
              Set in the gateway's environment
            </Chip>
          ) : (
            <Chip>Not stored</Chip>
          )}
        </div>
        <div className="key-line">
          <input
            id="skill-key"
            className="input"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={stored ? "Type a new key to replace it" : "Paste the key"}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <Button type="submit" look="primary" busy={change.isPending} disabled={key.trim() === ""}>
            Save the key
          </Button>
          {stored && (
            <Button busy={change.isPending} onClick={() => change.mutate("clear")}>
              Clear the key
            </Button>
          )}
        </div>
        <p className="hint">The gateway stores it and never shows it again.</p>
      </form>
      {change.error && (
        // The error does not say what was typed, and there is nothing left here to send again.
        <ErrorNote what="The key was not changed" error={change.error} dismiss={change.reset} />
      )}
      {change.isSuccess && (
        <p role="status" className="quiet">
          {change.variables === "clear" ? "The key is cleared." : "The key is stored."}
        </p>
      )}
    </section>
  );
}
