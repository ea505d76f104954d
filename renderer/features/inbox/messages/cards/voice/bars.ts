// A waveform as it is drawn. Pure.

/** Bars of every recording: as many as fit beside its button. */
export const BAR_COUNT = 44;
const LOUDEST = 255;

/** Heights from 0 to 1, of any number of values; a recording that says nothing of them is a flat line. */
export function barsOf(waveform: Uint8Array): readonly number[] {
  return Array.from({ length: BAR_COUNT }, (_, index) => {
    if (waveform.length === 0) return 0;
    const start = Math.floor((index * waveform.length) / BAR_COUNT);
    const end = Math.max(start + 1, Math.floor(((index + 1) * waveform.length) / BAR_COUNT));
    return Math.max(...waveform.subarray(start, end)) / LOUDEST;
  });
}
