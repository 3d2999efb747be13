import { describe, expect, it } from "vitest";
import { lessonOf } from "./lessons";
import { plotData, type Series } from "./series";

const point = (seq: number, at: number, weight: number | null) => ({
  seq,
  at,
  weight,
  event: "outcome",
  reflex: false,
});

describe("weights over time", () => {
  it("keeps a weight until an event moves it, and nothing before the first", () => {
    const series: Series[] = [
      { region: "r", slug: "a", points: [point(1, 1000, 0.5), point(3, 3000, 0.6)] },
      { region: "r", slug: "b", points: [point(2, 2000, 0.2), point(4, 4000, null)] },
    ];
    expect(plotData(series)).toEqual({
      times: [1, 2, 3, 4],
      lines: [
        { slug: "a", weights: [0.5, 0.5, 0.6, 0.6] },
        { slug: "b", weights: [null, 0.2, 0.2, null] },
      ],
    });
  });

  it("takes the last of several points at one moment", () => {
    const series: Series[] = [{ region: "r", slug: "a", points: [point(1, 1000, 0.1), point(2, 1000, 0.9)] }];
    expect(plotData(series).lines[0]?.weights).toEqual([0.9]);
  });
});

describe("lessons", () => {
  it("names what a judgement is about", () => {
    const lesson = lessonOf({
      type: "dependency_warning",
      region: "charts",
      key: "gnuplot",
      confidence: 0.7,
    });
    expect(lesson?.about).toEqual({ type: "dependency_warning", region: "charts", key: "gnuplot" });
    expect(lesson?.confidence).toBe(0.7);
  });

  it("leaves aside what it does not know", () => {
    expect(lessonOf({ type: "astrology" })).toBeUndefined();
  });
});
