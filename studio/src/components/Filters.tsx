import type { ReactNode } from "react";

export interface FilterOption<T extends string> {
  value: T;
  label: ReactNode;
  count?: number;
}

/** One choice among a few, each with how many it would show. */
export function Filters<T extends string>(props: {
  label: string;
  options: readonly FilterOption<T>[];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <fieldset className="filters" aria-label={props.label}>
      {props.options.map((option) => (
        <button
          key={option.value}
          type="button"
          className="filter"
          aria-pressed={option.value === props.value}
          onClick={() => props.onChange(option.value)}
        >
          {option.label}
          {option.count !== undefined && <span className="count">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
