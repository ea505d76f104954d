// What is said beside a file that is a recorded voice. Programs that do not know it show the file.
import { fromBase64 } from "#shared/util/bytes.ts";

/** Longest recording, milliseconds: at the rate of the recorder less than half of the largest file. */
export const MAX_VOICE_MS = 900_000;
/** Most values of a waveform. */
export const MAX_WAVEFORM = 64;

/** A recording. */
export interface Voice {
  /** Milliseconds, 1 to {@link MAX_VOICE_MS}. */
  readonly durationMs: number;
  /** How loud it is along the way, in base64: at most {@link MAX_WAVEFORM} bytes, 0 for silence, 255 for the loudest. */
  readonly waveform: string;
}

/** True within the bounds. */
export function isVoice({ durationMs, waveform }: Voice): boolean {
  return Number.isSafeInteger(durationMs) && durationMs >= 1 && durationMs <= MAX_VOICE_MS && fromBase64(waveform).length <= MAX_WAVEFORM;
}
