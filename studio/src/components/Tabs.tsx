import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface Tab<T extends string> {
  id: T;
  label: ReactNode;
  count?: number | undefined;
}

/** Parts of a page; which one is shown is `tab` in the address. The first one needs no mention there. */
export function Tabs<T extends string>(props: { label: string; tabs: readonly Tab<T>[]; current: T }) {
  return (
    <nav className="tabs" aria-label={props.label}>
      {props.tabs.map((tab) => (
        <Link
          key={tab.id}
          to="."
          search={(before: object) => ({ ...before, tab: tab.id })}
          activeProps={{}}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={tab.id === props.current ? "page" : undefined}
        >
          {tab.label}
          {tab.count !== undefined && <span className="quiet">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
