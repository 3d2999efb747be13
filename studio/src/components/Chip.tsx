import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

export type ChipLook = "ready" | "setup" | "unsupported" | "off" | "bad" | "accent" | "plain";

/** A short fact. States come with an icon and a text, so that colour is never needed to read them. */
export function Chip(props: { look?: ChipLook; icon?: IconName; title?: string; children: ReactNode }) {
  return (
    <span className={`chip ${props.look ?? ""}`} title={props.title}>
      {props.icon && <Icon name={props.icon} size={12} />}
      {props.children}
    </span>
  );
}
