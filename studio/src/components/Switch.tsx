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
      disabled={props.disabled || props.busy}
      onClick={() => props.onChange(!props.on)}
    />
  );
}
