// Light, dark, or as the system has it. `public/theme.js` puts it into force, before this is loaded.

export type Theme = "system" | "light" | "dark";

const KEY = "prowess.theme";

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  dispatchEvent(new Event(KEY));
}
