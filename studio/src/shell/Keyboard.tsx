import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Dialog, Switch } from "../components";
import { useCurrentAgent } from "../lib/agents";
import { allowShortcuts, controlBeside, hasShortcuts, isShortcut } from "../lib/keys";
import { ALL_LINKS, agentLinks } from "./links";

/** The time that a `g` waits for the letter of a page. */
const PATIENCE_MS = 1500;

/** The element that needs an answer: the question of a tool, else the latest message. */
const WAITING = ".approval button, .toasts > li:last-child button";

/** The keys that work everywhere. `onList` is called by the one that lists them. */
export function useKeys(onList: () => void): void {
  const navigate = useNavigate();
  const agentId = useCurrentAgent();
  useEffect(() => {
    let goes = 0;
    const links = [...(agentId ? agentLinks(agentId) : []), ...ALL_LINKS];
    const press = (event: KeyboardEvent) => {
      if (event.key in STEPS) followArrow(event);
      if (!isShortcut(event)) return;
      const link = event.timeStamp < goes ? links.find((one) => one.key === event.key) : undefined;
      goes = event.key === "g" && !link ? event.timeStamp + PATIENCE_MS : 0;
      if (link) void navigate({ to: link.to, search: link.search ?? {} });
      else if (event.key === "?") onList();
      else if (event.key === "m") document.querySelector<HTMLElement>(WAITING)?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [navigate, agentId, onList]);
}

const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

/** Goes to the row above or below, from a control in a row. */
function followArrow(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (!step || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const next = controlBeside(event.target as Element, step);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const EVERYWHERE: [keys: string[], what: string][] = [
  [["?"], "this list"],
  [["/"], "the search field; Esc empties it"],
  [["m"], "what needs an answer: an approval, or a message such as Undo"],
  [["↑", "↓"], "in a list, a table or the bar: the same control one row up or down"],
  [["Esc"], "closes a dialog; the focus goes back to where it was"],
  [["Ctrl", "Enter"], "in a message: starts the run"],
];

/** The list of shortcuts, and a switch for those that are pressed alone. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(hasShortcuts);
  const agent = useCurrentAgent() ?? "";
  const pages = [...agentLinks(agent), ...ALL_LINKS];
  return (
    <Dialog narrow title="Shortcuts" onClose={onClose}>
      <dl className="facts keys">
        {EVERYWHERE.map(([keys, what]) => (
          <Row key={what} keys={keys} what={what} />
        ))}
        {pages.map((page) => (
          <Row key={page.label} keys={["g", page.key]} what={`goes to ${page.label}`} />
        ))}
      </dl>
      <div className="section-head">
        <p className="quiet">Single-key shortcuts work outside text fields. Turn them off here.</p>
        <Switch
          label="Single keys"
          on={on}
          onChange={(next) => {
            allowShortcuts(next);
            setOn(next);
          }}
        />
      </div>
    </Dialog>
  );
}

function Row({ keys, what }: { keys: string[]; what: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  );
}
