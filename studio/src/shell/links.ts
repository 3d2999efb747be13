import type { IconName } from "../components";

export interface RailLink {
  label: string;
  icon: IconName;
  to: string;
  /** Also current on addresses that begin with this. */
  under?: string;
  search?: Record<string, string>;
}

/** What the rail offers for one agent. */
export function agentLinks(agentId: string): RailLink[] {
  const base = `/agents/${encodeURIComponent(agentId)}`;
  return [
    { label: "Skills", icon: "skills", to: `${base}/skills` },
    { label: "Settings", icon: "settings", to: "/", search: { settingsAgentId: agentId } },
  ];
}

/** What the rail offers for all agents. */
export const ALL_LINKS: RailLink[] = [{ label: "System setup", icon: "setup", to: "/setup" }];
