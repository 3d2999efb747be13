import { lazy, Suspense, useMemo, useRef } from "react";
import { type Result, useCall, useChange } from "../../api";
import { Button, Chip, Empty, ErrorNote, Loading, Panel, Search } from "../../components";
import { cortexSearch } from "../../lib/addresses";
import { useTypedText } from "../../lib/query";
import { useRows } from "../../lib/rows";
import { useSeen } from "../../lib/seen";
import { ForgetButton } from "./Forget";

const WeightPlot = lazy(() => import("./WeightPlot"));

type State = Result<"cortex.state">;
type Region = State["regions"][number];
type Listed = Region["candidates"][number];
type Candidate = Listed["candidate"];

/** The kinds of task, each with its candidates and how their weights moved. */
export function Regions({ state }: { state: State }) {
  const [search, setSearch] = useTypedText(cortexSearch, "kind");
  const weights = useCall("cortex.weights", { limit: 2000 });
  const found = useMemo(
    () => state.regions.filter((region) => isAbout(region, search)),
    [state.regions, search],
  );
  const regions = useRows(found, 8);
  if (state.regions.length === 0)
    return (
      <div className="panel">
        <Empty icon="cortex" title="No kinds of task yet">
          A kind of task is added when a run with a skill is rated.
        </Empty>
      </div>
    );
  return (
    <>
      <div className="toolbar">
        <Search value={search} onChange={setSearch} label="Search the kinds of task" />
        <span className="quiet">
          {found.length} of {state.regions.length}
        </span>
      </div>
      {weights.error && (
        <ErrorNote
          what="How the weights moved is not known"
          error={weights.error}
          retry={() => weights.refetch()}
        />
      )}
      {found.length === 0 && (
        <div className="panel">
          <Empty
            icon="search"
            title="No kinds of task match"
            action={<Button onClick={() => setSearch("")}>Clear the search</Button>}
          />
        </div>
      )}
      {regions.map((region) => (
        <RegionPanel key={region.region} region={region} weights={weights.data?.series} />
      ))}
      <LongTerm kept={state.longTerm} />
    </>
  );
}

/** True if every word of a search is in the name of a kind of task, its words or its candidates. */
function isAbout(region: Region, search: string): boolean {
  const slugs = [...region.candidates, ...region.hidden].map((one) => one.candidate.slug);
  const text = [region.region, ...region.signals, ...slugs].join("\n").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function RegionPanel(props: { region: Region; weights: Result<"cortex.weights">["series"] | undefined }) {
  const { region } = props;
  const plot = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(plot);
  // Forgotten skills are in the log, but no longer candidates.
  const series = useMemo(() => {
    const known = new Set([...region.candidates, ...region.hidden].map((one) => one.candidate.slug));
    return props.weights?.filter((one) => one.region === region.region && known.has(one.slug));
  }, [props.weights, region]);
  return (
    <Panel
      title={region.region}
      end={
        <div className="actions">
          {region.lastUsed && <span className="quiet">last used {region.lastUsed}</span>}
          <ForgetButton
            label={`Forget the kind of task ${region.region}`}
            short="Forget"
            question={`Forget ${region.region}?`}
            forget={{ what: "region", region: region.region }}
          >
            Its words, its {region.candidates.length + region.hidden.length} candidates and their weights, and
            its lessons go, for all agents.
          </ForgetButton>
        </div>
      }
    >
      <div className="region">
        <div className="chips">
          <span className="quiet">Words:</span>
          {region.signals.map((word) => (
            <Word key={word} word={word} region={region.region} />
          ))}
        </div>
        <Candidates region={region} />
        <div ref={plot} className="plot-place">
          {isSeen && series && series.length > 0 && (
            <Suspense fallback={<Loading label="Loading the plot" rows={2} />}>
              <WeightPlot series={series} label={`Weights for ${region.region} over time`} />
            </Suspense>
          )}
        </div>
      </div>
    </Panel>
  );
}

/** A word by which a kind of task is recognised. */
function Word({ word, region }: { word: string; region: string }) {
  return (
    <span className="word">
      <Chip look="plain">{word}</Chip>
      <ForgetButton
        asCross
        label={`Forget the word ${word} of ${region}`}
        question={`Forget the word ${word}?`}
        forget={{ what: "signal", region, signal: word }}
      >
        It no longer marks tasks as {region}, for all agents. It can be learned again.
      </ForgetButton>
    </span>
  );
}

function Candidates({ region }: { region: Region }) {
  if (region.candidates.length + region.hidden.length === 0)
    return <p className="quiet">No skill may be offered for such tasks.</p>;
  return (
    <div className="scroll-x">
      <table className="table candidates" aria-label={`Candidates for ${region.region}`}>
        <thead>
          <tr>
            <th scope="col">Skill</th>
            <th scope="col">Weight today</th>
            <th scope="col">Runs</th>
            <th scope="col">Last failure</th>
            <th scope="col">
              <span className="hidden-text">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {region.candidates.map((one) => (
            <Row
              key={one.candidate.slug}
              candidate={one.candidate}
              effective={one.effective}
              penalty={one.penalty}
              region={region.region}
            />
          ))}
          {region.hidden.map((one) => (
            <Row
              key={one.candidate.slug}
              candidate={one.candidate}
              effective={one.effective}
              region={region.region}
              why={one.why}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const WHY = { blacklisted: "Banned", weak: "Too weak to be offered" } as const;

function Row(props: {
  candidate: Candidate;
  effective: number;
  penalty?: number;
  region: string;
  why?: keyof typeof WHY;
}) {
  const { candidate, effective, region, why } = props;
  const { runs } = candidate;
  const streak = runs?.consecutive_success ?? 0;
  return (
    <tr data-hidden={why !== undefined}>
      <td>
        <div className="candidate">
          <strong>{candidate.slug}</strong>
          {candidate.version && <span className="quiet">{candidate.version}</span>}
          {candidate.reflex && (
            <Chip look="accent" icon="check" title="It is used without asking first">
              Reflex
            </Chip>
          )}
          {why && (
            <Chip look={why === "blacklisted" ? "off" : "unsupported"} icon="blocked">
              {WHY[why]}
            </Chip>
          )}
        </div>
        {candidate.side_effects && candidate.side_effects.length > 0 && (
          <p className="quiet">does {candidate.side_effects.join(", ")}</p>
        )}
      </td>
      <td>
        <div className="weight">
          <meter
            aria-label={`Weight of ${candidate.slug}`}
            min={0}
            max={1}
            value={effective}
            title={`${(candidate.weight ?? 0).toFixed(3)} before decay`}
          />
          <span>{effective.toFixed(2)}</span>
          {props.penalty ? <span className="quiet">−{props.penalty.toFixed(2)} for warnings</span> : null}
        </div>
      </td>
      <td>
        {runs?.success ?? 0} ok, {runs?.fail ?? 0} failed
        {streak > 0 && <p className="quiet">{streak} in a row</p>}
      </td>
      <td>
        {candidate.last_fail ? (
          <>
            {candidate.last_fail.type.replaceAll("_", " ")}
            <p className="quiet">
              {[candidate.last_fail.detail, candidate.last_fail.date].filter(Boolean).join(" · ")}
            </p>
          </>
        ) : (
          <span className="quiet">none</span>
        )}
      </td>
      <td>
        <div className="actions row-actions">
          {why !== "blacklisted" && <Ban slug={candidate.slug} />}
          <ForgetButton
            label={`Forget ${candidate.slug} for ${region}`}
            short="Forget"
            question={`Forget ${candidate.slug}?`}
            forget={{ what: "skill", slug: candidate.slug, region }}
          >
            Its weight, runs and reflex for tasks of the kind {region} go, for all agents. Installed files
            stay.
          </ForgetButton>
        </div>
      </td>
    </tr>
  );
}

function Ban({ slug }: { slug: string }) {
  const ban = useChange("cortex.ban", { refresh: ["cortex.state"] });
  return (
    <>
      <Button
        size="small"
        aria-label={`Ban ${slug}`}
        busy={ban.isPending}
        onClick={() => ban.mutate({ skill: slug })}
      >
        Ban
      </Button>
      {ban.error && <ErrorNote what="The ban failed" error={ban.error} dismiss={ban.reset} />}
    </>
  );
}

function LongTerm({ kept }: { kept: State["longTerm"] }) {
  if (kept.length === 0) return null;
  return (
    <Panel title="Kept by you">
      <ul className="plain-rows">
        {kept.map((one) => (
          <li key={`${one.region} ${one.skill.slug}`}>
            <strong>{one.skill.slug}</strong> <span className="quiet">for {one.region}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
