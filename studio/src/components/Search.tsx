import { useEffect, useRef } from "react";
import { isShortcut } from "../lib/keys";
import { Button } from "./Button";
import { Icon } from "./Icon";

/** The search field of a page. `/` focuses it from anywhere, Esc empties it. */
export function Search(props: {
  value: string;
  onChange: (value: string) => void;
  label: string;
  placeholder?: string;
}) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || !isShortcut(event)) return;
      event.preventDefault();
      ref.current?.focus();
      ref.current?.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  return (
    <div className="search">
      <Icon name="search" />
      <input
        ref={ref}
        className="input"
        type="search"
        aria-label={props.label}
        placeholder={props.placeholder ?? props.label}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && props.value) {
            event.stopPropagation();
            props.onChange("");
          }
        }}
      />
      {props.value ? (
        <span className="search-clear">
          <Button
            look="quiet"
            size="small"
            icon="cross"
            aria-label="Clear the search"
            onClick={() => {
              props.onChange("");
              ref.current?.focus();
            }}
          />
        </span>
      ) : (
        <kbd title="Press / to search">/</kbd>
      )}
    </div>
  );
}
