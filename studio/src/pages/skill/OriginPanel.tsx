import type { Result, SkillStatus } from "../../api";
import { Panel } from "../../components";
import { isSafeLink } from "../../lib/links";
import { sourceText } from "../../lib/readiness";
import { sizeText } from "../../lib/text";

/** The source of the skill, and the copies that it hides. */
export function OriginPanel(props: {
  skill: SkillStatus;
  files: Result<"skills.read">["files"] | undefined;
}) {
  const { skill, files } = props;
  const { origin } = skill;
  return (
    <Panel title="Origin">
      <dl className="facts">
        <dt>Source</dt>
        <dd>{sourceText(origin)}</dd>
        <dt>File</dt>
        <dd>
          <code>{origin.file}</code>
        </dd>
        {origin.realFile !== origin.file && (
          <>
            <dt>Really</dt>
            <dd>
              <code>{origin.realFile}</code>
            </dd>
          </>
        )}
        <dt>Content</dt>
        <dd>
          <code>{skill.contentHash.slice(0, 16)}</code>
        </dd>
        {skill.homepage && isSafeLink(skill.homepage) && (
          <>
            <dt>Homepage</dt>
            <dd>
              <a href={skill.homepage} target="_blank" rel="noreferrer noopener">
                {skill.homepage}
              </a>
            </dd>
          </>
        )}
        {Object.entries(skill.clawhub ?? {}).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {skill.shadowed.length > 0 && (
        <>
          <h3>Copies that it hides</h3>
          <ul className="copies">
            {skill.shadowed.map((copy) => (
              <li key={copy.file}>
                {sourceText(copy)} <code>{copy.file}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {files && files.length > 1 && (
        <details>
          <summary>{files.length} files</summary>
          <ul className="copies">
            {files.map((file) => (
              <li key={file.path}>
                <code>{file.path}</code>{" "}
                <span className="quiet">{file.size == null ? "not a file" : sizeText(file.size)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

/** The text of the registry's own note beside the skill. */
function Fact({ name, value }: { name: string; value: unknown }) {
  if (value === null || typeof value === "object") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{String(value)}</dd>
    </>
  );
}
