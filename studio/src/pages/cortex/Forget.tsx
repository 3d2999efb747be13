import { type ReactNode, useState } from "react";
import { type Params, useChange } from "../../api";
import { Button, Confirm, ErrorNote } from "../../components";

type What = Params<"cortex.forget">["forget"];

/** Forgets something that was learned, after a question. */
export function ForgetButton(props: {
  /** The name of the button for screen readers. */
  label: string;
  short?: string;
  /** A small cross instead of a text. */
  asCross?: boolean;
  question: string;
  forget: What;
  children: ReactNode;
}) {
  const [asks, setAsks] = useState(false);
  const forget = useChange("cortex.forget", {
    refresh: ["cortex.state", "cortex.weights", "cortex.history", "cortex.lessons.list"],
    onSuccess: () => setAsks(false),
  });
  return (
    <>
      <Button
        size="small"
        look={props.asCross ? "quiet" : "danger"}
        {...(props.asCross && { icon: "cross" as const })}
        aria-label={props.label}
        onClick={() => {
          forget.reset();
          setAsks(true);
        }}
      >
        {props.asCross ? undefined : (props.short ?? props.label)}
      </Button>
      {asks && (
        <Confirm
          title={props.question}
          action="Forget it"
          danger
          busy={forget.isPending}
          onClose={() => setAsks(false)}
          onConfirm={() =>
            forget.mutate({ forget: props.forget, consent: props.forget.what === "everything" })
          }
        >
          <p>{props.children}</p>
          {forget.error && <ErrorNote what="It is not forgotten" error={forget.error} />}
        </Confirm>
      )}
    </>
  );
}
