import type { Finding, Verdict } from "../api";
import { sentence } from "../lib/readiness";
import { Chip } from "./Chip";

/** The verdict of the scanner on a skill. */
export function VerdictChip({ verdict }: { verdict: Verdict }) {
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

/** The findings of the scanner, each with its rule, its place and what to do about it. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return <p className="quiet">The scanner found nothing.</p>;
  return (
    <ul className="findings" aria-label="Findings">
      {findings.map((finding, index) => (
        <li key={index}>
          <p>
            <Chip look={finding.severity === "critical" ? "bad" : "setup"} icon="warning">
              {finding.severity}
            </Chip>{" "}
            {sentence(finding.reason)}
          </p>
          <p className="quiet">
            <code>{finding.rule}</code> {finding.file}
            {finding.line > 0 && `:${finding.line}`}
          </p>
          {finding.evidence && <pre className="output">{finding.evidence}</pre>}
          {finding.fix && <p className="quiet">{sentence(finding.fix)}</p>}
        </li>
      ))}
    </ul>
  );
}
