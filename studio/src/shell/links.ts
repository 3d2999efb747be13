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
    { label: "Playground", icon: "playground", to: `${base}/playground` },
    { label: "Sessions", icon: "sessions", to: `${base}/sessions` },
    { label: "Settings", icon: "settings", to: "/", search: { settingsAgentId: agentId } },
  ];
}

/** What the rail offers for all agents. */
export const ALL_LINKS: RailLink[] = [
  { label: "System setup", icon: "setup", to: "/setup" },
  { label: "Registry", icon: "registry", to: "/registry" },
  { label: "Cortex", icon: "cortex", to: "/cortex" },
  { label: "Forge", icon: "forge", to: "/forge" },
];
