import { Link } from "@tanstack/react-router";
import { type Result, useCall, useChange } from "../../api";
import { Button, Chip, Empty, ErrorNote, Filters, Icon, Note, Page, QueryState } from "../../components";
import { forgeSearch } from "../../lib/addresses";
import { useSearchState } from "../../lib/query";
import { useRows } from "../../lib/rows";
import { fromNow } from "../../lib/text";
import { DraftView } from "./DraftView";
import { type Status, StatusChip } from "./status";
import "./forge.css";

type Listing = Result<"forge.list">;
type Draft = Listing["drafts"][number];

/** Runs that worked become drafts of skills here. A draft is in no prompt until a person promotes it. */
export function ForgePage() {
  const [query] = useSearchState(forgeSearch);
  const list = useCall("forge.list", {});
  return (
    <Page
      wide={Boolean(query.draft)}
      title={query.draft ?? "Forge"}
      name={query.draft ?? "Forge"}
      scope={{ kind: "all" }}
      sentence={
        query.draft
          ? undefined
          : "Drafts of skills, made from successful runs. No agent uses a draft until you promote it."
      }
      above={
        query.draft && (
          <Link className="back" to="/forge" search={{}}>
            <Icon name="back" size={14} /> Forge
          </Link>
        )
      }
    >
      {query.draft ? (
        <DraftView key={query.draft} name={query.draft} />
      ) : list.data ? (
        <Drafts listing={list.data} />
      ) : (
        <QueryState of={list} what="The drafts could not be listed" loading="Loading the drafts" rows={4} />
      )}
    </Page>
  );
}

const STATES: { value: Status | "any"; label: string }[] = [
  { value: "any", label: "All" },
  { value: "waiting", label: "Waiting" },
  { value: "promoted", label: "Promoted" },
  { value: "rolled-back", label: "Rolled back" },
  { value: "rejected", label: "Rejected" },
  { value: "retired", label: "Retired" },
];

function Drafts({ listing }: { listing: Listing }) {
  const [query, setQuery] = useSearchState(forgeSearch);
  const state = STATES.find((one) => one.value === query.state)?.value ?? "any";
  const all = listing.drafts;
  const rows = useRows(state === "any" ? all : all.filter((draft) => draft.status === state));
  const count = (value: Status | "any") =>
    value === "any" ? all.length : all.filter((draft) => draft.status === value).length;
  return (
    <>
      {listing.promotesTested && (
        <Note kind="warning">
          The config says <code>forge.policy: "tested"</code>: a draft that passed its test is promoted
          without asking.
        </Note>
      )}
      <Unused unused={listing.unused} />
      <Filters
        label="State"
        options={STATES.map((option) => ({ ...option, count: count(option.value) }))}
        value={state}
        onChange={(value) => setQuery({ state: value === "any" ? undefined : value })}
      />
      {rows.length > 0 ? (
        <ul className="panel rows" aria-label="Drafts">
          {rows.map((draft) => (
            <Row key={draft.fingerprint} draft={draft} />
          ))}
        </ul>
      ) : (
        <div className="panel">
          {all.length === 0 ? (
            <Empty icon="forge" title="No drafts yet">
              Drafts come from successful runs with several steps: rate a run on its session page, then choose
              “Make a draft of it”.
            </Empty>
          ) : (
            <Empty
              icon="search"
              title="No drafts match"
              action={<Button onClick={() => setQuery({ state: undefined })}>Show all</Button>}
            />
          )}
        </div>
      )}
    </>
  );
}

function Row({ draft }: { draft: Draft }) {
  const last = draft.history.at(-1);
  return (
    <li className="draft-row">
      <div>
        <div className="draft-title">
          <Link to="/forge" search={{ draft: draft.name }}>
            {draft.name}
          </Link>
          <StatusChip status={draft.status} />
          {draft.test && (
            <Chip look={draft.test.passed ? "ready" : "bad"} icon={draft.test.passed ? "check" : "cross"}>
              {draft.test.passed ? "Test passed" : "Test failed"}
            </Chip>
          )}
          {draft.hasDataRisk && (
            <Chip look="setup" icon="warning">
              Touched private data
            </Chip>
          )}
        </div>
        <p className="quiet">
          done {draft.count} {draft.count === 1 ? "time" : "times"} · {draft.words.join(", ")}
          {last && ` · ${last.what} ${fromNow(last.at)}`}
        </p>
      </div>
    </li>
  );
}

/** Promoted skills that are not used. Nothing is retired by itself. */
function Unused({ unused }: { unused: Listing["unused"] }) {
  if (unused.length === 0) return null;
  return (
    <section className="panel padded unused" aria-label="Not used">
      <h2>Promoted, and not used</h2>
      <ul>
        {unused.map((one) => (
          <UnusedRow key={one.name} {...one} />
        ))}
      </ul>
    </section>
  );
}

function UnusedRow({ name, idleDays }: Listing["unused"][number]) {
  const retire = useChange("forge.retire", { refresh: ["forge.list", "skills.status"] });
  return (
    <li>
      <div className="section-head">
        <span>
          <strong>{name}</strong> <span className="quiet">not used for {idleDays} days</span>
        </span>
        <Button
          size="small"
          aria-label={`Retire ${name}`}
          busy={retire.isPending}
          onClick={() => retire.mutate({ name })}
        >
          Retire
        </Button>
      </div>
      {retire.error && <ErrorNote what="It was not retired" error={retire.error} dismiss={retire.reset} />}
    </li>
  );
}
