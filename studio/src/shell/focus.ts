// Keeps the focus when its element is removed. Browsers drop it, and a keyboard user starts again
// at the top of the page.

import { useEffect, useRef } from "react";

const PLACES = "li, section, form, dialog, main";

/** A focused control, what is around it, and its row. */
interface Trail {
  control: Element;
  around: HTMLElement[];
  list: Element | null | undefined;
  index: number;
}

function trailOf(control: Element): Trail {
  const around: HTMLElement[] = [];
  for (let one = control.parentElement; one; one = one.parentElement)
    if (one.matches(PLACES)) around.push(one);
  const row = control.closest("li");
  const list = row?.parentElement;
  return { control, around, list, index: row && list ? [...list.children].indexOf(row) : -1 };
}

/** The next element to focus: the control's own row, the row that came into its place, or the nearest box. */
function heirOf({ around, list, index }: Trail): HTMLElement | undefined {
  const [nearest, ...others] = around;
  if (nearest?.isConnected) return nearest;
  const row = list?.isConnected ? list.children[Math.min(index, list.children.length - 1)] : undefined;
  return (row as HTMLElement | undefined) ?? others.find((one) => one.isConnected);
}

/** Gives the focus to what is left when the control that has it is removed or switched off. */
export function useKeptFocus(): void {
  useEffect(() => {
    let trail: Trail | undefined;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element) trail = trailOf(target);
    };
    // A pointer needs no help with the focus.
    const drop = () => {
      trail = undefined;
    };
    const repair = () => {
      const active = document.activeElement;
      const isNowhere = active === null || active === document.body || active.matches(":disabled");
      if (!trail || !isNowhere || (trail.control.isConnected && !trail.control.matches(":disabled"))) return;
      const heir = heirOf(trail);
      if (!heir) return;
      if (!heir.hasAttribute("tabindex")) heir.tabIndex = -1;
      heir.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(repair);
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", drop);
    return () => {
      watch.disconnect();
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", drop);
    };
  }, []);
}

/** Lets a new page take the focus from the link that led to it, so that Tab and reading begin there. */
export function useFocusOnNewPage(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const active = document.activeElement;
    if (active === document.body || active?.closest(".rail a")) focusPage();
  }, [pathname]);
}

export function focusPage(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}
