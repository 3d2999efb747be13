// The colours, before anything is drawn: those that were chosen, else the system's. `src/lib/theme.ts` tells of a new choice.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = localStorage.getItem("prowess.theme");
    const known = chosen === "light" || chosen === "dark";
    document.documentElement.dataset.theme = known ? chosen : system.matches ? "dark" : "light";
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("prowess.theme", apply);
})();
