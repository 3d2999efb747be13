import { lazy, Suspense } from "react";
import type { Result } from "../../api";
import { Chip, Findings, Loading, Note, VerdictChip } from "../../components";
import { sentence } from "../../lib/readiness";
import { sizeText, splitFrontmatter } from "../../lib/text";

const Markdown = lazy(() => import("../../components/Markdown"));

export type Planned = Result<"skills.plan">;
export type Plan = NonNullable<Planned["plan"]>;

/** Everything that is known about what would come: verdict, findings, abilities, files, text. */
export function Review({ plan, text }: { plan: Plan; text: string | null | undefined }) {
  const { review } = plan;
  // Findings have their own rows below.
  const others = review.reasons.filter(
    (reason) => !review.findings.some((finding) => reason.includes(finding.rule)),
  );
  return (
    <>
      <section className="part" aria-label="Security">
        <div className="section-head">
          <h3>What the scanner of this gateway found</h3>
          <VerdictChip verdict={review.verdict} />
        </div>
        {others.length > 0 && (
          <ul className="needs">
            {others.map((reason) => (
              <li key={reason}>{sentence(reason)}</li>
            ))}
          </ul>
        )}
        <Findings findings={review.findings} />
        <Abilities plan={plan} />
        {review.moderation && (
          <p className="quiet">
            The registry says: {review.moderation.verdict ?? "nothing"}
            {review.moderation.engineVersion && ` (${review.moderation.engineVersion})`}.{" "}
            {review.moderation.summary}
          </p>
        )}
        {review.warnings.map((warning) => (
          <Note key={warning} kind="warning">
            {sentence(warning)}
          </Note>
        ))}
      </section>
      <section className="part" aria-label="Files">
        <h3>
          {plan.files.length} {plan.files.length === 1 ? "file" : "files"}
        </h3>
        <ul className="file-list">
          {plan.files.map((file) => (
            <li key={file.path}>
              <code>{file.path}</code>
              {file.executable && <Chip look="setup">can be run</Chip>}
              <span className="quiet">{sizeText(file.size)}</span>
            </li>
          ))}
        </ul>
        {text && (
          <details>
            <summary>Read its SKILL.md</summary>
            <div className="skill-md">
              <Suspense fallback={<Loading label="Loading the text" rows={2} />}>
                <Markdown text={splitFrontmatter(text).body} />
              </Suspense>
            </div>
          </details>
        )}
      </section>
    </>
  );
}

function Abilities({ plan }: { plan: Plan }) {
  const { capabilities, capabilityDiff, missing, install } = plan.review;
  const needs = [
    ...(missing.bins ?? []),
    ...(missing.anyBins ?? []),
    ...(missing.env ?? []),
    ...(missing.config ?? []),
  ];
  return (
    <dl className="facts">
      <dt>It can</dt>
      <dd className="chips">
        {capabilities.length === 0
          ? "nothing beyond its text"
          : capabilities.map((ability) => (
              <Chip key={ability} look={capabilityDiff?.added.includes(ability) ? "setup" : "plain"}>
                {ability}
                {capabilityDiff?.added.includes(ability) && " (new)"}
              </Chip>
            ))}
      </dd>
      {capabilityDiff && capabilityDiff.removed.length > 0 && (
        <>
          <dt>No longer</dt>
          <dd>{capabilityDiff.removed.join(", ")}</dd>
        </>
      )}
      <dt>Missing here</dt>
      <dd>
        {needs.length === 0 ? "nothing" : needs.join(", ")}
        {install.length > 0 && ` (System setup can install ${install.map((one) => one.label).join(", ")})`}
      </dd>
    </dl>
  );
}
