import type { Result } from "../../api";

export type Series = Result<"cortex.weights">["series"][number];

export interface PlotData {
  /** Seconds since 1970, rising. */
  times: number[];
  /** One line a skill: its weight at each of the times, or nothing while it is not a candidate. */
  lines: { slug: string; weights: (number | null)[] }[];
}

/** Puts the weights of some candidates on one axis of time. A weight stays until an event moves it. */
export function plotData(series: readonly Series[]): PlotData {
  const moments = [...new Set(series.flatMap((one) => one.points.map((point) => point.at)))].sort(
    (a, b) => a - b,
  );
  const lines = series.map(({ slug, points }) => {
    let next = 0;
    let weight: number | null = null;
    const weights = moments.map((moment) => {
      for (let point = points[next]; point && point.at <= moment; point = points[next]) {
        weight = point.weight ?? null;
        next += 1;
      }
      return weight;
    });
    return { slug, weights };
  });
  return { times: moments.map((moment) => moment / 1000), lines };
}
