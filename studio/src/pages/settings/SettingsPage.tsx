import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useCall } from "../../api";
import { Icon, Note, Page } from "../../components";
import { homeSearch } from "../../lib/addresses";
import { useAgentName, useAgents } from "../../lib/agents";
import { useSearchState } from "../../lib/query";
import { SetupView } from "../setup/SetupPage";
import { SkillsView } from "../skills/SkillsPage";
import { Advanced } from "./Advanced";
import { Automations } from "./Automations";
import { Behavior } from "./Behavior";
import { Capabilities } from "./Capabilities";
import { Devices } from "./Devices";
import "./settings.css";

interface Tab {
  id: string;
  label: string;
  /** True if changes here affect every agent. */
  forAll: boolean;
  about: (name: string) => ReactNode;
  view: (agentId: string, name: string) => ReactNode;
}

const TABS: Tab[] = [
  {
    id: "behavior",
    label: "Behavior",
    forAll: false,
    about: (name) => `The model of ${name}, and its instruction files.`,
    view: (agentId, name) => <Behavior agentId={agentId} name={name} />,
  },
  {
    id: "capabilities",
    label: "Capabilities",
    forAll: true,
    about: () => "Tool permissions: ask first, always allow, or never.",
    view: () => <Capabilities />,
  },
  {
    id: "skills",
    label: "Skills",
    forAll: false,
    about: (name) => `Skills of ${name}. The switches change this agent only.`,
    view: (agentId, name) => <SkillsTab agentId={agentId} name={name} />,
  },
  {
    id: "setup",
    label: "System setup",
    forAll: true,
    about: () => "What skills need from this machine.",
    view: (agentId) => <SetupView agentId={agentId} />,
  },
  {
    id: "automations",
    label: "Automations",
    forAll: false,
    about: (name) => `Messages that ${name} gets by the clock, while the gateway runs.`,
    view: (agentId, name) => <Automations agentId={agentId} name={name} />,
  },
  {
    id: "devices",
    label: "Devices",
    forAll: true,
    about: () => "Browsers and other clients that may connect to the gateway.",
    view: () => <Devices />,
  },
  {
    id: "advanced",
    label: "Advanced",
    forAll: true,
    about: () =>
      "The config file of the gateway as a whole. Secrets are masked, and stay stored where the mask stays.",
    view: () => <Advanced />,
  },
];

/** The settings of one agent. Tabs whose changes concern every agent say so. */
export default function SettingsPage({ agentId }: { agentId: string }) {
  const [query] = useSearchState(homeSearch);
  const name = useAgentName(agentId);
  const { agents } = useAgents();
  const tab = TABS.find((one) => one.id === query.tab) ?? (TABS[0] as Tab);
  const tabs = useRef<HTMLElement>(null);
  // On a narrow screen the current one comes into view.
  useEffect(() => {
    tabs.current
      ?.querySelector(`[data-tab="${tab.id}"]`)
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [tab.id]);
  const unknown = agents.length > 0 && !agents.some((agent) => agent.id === agentId);
  return (
    <Page
      title="Settings"
      name={`${tab.label}, settings`}
      scope={tab.forAll ? { kind: "all" } : { kind: "agent", name }}
      sentence={
        <>
          {tab.about(name)} {tab.forAll && <strong>Changes here affect all agents.</strong>}
        </>
      }
    >
      <nav ref={tabs} className="tabs" aria-label={`Settings of ${name}`}>
        {TABS.map((one) => (
          <Link
            key={one.id}
            data-tab={one.id}
            to="/"
            search={{ settingsAgentId: agentId, tab: one.id }}
            activeProps={{}}
            aria-current={one === tab ? "page" : undefined}
          >
            {one.forAll && <Icon name="all" size={13} />}
            {one.label}
            {one.forAll && <span className="hidden-text"> (all agents)</span>}
          </Link>
        ))}
      </nav>
      {unknown ? (
        <Note kind="warning">There is no agent {agentId} on this gateway.</Note>
      ) : (
        tab.view(agentId, name)
      )}
    </Page>
  );
}

function SkillsTab({ agentId, name }: { agentId: string; name: string }) {
  const answer = useCall("skills.status", { agentId });
  return <SkillsView key={agentId} agentId={agentId} name={name} answer={answer} />;
}
