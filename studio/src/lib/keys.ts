// Keys that do something from anywhere on a page. They can be switched off, as speech and switch devices send such
// keys by accident.

const KEY = "prowess.keys";

export function hasShortcuts(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

export function allowShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
}

/** True if a key is pressed alone, outside text fields and dialogs. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !hasShortcuts())
    return false;
  const typing = (event.target as Element | null)?.closest("input, textarea, select, [contenteditable]");
  return !typing && !document.querySelector("dialog[open]");
}

const ROWS = ".rows > li, tbody > tr, .rail li";
const CONTROLS = "a[href], button:not(:disabled), summary";

/** The control that the arrow keys lead to from one in a row: the same one in the row above or below. */
export function controlBeside(from: Element, step: 1 | -1): HTMLElement | undefined {
  const row = from.closest(ROWS);
  if (!row || from.closest("input, textarea, select, .output")) return undefined;
  const around = row.closest(".rail") ?? row.parentElement;
  const rows = [...(around?.querySelectorAll(ROWS) ?? [])];
  const column = Math.max(controlsOf(row).indexOf(from as HTMLElement), 0);
  for (let index = rows.indexOf(row) + step; rows[index]; index += step) {
    const controls = controlsOf(rows[index] as Element);
    const found = controls[Math.min(column, controls.length - 1)];
    if (found) return found;
  }
  return undefined;
}

function controlsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(CONTROLS)];
}
