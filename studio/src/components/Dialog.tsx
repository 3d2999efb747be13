import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./Button";

/**
 * A modal dialog on the browser's own element: focus stays inside, Esc and the backdrop close it, focus returns to
 * where it was. Mount it to open it.
 */
export function Dialog(props: {
  title: ReactNode;
  subtitle?: ReactNode;
  onClose: () => void;
  narrow?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    // The element marked as first gets the focus, else the dialog itself, so that its title is read.
    (dialog?.querySelector<HTMLElement>("[data-first]") ?? dialog)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does what a click on the backdrop does
    <dialog
      ref={ref}
      className={`dialog ${props.narrow ? "narrow" : ""}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        // A question inside this dialog closes by itself.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) props.onClose();
      }}
    >
      <header className="dialog-head">
        <div>
          <h2 id={titleId}>{props.title}</h2>
          {props.subtitle}
        </div>
        <Button look="quiet" icon="cross" aria-label="Close" onClick={props.onClose} />
      </header>
      <div className="dialog-body">{props.children}</div>
      {props.footer && <footer className="dialog-foot">{props.footer}</footer>}
    </dialog>
  );
}

/** Asks before something is done that cannot simply be switched back. Cancel has the focus. */
export function Confirm(props: {
  title: string;
  action: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog
      narrow
      title={props.title}
      onClose={props.onClose}
      footer={
        <>
          <Button data-first onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            look={props.danger ? "danger primary" : "primary"}
            busy={props.busy ?? false}
            onClick={props.onConfirm}
          >
            {props.action}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
