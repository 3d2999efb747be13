import { keepPreviousData } from "@tanstack/react-query";
import { type Result, useCall } from "../../api";
import { Button, Chip, Empty, QueryState, Search } from "../../components";
import { registrySearch } from "../../lib/addresses";
import { useSearchState, useTypedText } from "../../lib/query";
import { useRows } from "../../lib/rows";
import { fromNow, momentText } from "../../lib/text";

type Found = Result<"skills.search">["results"][number];

const LIMIT = 100;

/** Searches while one types; the registry is asked when typing pauses. */
export function SearchTab() {
  const [typed, setTyped] = useTypedText(registrySearch, "q");
  const [query, setQuery] = useSearchState(registrySearch);
  const words = (query.q ?? "").trim();
  const answer = useCall(
    "skills.search",
    { limit: LIMIT, ...(words && { query: words }) },
    { placeholderData: keepPreviousData, retry: false },
  );
  const installed = useCall("skills.installed", {}, { retry: false });
  const rows = useRows(answer.data?.results ?? []);
  return (
    <>
      <div className="toolbar">
        <Search value={typed} onChange={setTyped} label="Search the registry" />
        {answer.isFetching && (
          <span className="quiet" role="status">
            Asking the registry
          </span>
        )}
      </div>
      <QueryState of={answer} what="The registry did not answer" loading="Asking the registry" />
      {answer.data && !answer.error && rows.length === 0 && (
        <div className="panel">
          {words ? (
            <Empty icon="search" title="No skills found">
              Try fewer or other words.
            </Empty>
          ) : (
            <Empty icon="registry" title="Search for a skill">
              Type what it should do, such as “read csv files”.
            </Empty>
          )}
        </div>
      )}
      {rows.length > 0 && (
        <ul className="panel rows" aria-label="Found in the registry">
          {rows.map((found, index) => (
            <Row
              key={`${found.ownerHandle}/${found.slug ?? index}`}
              found={found}
              installed={installed.data?.skills.find(
                (one) => one.registry && (one.folder === found.slug || one.name === found.slug),
              )}
              inspect={() => setQuery({ skill: reference(found, rows) }, "push")}
            />
          ))}
        </ul>
      )}
    </>
  );
}

/** The slug; with its owner where several have such a slug. */
function reference(found: Found, all: readonly Found[]): string {
  const slug = found.slug ?? "";
  const owner = found.ownerHandle ?? found.owner?.handle;
  const isUnique = all.filter((one) => one.slug === slug).length === 1;
  return owner && !isUnique ? `@${owner}/${slug}` : slug;
}

function Row(props: {
  found: Found;
  installed: Result<"skills.installed">["skills"][number] | undefined;
  inspect: () => void;
}) {
  const { found, installed } = props;
  const owner = found.owner?.displayName || found.ownerHandle || found.owner?.handle;
  const name = found.displayName || found.slug || "";
  return (
    <li className="found-row">
      <div>
        <div className="found-title">
          <strong>{name}</strong>
          {found.slug && found.slug !== name && <code>{found.slug}</code>}
          {found.version && <Chip look="plain">{found.version}</Chip>}
          {installed && (
            <Chip look="ready" icon="check">
              Installed{installed.version && ` ${installed.version}`}
            </Chip>
          )}
        </div>
        {found.summary && <p className="found-text">{found.summary}</p>}
        <p className="quiet">
          {[
            owner && `by ${owner}`,
            found.updatedAt != null && `changed ${fromNow(found.updatedAt)}`,
            found.downloads != null && `${found.downloads.toLocaleString()} downloads`,
          ]
            .filter(Boolean)
            .join(" · ")}
          {found.updatedAt != null && <span className="hidden-text"> ({momentText(found.updatedAt)})</span>}
        </p>
      </div>
      {found.slug && (
        <Button size="small" aria-label={`Inspect ${name}`} onClick={props.inspect}>
          Inspect
        </Button>
      )}
    </li>
  );
}
