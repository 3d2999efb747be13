import { type ReactNode, useEffect } from "react";
import { Icon } from "./Icon";

/** Whom a page is about: one named agent, or all of them. */
export type Scope = { kind: "agent"; name: string } | { kind: "all" };

/** A page with its title, its scope and the sentence that says what it changes. */
export function Page(props: {
  title: ReactNode;
  /** For the tab of the browser. */
  name: string;
  scope: Scope;
  sentence?: ReactNode;
  end?: ReactNode;
  above?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  useTitle(props.scope.kind === "agent" ? `${props.name} · ${props.scope.name}` : props.name);
  return (
    <div className={props.wide ? "page wide" : "page"}>
      <header className="page-head">
        {props.above}
        <div className="page-title">
          <h1>{props.title}</h1>
          <ScopeBadge scope={props.scope} />
          {props.end && <div className="end">{props.end}</div>}
        </div>
        {props.sentence && <p className="sentence">{props.sentence}</p>}
      </header>
      {props.children}
    </div>
  );
}

export function ScopeBadge({ scope }: { scope: Scope }) {
  return (
    <span className={`scope-badge ${scope.kind}`}>
      <Icon name={scope.kind} size={14} />
      {scope.kind === "agent" ? `Agent ${scope.name}` : "All agents"}
    </span>
  );
}

/** The title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Prowess Studio`;
  }, [title]);
}
