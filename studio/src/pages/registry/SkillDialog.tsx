import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isAlreadyThere, type Result, useCall, useChange } from "../../api";
import { Button, Chip, Dialog, ErrorNote, Loading, Note } from "../../components";
import { fromNow, momentText } from "../../lib/text";
import { Consent } from "./Consent";
import { Review } from "./Review";

type Detail = Result<"skills.detail">;

/** A skill of the registry: who publishes it, what would come, where it would go, and the yes. */
export function SkillDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [version, setVersion] = useState<string>();
  const [replaces, setReplaces] = useState(false);
  const detail = useCall("skills.detail", { slug }, { retry: false });
  const installed = useCall("skills.installed", {}, { retry: false });
  const own = installed.data?.skills.find((one) => one.registry && isThat(one, slug));
  const install = useChange("skills.install", {
    refresh: ["skills.installed", "skills.outdated", "skills.status"],
  });
  const plan = useCall(
    "skills.plan",
    { slug, ...(version && { version }), ...(replaces && { force: true }) },
    { retry: false, enabled: installed.isFetched && !own && !install.isSuccess },
  );
  const planned = plan.data;
  const name = detail.data?.skill?.displayName ?? slug;
  return (
    <Dialog
      title={name}
      subtitle={
        <p className="quiet">
          {detail.data?.skill?.summary ?? ""} Installing it changes the default agent's workspace.
        </p>
      }
      onClose={onClose}
    >
      {detail.error && !plan.error && (
        <ErrorNote
          what="The details could not be loaded"
          error={detail.error}
          retry={() => detail.refetch()}
        />
      )}
      {detail.data && <Publisher detail={detail.data} slug={slug} version={version} onVersion={setVersion} />}
      {own && !install.data && (
        <Note
          kind="success"
          actions={
            <Link className="button small" to="/registry" search={{ tab: "installed" }}>
              Show what is installed
            </Link>
          }
        >
          It is installed{own.version && `, version ${own.version}`}: <code>{own.path}</code>
        </Note>
      )}
      {plan.isLoading && (
        <section className="part">
          <p role="status" className="actions">
            <span className="spinner" aria-hidden="true" /> Fetching it and scanning it. Nothing is installed.
          </p>
          <Loading label="Making the plan" rows={2} />
        </section>
      )}
      {plan.error && (
        <ErrorNote
          what="There is no plan, so nothing can be installed"
          error={plan.error}
          retry={() => plan.refetch()}
        />
      )}
      {plan.error && !replaces && isAlreadyThere(plan.error) && (
        <Note
          actions={
            <Button size="small" onClick={() => setReplaces(true)}>
              Plan to replace it
            </Button>
          }
        >
          A skill is in that folder and did not come from this registry. It can be replaced; it would go to
          the trash.
        </Note>
      )}
      {planned?.plan && (!own || install.data) && (
        <>
          <Review plan={planned.plan} text={planned.skillText} />
          <section className="part" aria-label="Install">
            <h3>What an install would do</h3>
            <dl className="facts">
              <dt>Writes to</dt>
              <dd>
                <code>{planned.plan.path}</code>
                {planned.plan.action === "replace" &&
                  " (replaces the existing folder, which goes to the trash)"}
              </dd>
              <dt>For</dt>
              <dd>every agent that uses the workspace of {planned.target.agentId}</dd>
              {planned.plan.registry && (
                <>
                  <dt>From</dt>
                  <dd>
                    {planned.plan.registry}
                    {planned.plan.version && `, version ${planned.plan.version}`}
                  </dd>
                </>
              )}
            </dl>
            {install.data ? (
              <Done result={install.data} />
            ) : (
              <Consent
                planned={planned}
                action={`Install ${planned.plan.name}${planned.plan.version ? ` ${planned.plan.version}` : ""}`}
                busy={install.isPending}
                onAgree={(acknowledged) =>
                  install.mutate({
                    source: "clawhub",
                    slug,
                    expectedHash: planned.plan?.hash ?? null,
                    ...(planned.plan?.version && { version: planned.plan.version }),
                    ...(replaces && { force: true }),
                    ...(acknowledged && { acknowledgeWarnings: true }),
                  })
                }
              />
            )}
            {install.error && (
              <ErrorNote
                what="It was not installed"
                error={install.error}
                retry={() => install.variables && install.mutate(install.variables)}
                dismiss={install.reset}
              />
            )}
          </section>
        </>
      )}
      {planned && !planned.plan && !own && (
        <Note kind="success">It is installed and up to date: there is nothing to do.</Note>
      )}
    </Dialog>
  );
}

function Publisher(props: {
  detail: Detail;
  slug: string;
  version: string | undefined;
  onVersion: (version: string | undefined) => void;
}) {
  const { skill, latestVersion, owner, metadata, moderation } = props.detail;
  const tags = Object.entries((skill?.tags ?? {}) as Record<string, string>);
  const stats = Object.entries((skill?.stats ?? {}) as Record<string, unknown>).filter(
    ([, value]) => typeof value === "number",
  );
  return (
    <section className="part" aria-label="Publisher">
      <dl className="facts">
        <dt>Publisher</dt>
        <dd>{owner?.displayName || owner?.handle || "The registry does not say"}</dd>
        <dt>Slug</dt>
        <dd>
          <code>{skill?.slug ?? props.slug}</code>
        </dd>
        {latestVersion && (
          <>
            <dt>Version</dt>
            <dd>
              {tags.length > 1 ? (
                <select
                  className="select version-select"
                  aria-label="Version"
                  value={props.version ?? latestVersion.version}
                  onChange={(event) => props.onVersion(event.target.value)}
                >
                  {tags.map(([tag, version]) => (
                    <option key={tag} value={version}>
                      {version} ({tag})
                    </option>
                  ))}
                </select>
              ) : (
                latestVersion.version
              )}{" "}
              <span className="quiet">published {momentText(latestVersion.createdAt)}</span>
            </dd>
            {latestVersion.changelog && (
              <>
                <dt>Changes</dt>
                <dd>{latestVersion.changelog}</dd>
              </>
            )}
            {latestVersion.license && (
              <>
                <dt>Licence</dt>
                <dd>{latestVersion.license}</dd>
              </>
            )}
          </>
        )}
        {skill && (
          <>
            <dt>First published</dt>
            <dd>
              {momentText(skill.createdAt)} <span className="quiet">changed {fromNow(skill.updatedAt)}</span>
            </dd>
          </>
        )}
        {stats.length > 0 && (
          <>
            <dt>Counts</dt>
            <dd>
              {stats.map(([key, value]) => `${Number(value).toLocaleString()} ${spaced(key)}`).join(", ")}
            </dd>
          </>
        )}
        {metadata?.setup && metadata.setup.length > 0 && (
          <>
            <dt>Needs</dt>
            <dd className="chips">
              {metadata.setup.map((need) => (
                <Chip key={need.key} look="plain">
                  {need.key}
                  {!need.required && " (optional)"}
                </Chip>
              ))}
            </dd>
          </>
        )}
      </dl>
      {moderation?.isMalwareBlocked && (
        <Note kind="error">The registry blocks it as malware. {moderation.summary}</Note>
      )}
      {moderation?.isSuspicious && !moderation.isMalwareBlocked && (
        <Note kind="warning">
          The registry calls it suspicious. {moderation.summary} {moderation.reasonCodes?.join(", ")}
        </Note>
      )}
    </section>
  );
}

/** True if an installed skill is the one that a reference names. */
function isThat(skill: { name: string; owner?: string | null }, reference: string): boolean {
  const [, owner, slug] = /^(?:@([^/]+)\/)?(.*)$/.exec(reference) ?? [];
  return skill.name === slug && (!owner || skill.owner === owner);
}

/** `installsAllTime` as words. */
function spaced(key: string): string {
  return key.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

function Done({ result }: { result: Result<"skills.install"> }) {
  const { skill } = result;
  return (
    <>
      <Note kind="success">
        {result.message} {skill && <code>{skill.path}</code>}
      </Note>
      {skill?.backup && (
        <p className="quiet">
          The replaced folder is kept: <code>{skill.backup}</code>
        </p>
      )}
      {[...(result.warnings ?? []), ...(skill?.warnings ?? [])].map((warning) => (
        <Note key={warning} kind="warning">
          {warning}
        </Note>
      ))}
      {skill && !skill.readiness.isReady && (
        <Note
          kind="warning"
          actions={
            <Link className="button small" to="/setup" search={{ skill: skill.readiness.name }}>
              Open System setup
            </Link>
          }
        >
          It cannot be used yet: {skill.readiness.reasons.join("; ")}
        </Note>
      )}
    </>
  );
}
