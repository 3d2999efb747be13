import { useCall, useChange } from "../../api";
import { Chip, Dialog, ErrorNote, Note, QueryState, UnifiedDiff } from "../../components";
import { sentence } from "../../lib/readiness";
import { Consent } from "./Consent";
import { type Plan, Review } from "./Review";

/** The changes of an update, line by line, and its confirmation. */
export function UpdateDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const plan = useCall("skills.plan", { slug: name, update: true }, { retry: false });
  const diff = useCall(
    "skills.diff",
    { name, local: plan.data?.plan === null },
    {
      retry: false,
      enabled: !plan.isPending,
    },
  );
  const update = useChange("skills.update", {
    refresh: ["skills.installed", "skills.outdated", "skills.status"],
  });
  const planned = plan.data;
  const version = planned?.plan?.version;
  return (
    <Dialog
      title={planned?.plan ? `Update ${name}` : name}
      subtitle={<p className="quiet">Changes here affect every agent that uses it.</p>}
      onClose={onClose}
    >
      <QueryState
        of={plan}
        what="There is no plan"
        loading="Fetching and scanning the new version"
        rows={3}
      />
      {planned && !planned.plan && !update.data && <Note>Already up to date.</Note>}
      <Changes answer={diff} />
      {planned?.plan && !update.data && (
        <>
          {planned.plan.merge && <Merge merge={planned.plan.merge} />}
          <Review plan={planned.plan} text={planned.skillText} />
          <section className="part" aria-label="Update">
            <Consent
              planned={planned}
              action={`Update ${name}${version ? ` to ${version}` : ""}`}
              busy={update.isPending}
              onAgree={(acknowledged) =>
                update.mutate({
                  source: "clawhub",
                  slug: name,
                  env: {},
                  ...(acknowledged && { acknowledgeWarnings: true }),
                })
              }
            />
          </section>
        </>
      )}
      {update.error && (
        <ErrorNote
          what="It was not updated"
          error={update.error}
          retry={() => update.variables && update.mutate(update.variables)}
          dismiss={update.reset}
        />
      )}
      {update.data?.updates?.map((one) => (
        <Note key={one.folder} kind={one.ok ? "success" : "error"}>
          {one.message}
        </Note>
      ))}
    </Dialog>
  );
}

function Changes({ answer }: { answer: ReturnType<typeof useCall<"skills.diff">> }) {
  if (answer.error)
    return (
      <ErrorNote
        what="The difference could not be made"
        error={answer.error}
        retry={() => answer.refetch()}
      />
    );
  const diff = answer.data;
  if (!diff) return null;
  return (
    <section className="part" aria-label="Changes">
      <h3>What changes{diff.from && diff.to ? `, ${diff.from} to ${diff.to}` : ""}</h3>
      {diff.unmergeable && <Note kind="warning">{sentence(diff.unmergeable)}</Note>}
      {diff.files.length === 0 && <p className="quiet">No file differs.</p>}
      {diff.files.map((file) => (
        <div key={file.path} className="file-diff">
          <p>
            <code>{file.path}</code> <Chip look="plain">{file.kind}</Chip>
          </p>
          {file.text && <UnifiedDiff text={file.text} label={`Changes of ${file.path}`} />}
        </div>
      ))}
    </section>
  );
}

function Merge({ merge }: { merge: NonNullable<Plan["merge"]> }) {
  const groups: [string, readonly string[]][] = [
    ["From the new version", merge.taken],
    ["Kept with your edits", merge.kept],
    ["Merged", merge.merged],
    ["Removed", merge.removed],
  ];
  return (
    <section className="part" aria-label="Changes to the files">
      <h3>Changes to the files</h3>
      <dl className="facts">
        {groups
          .filter(([, files]) => files.length > 0)
          .map(([title, files]) => (
            <FactRow key={title} title={title} text={files.join(", ")} />
          ))}
      </dl>
      {merge.conflicts.length > 0 && (
        <Note kind="warning">
          Both sides changed the same in {merge.conflicts.map((conflict) => conflict.path).join(", ")}.
        </Note>
      )}
    </section>
  );
}

function FactRow({ title, text }: { title: string; text: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{text}</dd>
    </>
  );
}
