import type { IconName } from "../components";

export interface RailLink {
  label: string;
  icon: IconName;
  to: string;
  /** The key that leads there after a `g`. */
  key: string;
  search?: Record<string, string>;
}

/** The links of the rail for one agent. */
export function agentLinks(agentId: string): RailLink[] {
  const base = `/agents/${encodeURIComponent(agentId)}`;
  return [
    { label: "Skills", icon: "skills", key: "s", to: `${base}/skills` },
    { label: "Playground", icon: "playground", key: "p", to: `${base}/playground` },
    { label: "Sessions", icon: "sessions", key: "e", to: `${base}/sessions` },
    { label: "Settings", icon: "settings", key: "t", to: "/", search: { settingsAgentId: agentId } },
  ];
}

/** The links of the rail for all agents. */
export const ALL_LINKS: RailLink[] = [
  { label: "System setup", icon: "setup", key: "y", to: "/setup" },
  { label: "Registry", icon: "registry", key: "r", to: "/registry" },
  { label: "Cortex", icon: "cortex", key: "c", to: "/cortex" },
  { label: "Forge", icon: "forge", key: "f", to: "/forge" },
];
