// Loaded when a plot is shown, with the library for plots.

import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { plotData, type Series } from "./series";

const COLOURS = ["--accent", "--ready", "--setup", "--off", "--danger", "--text-3"] as const;
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]] as const;
const HEIGHT = 180;

/** The weights of the candidates of a region over time, in steps. */
export default function WeightPlot({ series, label }: { series: readonly Series[]; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useThemeName();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours need another drawing
  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const { times, lines } = plotData(series);
    const colour = (name: string) => getComputedStyle(parent).getPropertyValue(name).trim();
    const axis = {
      stroke: colour("--text-3"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1 },
      font: "11px system-ui, sans-serif",
    };
    const plot = new uPlot(
      {
        width: parent.clientWidth,
        height: HEIGHT,
        scales: { y: { range: [0, 1] } },
        axes: [axis, { ...axis, size: 40 }],
        legend: { live: false },
        cursor: { y: false },
        series: [
          {},
          ...lines.map((line, index) => ({
            label: line.slug,
            stroke: colour(COLOURS[index % COLOURS.length] ?? "--accent"),
            width: 2,
            dash: [...(DASHES[Math.floor(index / COLOURS.length) % DASHES.length] ?? [])],
            points: { show: true, size: 6 },
            ...(uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
          })),
        ],
      },
      [times, ...lines.map((line) => line.weights)],
      parent,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height: HEIGHT }));
    watch.observe(parent);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [series, theme]);
  return <div ref={box} className="plot" role="img" aria-label={label} />;
}

/** The colours in use, told again when they change. */
function useThemeName(): string {
  const [theme, setTheme] = useState(() => document.documentElement.dataset.theme ?? "");
  useEffect(() => {
    const watch = new MutationObserver(() => setTheme(document.documentElement.dataset.theme ?? ""));
    watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => watch.disconnect();
  }, []);
  return theme;
}
