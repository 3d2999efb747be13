import { useCall } from "../../api";
import { Chip, Findings, Panel, QueryState, VerdictChip } from "../../components";

/** The findings of the scanner, and the capabilities of the skill. */
export function Security({ name, agentId }: { name: string; agentId: string }) {
  const scan = useCall("skills.scan", { skillKey: name, agentId });
  return (
    <Panel title="Security" end={scan.data && <VerdictChip verdict={scan.data.verdict} />}>
      <QueryState of={scan} what="It could not be scanned" loading="Scanning" rows={2} />
      {scan.data && (
        <>
          <Findings findings={scan.data.findings} />
          <h3>What it can do</h3>
          <Abilities names={scan.data.capabilities} />
        </>
      )}
    </Panel>
  );
}

function Abilities({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <p className="quiet">Nothing beyond its text.</p>;
  return (
    <ul className="abilities">
      {names.map((name) => (
        <li key={name}>
          <Chip look="plain">{name}</Chip>
        </li>
      ))}
    </ul>
  );
}
