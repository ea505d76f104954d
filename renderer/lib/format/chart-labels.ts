// Room for the labels of a chart's axes, from how wide they are: no language and no number is cut off. Pure.

/** Width of a text in the font of the labels, pixels. */
export type MeasureText = (text: string) => number;

/** Between the labels of the upright axis and the picture. */
const GAP = 12;
const MIN_UPRIGHT = 28;
const MIN_END = 8;

/** Width of the upright axis. The chart asks before it has labels, too. */
export function uprightSize(labels: readonly string[] | null, measure: MeasureText): number {
  return Math.max(MIN_UPRIGHT, Math.ceil(widest(labels ?? [], measure)) + GAP);
}

/** Room at the end of the level axis: its labels stand in the middle of their marks, the last of which may be at the very end. */
export function endRoom(labels: readonly string[] | null, measure: MeasureText): number {
  return Math.max(MIN_END, Math.ceil(widest(labels ?? [], measure) / 2) + 2);
}

/** Least distance of two labels of the level axis. */
export function labelSpace(samples: readonly string[], measure: MeasureText): number {
  return Math.ceil(widest(samples, measure)) + GAP;
}

function widest(labels: readonly string[], measure: MeasureText): number {
  return Math.max(0, ...labels.map(measure));
}
