import { useState } from "react";
import { type Result, refresh, useCall } from "../../api";
import { Button, Chip, Dialog, Empty, ErrorNote, Note, QueryState } from "../../components";
import { registrySearch } from "../../lib/addresses";
import { useSearchState } from "../../lib/query";
import { useRows } from "../../lib/rows";
import { fromNow, momentText } from "../../lib/text";
import { RemoveZone } from "../setup/RemoveZone";

type Skill = Result<"skills.installed">["skills"][number];
type Fresh = Result<"skills.outdated">["skills"][number];

const STATES: Record<Skill["state"], string> = {
  intact: "Unmodified",
  edited: "Edited locally",
  gone: "Folder missing",
  replaced: "Folder replaced",
  unknown: "State unknown",
};

/** The installed skills with their source, local edits and available updates. */
export function Installed() {
  const installed = useCall("skills.installed", {});
  const outdated = useCall("skills.outdated", {}, { retry: false });
  const rows = useRows(installed.data?.skills ?? []);
  if (!installed.data)
    return (
      <QueryState
        of={installed}
        what="What is installed could not be read"
        loading="Loading what is installed"
        rows={4}
      />
    );
  return (
    <>
      <div className="toolbar">
        <Button icon="refresh" busy={outdated.isFetching} onClick={() => outdated.refetch()}>
          Check for updates
        </Button>
        <span className="quiet" role="status">
          {outdated.isFetching
            ? "Checking for updates"
            : outdated.data &&
              updatesText(outdated.data.skills.filter((one) => one.freshness === "outdated").length)}
        </span>
      </div>
      {outdated.error && (
        <ErrorNote
          what="The check for updates failed"
          error={outdated.error}
          retry={() => outdated.refetch()}
        />
      )}
      {installed.data.problems.map((problem) => (
        <Note key={problem} kind="warning">
          {problem}
        </Note>
      ))}
      {rows.length === 0 ? (
        <div className="panel">
          <Empty icon="registry" title="No installed skills yet">
            Search the registry to install a skill. Skills that were put into the folder by hand are on the
            page Skills.
          </Empty>
        </div>
      ) : (
        <ul className="panel rows" aria-label="Installed">
          {rows.map((skill) => (
            <Row
              key={skill.path}
              skill={skill}
              fresh={outdated.data?.skills.find((one) => one.path === skill.path)}
            />
          ))}
        </ul>
      )}
      {installed.data.unlisted.length > 0 && (
        <details className="panel padded">
          <summary>{installed.data.unlisted.length} in the folder that were not installed</summary>
          <ul className="file-list">
            {installed.data.unlisted.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function updatesText(count: number): string {
  if (count === 0) return "Everything is up to date.";
  return count === 1 ? "1 update available." : `${count} updates available.`;
}

function Row({ skill, fresh }: { skill: Skill; fresh: Fresh | undefined }) {
  const [, setQuery] = useSearchState(registrySearch);
  const [removes, setRemoves] = useState(false);
  return (
    <li className="found-row">
      <div>
        <div className="found-title">
          <strong>{skill.name}</strong>
          {skill.version && <Chip look="plain">{skill.version}</Chip>}
          <Chip
            look={skill.state === "intact" ? "ready" : "setup"}
            icon={skill.state === "intact" ? "check" : "warning"}
          >
            {STATES[skill.state]}
          </Chip>
          {skill.pinned && <Chip look="plain">Pinned</Chip>}
          {fresh?.freshness === "outdated" && (
            <Chip look="accent" icon="info">
              {fresh.latest ? `${fresh.latest} available` : "Update available"}
            </Chip>
          )}
          {fresh?.freshness === "malicious" && (
            <Chip look="bad" icon="warning">
              Flagged as malicious by its source
            </Chip>
          )}
        </div>
        <p className="quiet">
          {[
            skill.registry ? `from ${skill.registry}` : `from ${skill.source}`,
            skill.owner && `by ${skill.owner}`,
            skill.tool && `installed by ${skill.tool}`,
            skill.installedAt != null && `installed ${fromNow(skill.installedAt)}`,
            skill.verdict && `scan then: ${skill.verdict}`,
          ]
            .filter(Boolean)
            .join(" · ")}
          {skill.installedAt != null && (
            <span className="hidden-text"> ({momentText(skill.installedAt)})</span>
          )}
        </p>
        <p className="quiet">
          <code>{skill.path}</code>
        </p>
        {fresh?.note && <p className="quiet">{fresh.note}</p>}
      </div>
      <div className="actions">
        {fresh?.freshness === "outdated" && (
          <Button
            size="small"
            look="primary"
            aria-label={`Update ${skill.name}`}
            onClick={() => setQuery({ update: skill.name }, "push")}
          >
            Update
          </Button>
        )}
        {skill.state === "edited" && fresh?.freshness !== "outdated" && (
          <Button
            size="small"
            aria-label={`Edits of ${skill.name}`}
            onClick={() => setQuery({ update: skill.name }, "push")}
          >
            Edits
          </Button>
        )}
        <Button
          size="small"
          look="danger"
          aria-label={`Uninstall ${skill.name}`}
          onClick={() => setRemoves(true)}
        >
          Uninstall
        </Button>
        {removes && <Uninstall skill={skill} onClose={() => setRemoves(false)} />}
      </div>
    </li>
  );
}

function Uninstall({ skill, onClose }: { skill: Skill; onClose: () => void }) {
  const status = useCall("skills.status", {});
  const agentId = status.data?.agentId;
  const known = status.data?.skills.find((one) => one.baseDir === skill.path);
  return (
    <Dialog narrow title={`Uninstall ${skill.name}`} onClose={onClose}>
      <QueryState
        of={status}
        what="The state of the skill could not be loaded"
        loading="Loading the state of the skill"
        rows={1}
      />
      {known && agentId && (
        <RemoveZone
          skill={known}
          agentId={agentId}
          onRemoved={() => {
            onClose();
            void refresh("skills.installed", "skills.outdated");
          }}
        />
      )}
      {status.data && !known && (
        <Note kind="warning">
          No agent uses this copy: another skill of that name hides it, or its folder is missing. Remove it
          with <code>prowess uninstall {skill.folder}</code>.
        </Note>
      )}
    </Dialog>
  );
}
