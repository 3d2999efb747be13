import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { type StatusReport, useCall } from "../../api";
import { Empty, ErrorNote, Filters, Note, Page, QueryState, Search } from "../../components";
import { skillsSearch } from "../../lib/addresses";
import { useAgentName } from "../../lib/agents";
import { type AccessFilter, countStates, hasAccess, hasState, matches } from "../../lib/filter";
import { useSearchState, useTypedText } from "../../lib/query";
import { sentence, sourceText } from "../../lib/readiness";
import { useRows } from "../../lib/rows";
import { useTold } from "../../lib/told";
import { AccessPanel } from "./AccessPanel";
import { STATE_OPTIONS } from "./options";
import { SkillRow } from "./SkillRow";
import { Welcome } from "./Welcome";
import "./skills.css";

/** The skills of one agent. Access is switched here; set-up is somewhere else. */
export function SkillsPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/skills" });
  return <AgentSkills key={agentId} agentId={agentId} />;
}

function AgentSkills({ agentId }: { agentId: string }) {
  const name = useAgentName(agentId);
  const answer = useCall("skills.status", { agentId });
  return (
    <Page
      title="Skills"
      name="Skills"
      scope={{ kind: "agent", name }}
      sentence={
        <>
          What <strong>{name}</strong> can use. The switches change this agent only; every other agent keeps
          its own.
        </>
      }
    >
      {answer.data && <Welcome agentId={agentId} name={name} report={answer.data} />}
      <SkillsView agentId={agentId} name={name} answer={answer} />
    </Page>
  );
}

/** The list with its search and filters; also a tab of an agent's settings. */
export function SkillsView(props: {
  agentId: string;
  name: string;
  answer: ReturnType<typeof useCall<"skills.status">>;
}) {
  const { agentId, name, answer } = props;
  const report = answer.data;
  const [query, setQuery] = useSearchState(skillsSearch);
  const [search, setSearch] = useTypedText(skillsSearch, "q");
  const state = query.state ?? "any";
  const access = query.access ?? "any";
  const source = query.source ?? "any";
  const skills = report?.skills;
  const told = useTold(agentId);

  const sources = useMemo(
    () => [...new Set((skills ?? []).map((skill) => sourceText(skill.origin)))].sort(),
    [skills],
  );
  const found = useMemo(
    () =>
      (skills ?? []).filter(
        (skill) =>
          matches(skill, search) &&
          hasAccess(skill, access) &&
          (source === "any" || sourceText(skill.origin) === source),
      ),
    [skills, search, access, source],
  );
  const counts = useMemo(() => countStates(found), [found]);
  const rows = useRows(useMemo(() => found.filter((skill) => hasState(skill, state)), [found, state]));
  const clear = () => {
    setSearch("");
    setQuery({ q: undefined, state: undefined, access: undefined, source: undefined });
  };

  if (!report)
    return (
      <QueryState of={answer} what="The skills could not be listed" loading="Loading the skills" rows={8} />
    );
  return (
    <>
      <AccessPanel agentId={agentId} name={name} report={report} told={told} />
      {answer.error && (
        <ErrorNote
          what="The list may be old: it could not be read again"
          error={answer.error}
          retry={() => answer.refetch()}
        />
      )}
      <Troubles report={report} />
      <div className="toolbar">
        <Search value={search} onChange={setSearch} label="Search the skills" />
        <label className="inline-field">
          Access
          <select
            className="select"
            value={access}
            onChange={(event) => setQuery({ access: choice(event.target.value as AccessFilter) })}
          >
            <option value="any">Any</option>
            <option value="allowed">Allowed</option>
            <option value="denied">Not allowed</option>
          </select>
        </label>
        <label className="inline-field">
          Source
          <select
            className="select"
            value={source}
            onChange={(event) => setQuery({ source: choice(event.target.value) })}
          >
            <option value="any">Any</option>
            {sources.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <Filters
        label="State"
        options={STATE_OPTIONS.map((option) => ({ ...option, count: counts[option.value] }))}
        value={state}
        onChange={(value) => setQuery({ state: choice(value) })}
      />
      {skills?.length === 0 ? (
        <div className="panel">
          <Empty icon="skills" title="No skills yet">
            Put a folder with a SKILL.md into {report.workspaceDir}/skills, or install one from a registry.
          </Empty>
        </div>
      ) : rows.length === 0 ? (
        <div className="panel">
          <Empty
            icon="search"
            title="No skills match"
            action={
              <button type="button" className="button" onClick={clear}>
                Clear search and filters
              </button>
            }
          >
            None of the {skills?.length} skills fits the search and the filters together.
          </Empty>
        </div>
      ) : (
        <ul className="panel rows" aria-label={`Skills of ${name}`}>
          {rows.map((skill) => (
            <SkillRow
              key={skill.name}
              skill={skill}
              agentId={agentId}
              agent={name}
              told={told?.get(skill.name)}
              marked={query.skill === skill.name}
            />
          ))}
        </ul>
      )}
      <NotLoaded losses={report.notLoaded} />
    </>
  );
}

/** Files on disk that are not in use: edits with mistakes, a config that cannot be read. */
function Troubles({ report }: { report: StatusReport }) {
  return (
    <>
      {report.emptyPrompt && report.skills.length > 0 && (
        <Note kind="warning">
          The prompt has no skills: {report.emptyPrompt.message}. {sentence(report.emptyPrompt.help)}
        </Note>
      )}
      {report.configProblem && (
        <Note kind="warning">
          The config of the workspace cannot be read, so the last good one is used: {report.configProblem}
        </Note>
      )}
      {report.staleEdits.map((edit) => (
        <Note key={edit.file} kind="warning">
          The last edit of <strong>{edit.name}</strong> has a mistake, so the version before it is used:{" "}
          {edit.message} (<code>{edit.file}</code>)
        </Note>
      ))}
    </>
  );
}

/** Found and not loaded, with the reason. Copies that a skill hides are shown with that skill. */
function NotLoaded({ losses }: { losses: StatusReport["notLoaded"] }) {
  const others = losses.filter((loss) => loss.reason !== "shadowed");
  if (others.length === 0) return null;
  return (
    <details className="panel padded">
      <summary>{others.length} found on disk and not loaded</summary>
      <ul className="losses">
        {others.map((loss) => (
          <li key={`${loss.path} ${loss.reason}`}>
            <strong>{loss.name ?? loss.path}</strong> {sentence(loss.message)}
            <br />
            <code>{loss.path}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** `any` is what an address without the filter means. */
function choice<T extends string>(value: T): T | undefined {
  return value === "any" ? undefined : value;
}
