import { useMatches } from "@tanstack/react-router";
import { type Agent, useCall } from "../api";

const KEY = "prowess.agent";

/** The name of an agent. */
export function agentName(agent: Agent | undefined, id: string): string {
  return agent?.identity?.name || agent?.name || id;
}

/** The agents of the gateway. */
export function useAgents() {
  const answer = useCall("agents.list", {});
  const agents = answer.data?.agents ?? [];
  return {
    agents,
    defaultId: answer.data?.defaultId,
    defaultModel: answer.data?.defaultModel ?? undefined,
    error: answer.error,
    isPending: answer.isPending,
  };
}

/** The name of the agent with that id. */
export function useAgentName(id: string): string {
  const { agents } = useAgents();
  return agentName(
    agents.find((agent) => agent.id === id),
    id,
  );
}

/** The agent that the address names, else the one that was looked at last, else the default one. */
export function useCurrentAgent(): string | undefined {
  const { agents, defaultId } = useAgents();
  const named = useMatches({ select: (matches) => matches.map(agentOf).find(Boolean) });
  if (named) {
    sessionStorage.setItem(KEY, named);
    return named;
  }
  const last = sessionStorage.getItem(KEY);
  return agents.some((agent) => agent.id === last) ? (last ?? undefined) : defaultId;
}

function agentOf(match: { params: object; search: object }): string | undefined {
  const params = match.params as { agentId?: string };
  const search = match.search as { settingsAgentId?: string; agent?: string };
  return params.agentId ?? search.settingsAgentId ?? search.agent;
}
