import { useMutation } from "@tanstack/react-query";
import { useCall } from "../../api";
import { Chip, ErrorNote, QueryState } from "../../components";
import { patchConfig } from "../../lib/config";

type Policy = "ask" | "allow" | "deny";

const POLICIES: { value: Policy; label: string; about: string }[] = [
  { value: "ask", label: "Ask", about: "calls that need approval are asked for" },
  { value: "allow", label: "Allow", about: "without asking" },
  { value: "deny", label: "Never", about: "each call is refused" },
];

/** The tools that every agent has: what they do, and when they ask if the policy lets them. */
const BUILT_IN: Record<string, { about: string; asks: string | undefined }> = {
  read: { about: "Reads files of the workspace and of the skills", asks: undefined },
  write: { about: "Writes files in the workspace", asks: "asks before each file" },
  exec: { about: "Runs programs", asks: "asks before each command" },
  job: {
    about: "Manages programs that run in the background",
    asks: "follows exec, and asks before it writes to one",
  },
};
const OWN = { about: "A tool from the config file", asks: "asks before each call" };

interface Tool {
  type?: string;
  policy?: Policy;
}

/** The tools that agents may use, and their permissions. */
export function Capabilities() {
  const config = useCall("config.get", {});
  if (!config.data)
    return (
      <QueryState of={config} what="The config could not be read" loading="Loading the tools" rows={4} />
    );
  const tools = (config.data.config as { tools?: Record<string, Tool> } | null)?.tools ?? {};
  const own = Object.keys(tools).filter((name) => !(name in BUILT_IN) && typeof tools[name] === "object");
  return (
    <ul className="panel rows" aria-label="Tools">
      {[...Object.keys(BUILT_IN), ...own].map((name) => (
        <ToolRow key={name} name={name} tool={tools[name] ?? {}} builtIn={name in BUILT_IN} />
      ))}
    </ul>
  );
}

function ToolRow({ name, tool, builtIn }: { name: string; tool: Tool; builtIn: boolean }) {
  const { about, asks } = BUILT_IN[name] ?? OWN;
  // A tool that never asks has no policy "ask".
  const policies = POLICIES.filter((policy) => asks || policy.value !== "ask");
  const usual: Policy = asks ? "ask" : "allow";
  const change = useMutation({
    mutationFn: (policy: Policy) => patchConfig({ tools: { [name]: { policy } } }),
  });
  const wanted = (change.isPending ? change.variables : tool.policy) ?? usual;
  const value = policies.some((policy) => policy.value === wanted) ? wanted : usual;
  return (
    <li className="tool-row">
      <div>
        <div className="skill-title">
          <strong>{name}</strong>
          <Chip look="plain">{builtIn ? "Built in" : (tool.type ?? "Your own")}</Chip>
        </div>
        <p className="quiet">
          {about}
          {asks === undefined && ". It never asks."}
          {asks !== undefined && tool.policy === undefined && `. Not set, so it ${asks}.`}
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
        {policies.map((policy) => (
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
