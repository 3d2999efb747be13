import { afterEach, expect, test } from "vitest";
import { allowShortcuts, controlBeside, isShortcut } from "./keys";

const get = (selector: string) => document.querySelector(selector) as HTMLElement;

afterEach(() => {
  document.body.innerHTML = "";
  localStorage.clear();
});

test("arrows keep the column, pass rows without controls, and end with the list", () => {
  document.body.innerHTML = `<ul class="rows">
    <li><button id="a1"></button><a id="a2" href="#"></a></li>
    <li>Nothing to press</li>
    <li><button disabled></button><a id="c1" href="#"></a></li>
    <li><button id="d1"></button><a id="d2" href="#"></a></li>
  </ul>`;
  expect(controlBeside(get("#a2"), 1)?.id).toBe("c1");
  expect(controlBeside(get("#c1"), 1)?.id).toBe("d1");
  expect(controlBeside(get("#d2"), -1)?.id).toBe("c1");
  expect(controlBeside(get("#d2"), 1)).toBeUndefined();
  expect(controlBeside(document.body, 1)).toBeUndefined();
});

test("the lists of the rail are one", () => {
  document.body.innerHTML = `<nav class="rail"><ul><li><a id="one" href="#"></a></li></ul>
    <ul><li><a id="two" href="#"></a></li></ul></nav>`;
  expect(controlBeside(get("#one"), 1)?.id).toBe("two");
});

test("a key is a shortcut only where nobody types, no dialog is open, and they are on", () => {
  document.body.innerHTML = `<input id="field"><p id="text"></p>`;
  const press = (at: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent("keydown", { key: "g", bubbles: true, ...more });
    get(at).dispatchEvent(event);
    return isShortcut(event);
  };
  expect(press("#text")).toBe(true);
  expect(press("#text", { ctrlKey: true })).toBe(false);
  expect(press("#field")).toBe(false);
  allowShortcuts(false);
  expect(press("#text")).toBe(false);
  allowShortcuts(true);
  document.body.insertAdjacentHTML("beforeend", "<dialog open></dialog>");
  expect(press("#text")).toBe(false);
});
