import type { ReactNode } from "react";
import { errorText } from "../api";
import { Button } from "./Button";
import { CopyButton } from "./CopyButton";
import { Icon, type IconName } from "./Icon";
import { Output } from "./Output";

const ICONS = { info: "info", warning: "warning", error: "cross", success: "check" } satisfies Record<
  string,
  IconName
>;

/** Something to know, in place. */
export function Note(props: { kind?: keyof typeof ICONS; children: ReactNode; actions?: ReactNode }) {
  const kind = props.kind ?? "info";
  return (
    <div className={`note ${kind}`} role={kind === "error" ? "alert" : undefined}>
      <Icon name={ICONS[kind]} />
      <div className="note-body">
        <div>{props.children}</div>
        {props.actions && <div className="actions">{props.actions}</div>}
      </div>
    </div>
  );
}

/** An error where it happened: the whole text, a way to try again, and to copy it. */
export function ErrorNote(props: {
  what: string;
  error: unknown;
  retry?: (() => void) | undefined;
  dismiss?: (() => void) | undefined;
  output?: string | undefined;
}) {
  const text = errorText(props.error);
  return (
    <Note
      kind="error"
      actions={
        <>
          {props.retry && (
            <Button size="small" icon="refresh" onClick={props.retry}>
              Try again
            </Button>
          )}
          <CopyButton text={[text, props.output].filter(Boolean).join("\n\n")} label="Copy the error" />
          {props.dismiss && (
            <Button size="small" look="quiet" onClick={props.dismiss}>
              Dismiss
            </Button>
          )}
        </>
      }
    >
      <strong>{props.what}</strong>
      <p className="message">{text}</p>
      {props.output && <Output label="Output" text={props.output} />}
    </Note>
  );
}
