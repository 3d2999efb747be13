import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Icon, type IconName } from "./Icon";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one action of a place, `danger` for what takes something away. */
  look?: "plain" | "primary" | "quiet" | "danger" | "danger primary";
  size?: "small" | "normal";
  icon?: IconName;
  /** Shows that it works; the button keeps its name and its place. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
  /** Gets the focus when its dialog opens. */
  "data-first"?: boolean;
  children?: ReactNode;
}

/** A button. One without a text needs an `aria-label`. */
export function Button({ look = "plain", size = "normal", icon, busy, children, onClick, ...rest }: Props) {
  const classes = ["button", look, size === "small" && "small", !children && "icon"]
    .filter(Boolean)
    .join(" ");
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      // Not `disabled`: a press would lose the focus.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
