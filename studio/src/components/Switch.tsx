/** A switch with a name for screen readers, such as `Skill weather`. Only itself is busy. */
export function Switch(props: {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  busy?: boolean;
  disabled?: boolean;
  describedBy?: string;
}) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-label={props.label}
      aria-checked={props.on}
      aria-busy={props.busy || undefined}
      aria-describedby={props.describedBy}
      // Not `disabled` while busy: a press would lose the focus.
      aria-disabled={props.busy || undefined}
      disabled={props.disabled}
      onClick={() => !props.busy && props.onChange(!props.on)}
    />
  );
}
