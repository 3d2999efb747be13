import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { type StatusReport, useCall } from "../../api";
import { Empty, Filters, Icon, Note, Page, QueryState, Search } from "../../components";
import { setupSearch } from "../../lib/addresses";
import { useAgentName, useAgents, useCurrentAgent } from "../../lib/agents";
import { countStates, hasState, matches, type StateFilter } from "../../lib/filter";
import { useSearchState, useTypedText } from "../../lib/query";
import { READINESS_TEXT } from "../../lib/readiness";
import { useRows } from "../../lib/rows";
import { ConfigureDialog } from "./ConfigureDialog";
import { byEase } from "./ease";
import { SetupRow } from "./SetupRow";
import { Trash } from "./Trash";
import "../skills/skills.css";
import "./setup.css";

/** The missing requirements of the machine, and the steps to add them, for all agents. */
export function SetupPage() {
  const [query] = useSearchState(setupSearch);
  const current = useCurrentAgent();
  const { defaultId } = useAgents();
  const agentId = current ?? defaultId;
  return (
    <Page
      title="System setup"
      name="System setup"
      scope={{ kind: "all" }}
      above={query.agent && <BackLink agentId={query.agent} skill={query.skill ?? query.seen} />}
      sentence={
        <>
          What skills need from this machine. <strong>Changes here affect all agents</strong> of this gateway;
          what one agent may use is switched on its Skills page.
        </>
      }
    >
      {agentId && <SetupView agentId={agentId} />}
    </Page>
  );
}

function BackLink({ agentId, skill }: { agentId: string; skill: string | undefined }) {
  const name = useAgentName(agentId);
  return (
    <Link className="back" to="/agents/$agentId/skills" params={{ agentId }} search={{ skill }}>
      <Icon name="back" size={14} /> Back to the skills of {name}
    </Link>
  );
}

const OPTIONS: { value: StateFilter; label: string }[] = [
  { value: "setup", label: "Setup queue" },
  { value: "any", label: "All" },
  { value: "ready", label: READINESS_TEXT.ready },
  { value: "unsupported", label: READINESS_TEXT.unsupported },
  { value: "off", label: READINESS_TEXT.off },
];

/** The queue, the filters and the rows; also a tab of an agent's settings. */
export function SetupView({ agentId }: { agentId: string }) {
  const answer = useCall("skills.status", { agentId });
  const report = answer.data;
  const [query, setQuery] = useSearchState(setupSearch);
  const [search, setSearch] = useTypedText(setupSearch, "q");
  const skills = report?.skills;
  const found = useMemo(() => (skills ?? []).filter((skill) => matches(skill, search)), [skills, search]);
  const counts = useMemo(() => countStates(found), [found]);
  const state = query.state ?? "setup";
  const shown = useMemo(() => {
    const some = found.filter((skill) => hasState(skill, state));
    return state === "setup" ? some.sort(byEase) : some;
  }, [found, state]);
  const rows = useRows(shown);
  const open = skills?.find((skill) => skill.name === query.skill || skill.skillKey === query.skill);

  if (!report)
    return (
      <QueryState of={answer} what="The skills could not be listed" loading="Loading the skills" rows={8} />
    );
  return (
    <>
      <InstallTarget agentId={agentId} target={report.installTarget} />
      {query.skill && !open && (
        <Note kind="warning">
          The skill {query.skill} does not exist. It may have been removed or renamed.
        </Note>
      )}
      <div className="toolbar">
        <Search value={search} onChange={setSearch} label="Search the skills" />
        <Filters
          label="State"
          options={OPTIONS.map((option) => ({ ...option, count: counts[option.value] }))}
          value={state}
          onChange={(value) => setQuery({ state: value === "setup" ? undefined : value })}
        />
      </div>
      {rows.length > 0 ? (
        <ul
          className="panel rows"
          aria-label={state === "setup" ? "Setup queue, the easiest first" : "Skills"}
        >
          {rows.map((skill) => (
            <SetupRow key={skill.name} skill={skill} marked={query.seen === skill.name} />
          ))}
        </ul>
      ) : search === "" && state === "setup" ? (
        <div className="panel">
          <Empty icon="check" title="Nothing to set up">
            Every skill that can run on this machine has what it needs.
          </Empty>
        </div>
      ) : (
        <div className="panel">
          <Empty
            icon="search"
            title="No skills match"
            action={
              <button
                type="button"
                className="button"
                onClick={() => {
                  setSearch("");
                  setQuery({ q: undefined, state: "any" });
                }}
              >
                Clear search and filters
              </button>
            }
          />
        </div>
      )}
      <Trash agentId={agentId} />
      {open && (
        <ConfigureDialog
          key={open.name}
          skill={open}
          agentId={agentId}
          hasKey={report.settings[open.skillKey]?.hasApiKey === true}
          onClose={() => setQuery({ skill: undefined, seen: open.name })}
        />
      )}
    </>
  );
}

/** The folder in which installers run. */
function InstallTarget({ agentId, target }: { agentId: string; target: StatusReport["installTarget"] }) {
  const targetName = useAgentName(target.agentId);
  const viewed = useAgentName(agentId);
  const elsewhere = agentId !== target.agentId;
  return (
    <Note kind={elsewhere ? "warning" : "info"}>
      Installers run on the gateway's machine, for the skills as the default agent {targetName} has them in
      its workspace: <code>{target.workspace}</code>.
      {elsewhere && (
        <>
          {" "}
          <strong>You are viewing {viewed}, not the default agent:</strong> where its workspace has another
          copy of a skill, that one does not count here.
        </>
      )}
    </Note>
  );
}
