import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

/** The placeholder of an empty list, with the next step. */
export function Empty(props: { icon?: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      {props.icon && <Icon name={props.icon} size={28} />}
      <h2>{props.title}</h2>
      {props.children && <p>{props.children}</p>}
      {props.action}
    </div>
  );
}

/** The place of rows that are on their way. */
export function Loading({ rows = 6, label }: { rows?: number; label: string }) {
  return (
    <ul className="skeleton" aria-busy="true" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <li key={row} />
      ))}
    </ul>
  );
}
