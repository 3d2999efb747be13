import { type FormEvent, useState } from "react";
import { useChange } from "../../api";
import { Button, Empty, ErrorNote } from "../../components";

/** Skills that no agent uses, whatever was learned about them. */
export function Blacklist({ names }: { names: readonly string[] }) {
  const [name, setName] = useState("");
  const ban = useChange("cortex.ban", { refresh: ["cortex.state"], onSuccess: () => setName("") });
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) ban.mutate({ skill: name.trim() });
  };
  return (
    <>
      <form className="toolbar" onSubmit={add}>
        <input
          className="input ban-input"
          aria-label="Skill to ban"
          placeholder="slug or slug@version"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={ban.isPending} disabled={!name.trim()}>
          Ban it
        </Button>
      </form>
      {ban.error && <ErrorNote what="The ban failed" error={ban.error} dismiss={ban.reset} />}
      {names.length === 0 ? (
        <div className="panel">
          <Empty icon="check" title="Nothing is banned">
            Name a skill above to keep every agent from using it.
          </Empty>
        </div>
      ) : (
        <ul className="panel rows" aria-label="Blacklist">
          {names.map((one) => (
            <Row key={one} name={one} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ name }: { name: string }) {
  const unban = useChange("cortex.unban", { refresh: ["cortex.state"] });
  return (
    <li className="lesson-row">
      <div>
        <code>{name}</code>
        {unban.error && <ErrorNote what="It is still banned" error={unban.error} dismiss={unban.reset} />}
      </div>
      <Button
        size="small"
        aria-label={`Allow ${name} again`}
        busy={unban.isPending}
        onClick={() => unban.mutate({ skill: name })}
      >
        Allow again
      </Button>
    </li>
  );
}
