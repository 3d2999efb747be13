import { Chip } from "../../components";
import { lengthText } from "./outcome";

/** A call of a tool: what it was given and what it said. */
export function Tool(props: {
  tool: string;
  input: unknown;
  state: "running" | "ok" | "failed";
  output?: string | undefined;
  ms?: number | null | undefined;
  exitCode?: number | null | undefined;
  omitted?: number | undefined;
}) {
  const { tool, input, state, output } = props;
  return (
    <details className="call">
      <summary>
        <code>{tool}</code> <span className="call-input">{inShort(input)}</span>
        {state === "running" ? (
          <Chip look="accent">Running…</Chip>
        ) : state === "ok" ? (
          <Chip look="ready" icon="check">
            Done
          </Chip>
        ) : (
          <Chip look="bad" icon="cross">
            Failed
          </Chip>
        )}
        {props.ms != null && <span className="quiet">{lengthText(props.ms)}</span>}
        {props.exitCode != null && props.exitCode !== 0 && (
          <span className="quiet">exit code {props.exitCode}</span>
        )}
      </summary>
      {input != null && <pre className="output">{JSON.stringify(input, null, 2)}</pre>}
      {output ? (
        <pre className="output">{output}</pre>
      ) : (
        state !== "running" && <p className="quiet">No output.</p>
      )}
      {props.omitted ? <p className="quiet">{props.omitted} bytes of its answer were left out.</p> : null}
    </details>
  );
}

/** The one value that says most: a command, a path, else all of it. */
function inShort(input: unknown): string {
  if (input == null) return "";
  if (typeof input !== "object") return String(input);
  const values = Object.values(input).filter((value) => typeof value === "string");
  return values.length > 0 ? String(values[0]) : JSON.stringify(input);
}
