// Light, dark, or as the system has it.

export type Theme = "system" | "light" | "dark";

const KEY = "prowess.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  apply();
}

function apply(): void {
  const theme = chosenTheme();
  const dark = theme === "system" ? system.matches : theme === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

/** Sets the theme and follows the system's. Runs before anything is drawn. */
export function startTheme(): void {
  apply();
  system.addEventListener("change", apply);
}
