import { Navigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ErrorNote, Loading } from "../components";
import { homeSearch } from "../lib/addresses";
import { useAgents } from "../lib/agents";
import { useSearchState } from "../lib/query";

const SettingsPage = lazy(() => import("./settings/SettingsPage"));

/** `/?settingsAgentId=<id>` are the settings of that agent; `/` alone goes to the skills of the default one. */
export function Home() {
  const [query] = useSearchState(homeSearch);
  const { defaultId, error } = useAgents();
  if (query.settingsAgentId)
    return (
      <Suspense fallback={<Loading label="Loading the settings" />}>
        <SettingsPage agentId={query.settingsAgentId} />
      </Suspense>
    );
  if (defaultId)
    return <Navigate to="/agents/$agentId/skills" params={{ agentId: defaultId }} search={{}} replace />;
  return (
    <div className="page">
      {error ? (
        <ErrorNote what="The agents could not be listed" error={error} />
      ) : (
        <Loading label="Loading" />
      )}
    </div>
  );
}
