import { type ReactNode, useId } from "react";

/** A box with a heading. */
export function Panel(props: { title?: ReactNode; end?: ReactNode; flush?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={props.title ? id : undefined}>
      {props.title && (
        <div className="panel-head">
          <h2 id={id}>{props.title}</h2>
          {props.end}
        </div>
      )}
      {props.flush ? props.children : <div className="panel-body">{props.children}</div>}
    </section>
  );
}
