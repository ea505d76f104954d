import { describe, expect, it } from "vitest";
import { endRoom, labelSpace, uprightSize } from "#renderer/lib/format/chart-labels.ts";

/** As wide as text of eleven pixels is, about. */
const measure = (text: string): number => 6.5 * text.length;

describe("room for the labels of a chart", () => {
  it.each(["0.00025", "1,5 Mio.", "500.000", "12"])("holds %s beside the upright axis", (label) => {
    expect(uprightSize(["0", label], measure)).toBeGreaterThan(measure(label));
  });

  it("holds half of the last time of day in every language", () => {
    for (const locale of ["en-US", "de-DE", "ar-EG", "hi-IN"]) {
      const label = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(0);
      expect(endRoom([label], measure)).toBeGreaterThan(measure(label) / 2);
      expect(labelSpace([label], measure)).toBeGreaterThan(measure(label));
    }
  });

  it("is there before there are labels", () => {
    expect(uprightSize(null, measure)).toBeGreaterThan(0);
    expect(endRoom([], measure)).toBeGreaterThan(0);
  });
});
