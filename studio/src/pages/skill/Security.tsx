import { type Result, useCall } from "../../api";
import { Chip, ErrorNote, Loading, Panel } from "../../components";
import { sentence } from "../../lib/readiness";

type Scan = Result<"skills.scan">;

/** What the scanner saw in the skill, and what the skill can do. */
export function Security({ name, agentId }: { name: string; agentId: string }) {
  const scan = useCall("skills.scan", { skillKey: name, agentId });
  return (
    <Panel title="Security" end={scan.data && <VerdictChip verdict={scan.data.verdict} />}>
      {scan.isPending && <Loading label="Scanning" rows={2} />}
      {scan.error && (
        <ErrorNote what="It could not be scanned" error={scan.error} retry={() => scan.refetch()} />
      )}
      {scan.data && <Findings scan={scan.data} />}
    </Panel>
  );
}

function VerdictChip({ verdict }: { verdict: Scan["verdict"] }) {
  if (verdict === "clean")
    return (
      <Chip look="ready" icon="check">
        Clean
      </Chip>
    );
  return (
    <Chip look={verdict === "malicious" ? "bad" : "setup"} icon="warning">
      {sentence(verdict)}
    </Chip>
  );
}

function Findings({ scan }: { scan: Scan }) {
  return (
    <>
      {scan.findings.length === 0 ? (
        <p className="quiet">The scanner found nothing.</p>
      ) : (
        <ul className="remarks">
          {scan.findings.map((finding, index) => (
            <li key={index}>
              <div>
                <p>
                  {sentence(finding.reason)} <span className="quiet">({finding.severity})</span>
                </p>
                <p className="quiet">
                  <code>{finding.rule}</code> {finding.file}
                  {finding.line > 0 && `:${finding.line}`}
                </p>
                {finding.evidence && <pre className="evidence">{finding.evidence}</pre>}
                {finding.fix && <p className="quiet">{sentence(finding.fix)}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
      <h3>What it can do</h3>
      {scan.capabilities.length === 0 ? (
        <p className="quiet">Nothing beyond its text.</p>
      ) : (
        <ul className="abilities">
          {scan.capabilities.map((ability) => (
            <li key={ability}>
              <Chip look="plain">{ability}</Chip>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
