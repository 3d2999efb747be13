import type { Diagnostic } from "../../api";
import { Icon, type IconName, Panel } from "../../components";
import { sentence } from "../../lib/readiness";
import { lineAt } from "../../lib/text";

const ICONS: Record<Diagnostic["severity"], IconName> = { note: "info", warning: "warning", error: "cross" };

/** The problems in the file, with their lines. */
export function Diagnostics({ diagnostics, text }: { diagnostics: Diagnostic[]; text: string | undefined }) {
  if (diagnostics.length === 0) return null;
  return (
    <Panel title={`Remarks about the file (${diagnostics.length})`}>
      <ul className="remarks">
        {diagnostics.map((one, index) => (
          <li key={index} data-severity={one.severity}>
            <Icon name={ICONS[one.severity]} />
            <div>
              <p>
                {sentence(one.message)} <span className="quiet">({one.severity})</span>
              </p>
              <p className="quiet">
                {one.span && text !== undefined && `Line ${lineAt(text, one.span.start)}. `}
                <code>{one.rule}</code> {one.help && sentence(one.help)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
