// How loud a recording is along the way, in as many values as a message holds. Pure.
import { MAX_WAVEFORM } from "#shared/content/chat/voice-content.ts";

/** Below this the loudest moment counts as this loud: noise of a quiet room is not drawn as speech. */
const QUIET = 0.08;
const LOUDEST = 255;

/** @param levels measured at equal distances, 0 to 1 each */
export function waveformOf(levels: readonly number[]): Uint8Array {
  const count = Math.min(levels.length, MAX_WAVEFORM);
  const loudest = levels.reduce((most, level) => Math.max(most, level), QUIET);
  return Uint8Array.from({ length: count }, (_, index) => {
    const part = levels.slice(Math.floor((index * levels.length) / count), Math.floor(((index + 1) * levels.length) / count));
    return Math.round((LOUDEST * Math.min(1, Math.max(0, ...part))) / loudest);
  });
}
