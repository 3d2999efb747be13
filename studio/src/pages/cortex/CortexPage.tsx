import { call, type Result, useCall } from "../../api";
import { Button, Empty, ErrorNote, Note, Page, QueryState, type Tab, Tabs } from "../../components";
import { cortexSearch } from "../../lib/addresses";
import { useDownload } from "../../lib/download";
import { useSearchState } from "../../lib/query";
import { Blacklist } from "./Blacklist";
import { ForgetButton } from "./Forget";
import { History } from "./History";
import { ImportButton } from "./Import";
import { Lessons } from "./Lessons";
import { Regions } from "./Regions";
import "./cortex.css";

const PARTS = ["regions", "lessons", "blacklist", "history"] as const;
type Part = (typeof PARTS)[number];

/** The learned state of skills: which works for which kind of task, what to mind, what is banned. */
export function CortexPage() {
  const [query] = useSearchState(cortexSearch);
  const part: Part = PARTS.find((one) => one === query.tab) ?? "regions";
  const state = useCall("cortex.state", {});
  const keep = useDownload(() => call("cortex.export", {}));
  const tabs: Tab<Part>[] = [
    { id: "regions", label: "Kinds of task", count: state.data?.regions.length },
    { id: "lessons", label: "Lessons", count: state.data?.lessons.length },
    { id: "blacklist", label: "Blacklist", count: state.data?.blacklist.length },
    { id: "history", label: "History", count: state.data?.events },
  ];
  return (
    <Page
      title="Cortex"
      name="Cortex"
      scope={{ kind: "all" }}
      sentence="What was learned from runs: which skill works for which kind of task. All agents learn and use the same."
      end={
        <>
          <ImportButton />
          <Button size="small" icon="file" busy={keep.isPending} onClick={() => keep.mutate()}>
            Export
          </Button>
        </>
      }
    >
      {keep.error && (
        <ErrorNote
          what="Nothing was exported"
          error={keep.error}
          retry={() => keep.mutate()}
          dismiss={keep.reset}
        />
      )}
      <QueryState of={state} what="What was learned could not be read" loading="Loading what was learned" />
      {state.data && (
        <>
          {state.data.damaged && (
            <Note kind="warning">
              The file {state.data.file} could not be read: {state.data.damaged.problem}. Its bytes are kept
              in <code>{state.data.damaged.kept}</code>; what you see comes from the log.
            </Note>
          )}
          <Counts state={state.data} />
          <Tabs label="Parts of the cortex" tabs={tabs} current={part} />
          {state.data.events === 0 ? (
            <div className="panel">
              <Empty icon="cortex" title="Nothing learned yet">
                Rate a run on a page of Sessions, or let <code>prowess cortex run</code> find a skill for a
                task.
              </Empty>
            </div>
          ) : (
            <>
              {part === "regions" && <Regions state={state.data} />}
              {part === "lessons" && <Lessons />}
              {part === "blacklist" && <Blacklist names={state.data.blacklist} />}
              {part === "history" && <History />}
            </>
          )}
          {state.data.events > 0 && part === "regions" && (
            <section className="zone-danger" aria-label="Forget everything">
              <h3>Forget everything</h3>
              <p>
                Every weight, reflex and lesson goes, for all agents. Only the blacklist stays. Export it
                first to be able to bring it back.
              </p>
              <div className="actions">
                <ForgetButton
                  label="Forget everything"
                  question="Forget everything that was learned?"
                  forget={{ what: "everything" }}
                >
                  {state.data.regions.length} kinds of task and {state.data.lessons.length} lessons go, for
                  all agents. The log keeps its rows, but none of them counts.
                </ForgetButton>
              </div>
            </section>
          )}
        </>
      )}
    </Page>
  );
}

function Counts({ state }: { state: Result<"cortex.state"> }) {
  const { stats } = state;
  return (
    <section className="panel counts" aria-label="In short">
      <Count value={stats.searches} label="searches of a registry" />
      <Count value={stats.installs} label="installs that worked" />
      <Count value={stats.cache_hits} label="tasks recognised" />
      <Count value={stats.reflexes_fired} label="reflexes fired" />
      <p className="quiet">
        Rules: {state.rules} · <code>{state.file}</code>
      </p>
    </section>
  );
}

function Count({ value, label }: { value: number | undefined; label: string }) {
  return (
    <p>
      <strong>{(value ?? 0).toLocaleString()}</strong> {label}
    </p>
  );
}
