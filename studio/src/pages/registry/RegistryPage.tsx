import { useCall } from "../../api";
import { Page, type Tab, Tabs } from "../../components";
import { registrySearch } from "../../lib/addresses";
import { useSearchState } from "../../lib/query";
import { Installed } from "./Installed";
import { SearchTab } from "./SearchTab";
import { SkillDialog } from "./SkillDialog";
import { UpdateDialog } from "./UpdateDialog";
import "./registry.css";

const TABS: Tab<"search" | "installed">[] = [
  { id: "search", label: "Search" },
  { id: "installed", label: "Installed" },
];

/** Skills of other people: look, see what an install would do, install, keep up to date, take away. */
export function RegistryPage() {
  const [query, setQuery] = useSearchState(registrySearch);
  const tab = query.tab === "installed" ? "installed" : "search";
  const registry = useRegistry();
  return (
    <Page
      title="Registry"
      name="Registry"
      scope={{ kind: "all" }}
      sentence={
        <>
          Skills of other people{registry && <RegistryName url={registry} />}. What is installed here goes to
          the workspace of the default agent. Nothing is installed before you have seen the plan.
        </>
      }
    >
      <Tabs label="Parts of the registry" tabs={TABS} current={tab} />
      {tab === "search" ? <SearchTab /> : <Installed />}
      {query.skill && (
        <SkillDialog key={query.skill} slug={query.skill} onClose={() => setQuery({ skill: undefined })} />
      )}
      {query.update && (
        <UpdateDialog
          key={query.update}
          name={query.update}
          onClose={() => setQuery({ update: undefined })}
        />
      )}
    </Page>
  );
}

function RegistryName({ url }: { url: string }) {
  return (
    <>
      {" "}
      from <code>{url}</code>
    </>
  );
}

/** The registry that the config names, if it names one. */
function useRegistry(): string | undefined {
  const config = useCall("config.get", {}, { retry: false });
  const named = (config.data?.runtimeConfig as { skills?: { registry?: unknown } } | undefined)?.skills
    ?.registry;
  return typeof named === "string" ? named : undefined;
}
