import type { ReactNode } from "react";
import type { Result } from "../../api";
import { Icon, type IconName } from "../../components";
import { sentence } from "../../lib/readiness";
import { momentText } from "../../lib/text";
import { followUpText, percent } from "../playground/signals";
import { lengthText, outcomeText } from "./outcome";
import { HOW } from "./RunSkills";
import { Tool } from "./Tool";

type TraceEvent = Result<"sessions.events">["events"][number];

/** The trace of a run, in order. A tool and its answer are one entry. */
export function Timeline({ events }: { events: readonly TraceEvent[] }) {
  const start = events[0]?.at ?? 0;
  const results = new Map(
    events.flatMap((event) => (event.type === "tool_result" ? [[event.id, event]] : [])),
  );
  return (
    <ol className="timeline" aria-label="Timeline">
      {events.map((event, index) => {
        const entry = entryOf(event, results);
        if (!entry) return null;
        return (
          <li className="moment" key={index}>
            <Icon name={entry.icon} />
            <div>{entry.body}</div>
            <time dateTime={new Date(event.at).toISOString()} title={momentText(event.at)}>
              +{lengthText(Math.max(0, event.at - start))}
            </time>
          </li>
        );
      })}
    </ol>
  );
}

type ToolResult = Extract<TraceEvent, { type: "tool_result" }>;

function entryOf(
  event: TraceEvent,
  results: Map<string, ToolResult>,
): { icon: IconName; body: ReactNode } | undefined {
  switch (event.type) {
    case "session":
    case "run_started":
    case "tool_result":
      return undefined;
    case "selection":
      return { icon: "search", body: <Selection event={event} /> };
    case "prompt":
      return { icon: "file", body: <Prompt event={event} /> };
    case "activation":
      return {
        icon: "skills",
        body: (
          <p>
            Skill <strong>{event.skill}</strong> came into use{" "}
            <code title={event.contentHash ?? undefined}>{event.path}</code>
          </p>
        ),
      };
    case "thought":
      return { icon: "info", body: <p className="said thought">{event.text}</p> };
    case "tool_call": {
      const result = results.get(event.id);
      return {
        icon: "setup",
        body: (
          <Tool
            tool={event.tool}
            input={event.input}
            state={result ? (result.ok ? "ok" : "failed") : "running"}
            output={result?.output}
            ms={result?.ms}
            exitCode={result?.exitCode}
            omitted={result?.omittedBytes}
          />
        ),
      };
    }
    case "answer":
      return { icon: "playground", body: <p className="said">{event.text}</p> };
    case "capability_probe":
      return {
        icon: "info",
        body: (
          <p>
            {event.capability} {event.phase}
          </p>
        ),
      };
    case "human_auth":
      return {
        icon: "agent",
        body: (
          <p>
            A person was asked for {event.capability}: {event.answer ?? "no answer yet"}
          </p>
        ),
      };
    case "notice":
      return { icon: "warning", body: <p>{event.text}</p> };
    case "run_ended":
      return {
        icon: event.outcome.result === "success" ? "check" : "power",
        body: (
          <p>
            {event.stopped ? "Stopped by a person." : "The run ended."}
            {event.outcome.by !== "nobody" && ` ${outcomeText(event.outcome)}.`}
          </p>
        ),
      };
    case "rating":
      return {
        icon: "agent",
        body: (
          <p>
            Rated: {outcomeText(event.outcome)}. {event.note}
          </p>
        ),
      };
    case "foreign":
      return {
        icon: "file",
        body: (
          <details>
            <summary className="quiet">An entry of another program</summary>
            <pre className="output">{JSON.stringify(event.entry, null, 2)}</pre>
          </details>
        ),
      };
  }
}

/** The ranking: what was considered. The prompt shows what the model got. */
function Selection({ event }: { event: Extract<TraceEvent, { type: "selection" }> }) {
  const best = event.ranked[0];
  return (
    <p>
      {best ? `Best match for the message: ${best.name}` : "No skill was considered"}{" "}
      <span className="quiet">confidence {percent(event.confidence)}</span>
      {event.followUp && <>. {followUpText(event.followUp)}</>}
    </p>
  );
}

function Prompt({ event }: { event: Extract<TraceEvent, { type: "prompt" }> }) {
  const loaded = event.skills.filter((skill) => skill.how !== "listed");
  return (
    <p>
      The model was shown {event.listed} {event.listed === 1 ? "skill" : "skills"} in a list
      {loaded.length > 0 && <> and {loaded.map((skill) => `${skill.name} (${HOW[skill.how]})`).join(", ")}</>}{" "}
      <span className="quiet">{event.chars.toLocaleString()} characters</span>
      {event.empty && <>. No skills: {sentence(event.empty)}</>}
    </p>
  );
}
