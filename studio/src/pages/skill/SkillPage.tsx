import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { type SkillStatus, useCall, useChange } from "../../api";
import {
  Chip,
  Empty,
  ErrorNote,
  Icon,
  Loading,
  Note,
  Page,
  Panel,
  QueryState,
  StateChip,
  Switch,
} from "../../components";
import { useAgentName } from "../../lib/agents";
import { isAllowed, readinessOf, reasonsOf, sourceText } from "../../lib/readiness";
import { splitFrontmatter } from "../../lib/text";
import { SetupLink, SkillsLink } from "../settings/links";
import { Diagnostics } from "./Diagnostics";
import { History } from "./History";
import { Needs } from "./Needs";
import { OriginPanel } from "./OriginPanel";
import { Security } from "./Security";
import { WhyPanel } from "./WhyPanel";
import "../skills/skills.css";
import "./skill.css";

const Markdown = lazy(() => import("../../components/Markdown"));

/** Everything that is known about one skill, as one agent sees it. */
export function SkillPage() {
  const { agentId, name } = useParams({ from: "/agents/$agentId/skills/$name" });
  const agent = useAgentName(agentId);
  const status = useCall("skills.status", { agentId });
  const skill = status.data?.skills.find((one) => one.name === name);
  return (
    <Page
      wide
      name={name}
      title={
        <>
          {skill?.emoji && <span aria-hidden="true">{skill.emoji} </span>}
          {name}
        </>
      }
      scope={{ kind: "agent", name: agent }}
      above={
        <SkillsLink agentId={agentId} skill={name}>
          <Icon name="back" size={14} /> Skills of {agent}
        </SkillsLink>
      }
      sentence={skill?.description}
    >
      {skill ? (
        <Skill skill={skill} agentId={agentId} agent={agent} />
      ) : status.error ? (
        <ErrorNote what="The skill could not be read" error={status.error} retry={() => status.refetch()} />
      ) : status.isPending ? (
        <Loading label="Loading the skill" />
      ) : (
        <NotThere name={name} agentId={agentId} />
      )}
    </Page>
  );
}

/** A name that no skill won: the reasons are known, too. */
function NotThere({ name, agentId }: { name: string; agentId: string }) {
  const why = useCall("skills.why", { skillKey: name, agentId }, { retry: false });
  return why.data ? (
    <WhyPanel why={why.data} />
  ) : (
    <div className="panel">
      <Empty icon="search" title={`There is no skill ${name}`}>
        It may have been removed or renamed.
      </Empty>
    </div>
  );
}

function Skill({ skill, agentId, agent }: { skill: SkillStatus; agentId: string; agent: string }) {
  const key = { skillKey: skill.name, agentId };
  const file = useCall("skills.read", key);
  const why = useCall("skills.why", key);
  const text = file.data?.text;
  const { settings, body } = splitFrontmatter(text ?? "");
  return (
    <>
      <Verdict skill={skill} agentId={agentId} agent={agent} fate={why.data?.fate} />
      <div className="skill-columns">
        <div className="skill-main">
          <Diagnostics diagnostics={skill.diagnostics} text={text} />
          <Panel title="What the model reads" end={<code>{fileName(skill.filePath)}</code>}>
            <QueryState of={file} what="The text could not be read" loading="Loading the text" rows={3} />
            {text !== undefined && (
              <>
                {settings && (
                  <details className="frontmatter">
                    <summary>Settings at the top of the file</summary>
                    <pre>{settings}</pre>
                  </details>
                )}
                <Suspense fallback={<Loading label="Loading the text" rows={3} />}>
                  <Markdown text={body} />
                </Suspense>
              </>
            )}
          </Panel>
        </div>
        <div className="skill-side">
          <Needs skill={skill} />
          <OriginPanel skill={skill} files={file.data?.files} />
          <History skill={skill} agentId={agentId} />
          <Security name={skill.name} agentId={agentId} />
          <Commands skill={skill} agentId={agentId} />
          {why.data && <WhyPanel why={why.data} />}
          {why.error && (
            <ErrorNote what="The reasons could not be loaded" error={why.error} retry={() => why.refetch()} />
          )}
        </div>
      </div>
    </>
  );
}

function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function Verdict(props: { skill: SkillStatus; agentId: string; agent: string; fate: string | undefined }) {
  const { skill, agentId, agent, fate } = props;
  const state = readinessOf(skill);
  const change = useChange("skills.allow", { refresh: ["skills.status", "skills.why", "config.get"] });
  const on = change.isPending ? change.variables.allowed === true : isAllowed(skill);
  return (
    <section className="panel verdict-bar" aria-label="In short">
      <div className="actions">
        <StateChip state={state} />
        <Chip look="plain">{sourceText(skill.origin)}</Chip>
        <Chip look="plain" title="How far it follows the Agent Skills specification">
          {skill.level}
        </Chip>
        {skill.mode !== "auto" && <Chip look="accent">{skill.mode}</Chip>}
        {fate && (
          <span>
            For {agent}: {fate}.
          </span>
        )}
      </div>
      <div className="actions">
        {reasonsOf(skill).length > 0 && state !== "unsupported" && (
          <SetupLink button agentId={agentId} skill={skill.name}>
            Open System setup
          </SetupLink>
        )}
        {state !== "unsupported" && (
          <span className="actions">
            {on ? `Allowed for ${agent}` : `Not allowed for ${agent}`}
            <Switch
              label={`Skill ${skill.name}`}
              on={on}
              busy={change.isPending}
              onChange={(allowed) => change.mutate({ agentId, name: skill.name, allowed })}
            />
          </span>
        )}
      </div>
      {change.error && (
        <ErrorNote
          what="The access was not changed"
          error={change.error}
          retry={() => change.variables && change.mutate(change.variables)}
          dismiss={change.reset}
        />
      )}
    </section>
  );
}

function Commands({ skill, agentId }: { skill: SkillStatus; agentId: string }) {
  const answer = useCall("skills.commands", { agentId });
  const own = (answer.data?.commands ?? []).filter((command) => command.skillName === skill.name);
  return (
    <Panel title="Commands">
      {own.length > 0 ? (
        <ul>
          {own.map((command) => (
            <li key={command.name}>
              <code>/{command.name}</code>
            </li>
          ))}
        </ul>
      ) : (
        <p className="quiet">
          {skill.userInvocable ? "None: only usable skills have a command." : "People cannot call it."}
        </p>
      )}
      {answer.error && <Note kind="warning">{answer.error.message}</Note>}
    </Panel>
  );
}
