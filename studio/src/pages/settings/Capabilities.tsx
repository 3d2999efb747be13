import { useMutation } from "@tanstack/react-query";
import { useCall } from "../../api";
import { Chip, ErrorNote, Loading } from "../../components";
import { patchConfig } from "../../lib/config";

type Policy = "ask" | "allow" | "deny";

const POLICIES: { value: Policy; label: string; about: string }[] = [
  { value: "ask", label: "Ask", about: "what must be asked for is asked for" },
  { value: "allow", label: "Allow", about: "without asking" },
  { value: "deny", label: "Never", about: "each call is refused" },
];

/** The tools that every agent has. */
const BUILT_IN: Record<string, string> = {
  read: "Reads files",
  write: "Writes files in the workspace",
  exec: "Runs programs",
  job: "Looks after programs that run in the background; follows exec",
};

interface Tool {
  type?: string;
  policy?: Policy;
}

/** Which tools agents may use, and whether a person is asked. */
export function Capabilities() {
  const config = useCall("config.get", {});
  if (config.error && !config.data)
    return (
      <ErrorNote what="The config could not be read" error={config.error} retry={() => config.refetch()} />
    );
  if (!config.data) return <Loading label="Loading the tools" rows={4} />;
  const tools = (config.data.config as { tools?: Record<string, Tool> } | null)?.tools ?? {};
  const own = Object.keys(tools).filter((name) => !(name in BUILT_IN) && typeof tools[name] === "object");
  return (
    <ul className="panel rows" aria-label="Tools">
      {[...Object.keys(BUILT_IN), ...own].map((name) => (
        <ToolRow key={name} name={name} tool={tools[name] ?? {}} about={BUILT_IN[name]} />
      ))}
    </ul>
  );
}

function ToolRow({ name, tool, about }: { name: string; tool: Tool; about: string | undefined }) {
  const change = useMutation({
    mutationFn: (policy: Policy) => patchConfig({ tools: { [name]: { policy } } }),
  });
  const value = (change.isPending ? change.variables : tool.policy) ?? "ask";
  return (
    <li className="tool-row">
      <div>
        <div className="skill-title">
          <strong>{name}</strong>
          <Chip look="plain">{about ? "Built in" : (tool.type ?? "Your own")}</Chip>
        </div>
        <p className="quiet">
          {about ?? "A tool from the config file"}
          {tool.policy === undefined && ". Not set, so it asks."}
        </p>
        {change.error && (
          <ErrorNote
            what={`The policy of ${name} was not changed`}
            error={change.error}
            retry={() => change.variables && change.mutate(change.variables)}
            dismiss={change.reset}
          />
        )}
      </div>
      <fieldset className="segments" aria-busy={change.isPending}>
        <legend className="hidden-text">Policy of {name}</legend>
        {POLICIES.map((policy) => (
          <label key={policy.value} title={policy.about}>
            <input
              type="radio"
              name={`policy-${name}`}
              checked={value === policy.value}
              onChange={() => !change.isPending && change.mutate(policy.value)}
            />
            {policy.label}
          </label>
        ))}
      </fieldset>
    </li>
  );
}
