// How long catching up will take, from what was seen of it. Pure, so that it is tested.

/** A height at a moment. */
export interface HeightSample {
  readonly atMs: number;
  readonly height: number;
}

/** Samples that are remembered: the speed of the last while, not of the whole run. */
const MAX_SAMPLES = 30;
/** Shorter observations say nothing. */
const MIN_SPAN_MS = 2_000;

/** The samples with a newer one; a height that fell (another node) starts again. */
export function addSample(samples: readonly HeightSample[], sample: HeightSample): readonly HeightSample[] {
  const last = samples.at(-1);
  if (last !== undefined && sample.height < last.height) return [sample];
  if (last !== undefined && sample.height === last.height) return samples;
  return [...samples, sample].slice(-MAX_SAMPLES);
}

/** Milliseconds until a height is reached at the speed seen, or undefined while too little was seen. */
export function remainingMs(samples: readonly HeightSample[], target: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.atMs - first.atMs < MIN_SPAN_MS) return undefined;
  const perMs = (last.height - first.height) / (last.atMs - first.atMs);
  return perMs <= 0 ? undefined : Math.max(0, target - last.height) / perMs;
}
