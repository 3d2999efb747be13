import { type Result, type SkillStatus, useCall } from "../../api";
import { Chip, ErrorNote, Panel } from "../../components";
import { fromNow, momentText } from "../../lib/text";

type Installed = Result<"skills.installed">["skills"][number];

const STATES: Record<Installed["state"], string> = {
  intact: "Unmodified",
  edited: "Edited locally",
  gone: "Folder missing",
  replaced: "Folder replaced",
  unknown: "State unknown",
};

/** The install and the later changes of a skill, as far as a lock file has them. */
export function History({ skill, agentId }: { skill: SkillStatus; agentId: string }) {
  const installed = useCall("skills.installed", { agentId }, { retry: false });
  const own = installed.data?.skills.find((one) => one.path === skill.baseDir);
  if (!own) {
    if (skill.bundled) return <Unknown>It came with this version of the program.</Unknown>;
    if (installed.error)
      return (
        <ErrorNote
          what="Its history is not known"
          error={installed.error}
          retry={() => installed.refetch()}
        />
      );
    return installed.data ? <Unknown>{withoutHistory(skill)}</Unknown> : null;
  }
  return (
    <Panel
      title="History"
      end={
        <Chip
          look={own.state === "intact" ? "ready" : "setup"}
          icon={own.state === "intact" ? "check" : "warning"}
        >
          {STATES[own.state]}
        </Chip>
      }
    >
      <dl className="facts">
        <Fact name="From" value={own.source} />
        <Fact name="Version" value={own.version} />
        <Fact name="Commit" value={own.commit} />
        <Fact name="Registry" value={own.registry} />
        <Fact name="Publisher" value={own.owner} />
        <Fact name="Installed" value={moment(own.installedAt)} />
        <Fact name="Updated" value={moment(own.updatedAt)} />
        <Fact name="Scan then" value={own.verdict} />
        <Fact name="By" value={own.tool} />
        {own.pinned && <Fact name="Pinned" value={own.pinned.reason ?? "Pinned: not updated"} />}
      </dl>
    </Panel>
  );
}

/** The text for a skill that is in no lock file. */
function withoutHistory({ origin }: SkillStatus): string {
  const isOurs = origin.tier === "managed" || origin.tier === "workspace";
  return isOurs && !origin.plugin
    ? "No history: it is in no lock file, so it was added by hand."
    : "No history: it was not installed from a lockfile that Prowess reads.";
}

function moment(ms: number | null | undefined): string | undefined {
  return ms == null ? undefined : `${momentText(ms)} (${fromNow(ms)})`;
}

function Fact({ name, value }: { name: string; value: string | null | undefined }) {
  if (!value) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Unknown({ children }: { children: string }) {
  return (
    <Panel title="History">
      <p className="quiet">{children}</p>
    </Panel>
  );
}
