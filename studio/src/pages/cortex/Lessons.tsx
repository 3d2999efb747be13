import { useCall, useChange } from "../../api";
import { Button, Chip, Empty, ErrorNote, QueryState } from "../../components";
import { percent } from "../playground/signals";
import { ForgetButton } from "./Forget";
import { type Lesson, lessonOf } from "./lessons";

/** The lessons. A person can say that a lesson is right or wrong. */
export function Lessons() {
  const answer = useCall("cortex.lessons.list", {});
  if (!answer.data)
    return (
      <QueryState of={answer} what="The lessons could not be read" loading="Loading the lessons" rows={3} />
    );
  const lessons = answer.data.lessons.flatMap((raw) => lessonOf(raw as Record<string, unknown>) ?? []);
  if (lessons.length === 0)
    return (
      <div className="panel">
        <Empty icon="cortex" title="No lessons yet">
          Lessons come from repeated failures: a missing program, or a skill that cannot do what it says.
        </Empty>
      </div>
    );
  return (
    <ul className="panel rows" aria-label="Lessons">
      {lessons.map((lesson) => (
        <Row key={JSON.stringify(lesson.about)} lesson={lesson} />
      ))}
    </ul>
  );
}

function Row({ lesson }: { lesson: Lesson }) {
  const judge = useChange("cortex.lessons.judge", { refresh: ["cortex.lessons.list", "cortex.state"] });
  const say = (right: boolean) => judge.mutate({ lesson: lesson.about, right });
  const busy = (right: boolean) => judge.isPending && judge.variables.right === right;
  return (
    <li className="lesson-row">
      <div>
        <p>{lesson.text}</p>
        <p className="quiet">
          {[
            lesson.confidence !== undefined && `confidence ${percent(lesson.confidence)}`,
            lesson.created && `learned ${lesson.created}`,
          ]
            .filter(Boolean)
            .join(" · ")}{" "}
          {lesson.confidence !== undefined && lesson.confidence >= 1 && <Chip look="ready">Confirmed</Chip>}
        </p>
        {judge.error && (
          <ErrorNote what="The judgement was not kept" error={judge.error} dismiss={judge.reset} />
        )}
      </div>
      <div className="actions">
        <Button
          size="small"
          icon="check"
          aria-label={`Right: ${lesson.text}`}
          busy={busy(true)}
          onClick={() => say(true)}
        >
          Right
        </Button>
        <Button
          size="small"
          icon="cross"
          aria-label={`Wrong: ${lesson.text}`}
          busy={busy(false)}
          onClick={() => say(false)}
        >
          Wrong
        </Button>
        <ForgetButton
          label={`Forget the lesson: ${lesson.text}`}
          short="Forget"
          question="Forget this lesson?"
          forget={{ what: "lesson", lesson: lesson.about }}
        >
          {lesson.text} It can be learned again.
        </ForgetButton>
      </div>
    </li>
  );
}
