// Links of pages that are also tabs of an agent's settings: inside the settings they stay there.

import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** True in the settings of an agent, and on a page that was opened from there. */
export function useInSettings(): boolean {
  const search: { settingsAgentId?: string; from?: string } = useSearch({ strict: false });
  return search.settingsAgentId !== undefined || search.from === "settings";
}

/** Leads to the setup of a skill. */
export function SetupLink(props: { agentId: string; skill: string; button?: boolean; children: ReactNode }) {
  const { agentId, skill, button, children } = props;
  const inSettings = useInSettings();
  const look = button ? { className: "button small" } : {};
  return inSettings ? (
    <Link {...look} to="/" search={{ settingsAgentId: agentId, tab: "setup", skill }}>
      {children}
    </Link>
  ) : (
    <Link {...look} to="/setup" search={{ skill, agent: agentId }}>
      {children}
    </Link>
  );
}

/** Leads to the skills of an agent, with one of them marked. */
export function SkillsLink(props: { agentId: string; skill: string; children: ReactNode }) {
  const { agentId, skill, children } = props;
  const inSettings = useInSettings();
  return inSettings ? (
    <Link className="back" to="/" search={{ settingsAgentId: agentId, tab: "skills", skill }}>
      {children}
    </Link>
  ) : (
    <Link className="back" to="/agents/$agentId/skills" params={{ agentId }} search={{ skill }}>
      {children}
    </Link>
  );
}
