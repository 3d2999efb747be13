import { useMemo } from "react";
import { useCall } from "../../api";
import { QueryState, Search } from "../../components";
import { cortexSearch } from "../../lib/addresses";
import { useTypedText } from "../../lib/query";
import { useRows } from "../../lib/rows";
import { momentText } from "../../lib/text";

const MOST = 1000;

/** The fields of every event; the rest depends on its kind. */
interface LogEvent {
  kind?: string;
  clock?: number;
  slug?: string;
  region?: string;
  result?: string;
  [more: string]: unknown;
}

/** The events, the latest first. */
export function History() {
  const [search, setSearch] = useTypedText(cortexSearch, "q");
  const answer = useCall("cortex.history", { limit: MOST });
  const events = answer.data?.events;
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/);
    return (events ?? []).toReversed().filter((row) => {
      const text = JSON.stringify(row.event).toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [events, search]);
  const rows = useRows(found);
  if (!events) return <QueryState of={answer} what="The log could not be read" loading="Loading the log" />;
  return (
    <>
      <div className="toolbar">
        <Search value={search} onChange={setSearch} label="Search the history" />
        <span className="quiet">
          {found.length} of {events.length}
        </span>
      </div>
      <ul className="panel rows" aria-label="History">
        {rows.map((row) => {
          const event = row.event as LogEvent;
          return (
            <li key={row.seq} className="log-row">
              <span className="quiet">{row.seq}</span>
              <details>
                <summary>
                  <strong>{(event.kind ?? "event").replaceAll("_", " ")}</strong>{" "}
                  {[event.slug, event.region && `for ${event.region}`, event.result?.replaceAll("_", " ")]
                    .filter(Boolean)
                    .join(" · ")}
                </summary>
                <pre className="output">{JSON.stringify(event, null, 2)}</pre>
              </details>
              {event.clock !== undefined && <span className="quiet">{momentText(event.clock)}</span>}
            </li>
          );
        })}
      </ul>
    </>
  );
}
