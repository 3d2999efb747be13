import { useConnection } from "../api";

/** The state of the connection, and the version of the gateway. */
export function ConnectionMark() {
  const state = useConnection();
  if (state.phase === "open") {
    const version = state.hello.server?.version;
    return (
      <p className="connection">
        <span className="dot" aria-hidden="true" />
        Connected{version && ` · gateway ${version}`}
      </p>
    );
  }
  return (
    <p className="connection lost">
      <span className="dot" aria-hidden="true" />
      {state.phase === "lost" ? "Not connected, retrying" : "Connecting"}
    </p>
  );
}
