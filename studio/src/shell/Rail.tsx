import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { Button, Icon } from "../components";
import { agentName, useAgents, useCurrentAgent } from "../lib/agents";
import { ConnectionMark } from "./ConnectionMark";
import { ALL_LINKS, agentLinks, type RailLink } from "./links";
import { ThemeSwitch } from "./ThemeSwitch";

/** The way to every page. What is for one agent and what is for all are two boxes. */
export function Rail({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const { agents, defaultId } = useAgents();
  const current = useCurrentAgent();
  const navigate = useNavigate();
  const location = useLocation();
  const pick = (id: string) => {
    const page = /^\/agents\/[^/]+\/([^/]+)/.exec(location.pathname)?.[1];
    const search = location.search as { settingsAgentId?: string };
    if (location.pathname === "/" && search.settingsAgentId)
      void navigate({ to: "/", search: { ...search, settingsAgentId: id } });
    else void navigate({ to: `/agents/${encodeURIComponent(id)}/${page ?? "skills"}` });
  };
  return (
    <nav
      className="rail"
      aria-label="Pages"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <div className="brand">
        <img src="/favicon.svg" alt="" />
        Prowess Studio
      </div>
      <section className="scope agent" aria-labelledby="rail-agent">
        <h2 id="rail-agent">
          <Icon name="agent" size={14} /> One agent
        </h2>
        {current && (
          <>
            <select
              className="select"
              aria-label="Agent"
              value={current}
              onChange={(event) => pick(event.target.value)}
            >
              {!agents.some((agent) => agent.id === current) && <option value={current}>{current}</option>}
              {agents.map((agent) => (
                <option key={agent.id} value={agent.id}>
                  {agentName(agent, agent.id)}
                  {agent.id === defaultId ? " (default)" : ""}
                </option>
              ))}
            </select>
            <Links links={agentLinks(current)} />
          </>
        )}
      </section>
      <section className="scope all" aria-labelledby="rail-all">
        <h2 id="rail-all">
          <Icon name="all" size={14} /> All agents
        </h2>
        <Links links={ALL_LINKS} />
      </section>
      <div className="rail-foot">
        <div className="rail-tools">
          <ThemeSwitch />
          <Button look="quiet" size="small" icon="keyboard" onClick={onKeys}>
            Shortcuts
          </Button>
        </div>
        <ConnectionMark />
      </div>
      <span className="rail-close">
        <Button look="quiet" icon="cross" aria-label="Close the menu" onClick={onClose} />
      </span>
    </nav>
  );
}

function Links({ links }: { links: RailLink[] }) {
  const location = useLocation();
  return (
    <ul>
      {links.map((link) => (
        <li key={link.label}>
          <Link
            to={link.to}
            {...(link.search && { search: link.search })}
            activeProps={{}}
            aria-current={isCurrent(link, location.pathname) ? "page" : undefined}
          >
            <Icon name={link.icon} />
            {link.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function isCurrent(link: RailLink, pathname: string): boolean {
  if (link.to === "/") return pathname === "/";
  return pathname === link.to || pathname.startsWith(`${link.to}/`);
}
