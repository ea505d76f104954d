// How what chats hold beside texts and money is written and read.
import type { Codec } from "#shared/codec/codec.ts";
import { mapped } from "#shared/codec/composites.ts";
import { keyed, map } from "#shared/codec/maps.ts";
import { bytesUpTo, integer } from "#shared/codec/scalars.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import { isVoice, MAX_VOICE_MS, MAX_WAVEFORM, type Voice } from "./chat/voice-content.ts";

/** A recording. What another program claims beyond the bounds is cut to them: the file is still heard. */
export const voice: Codec<Voice> = mapped(
  map({ durationMs: keyed("ms", integer()), waveform: keyed("wave", bytesUpTo()) }),
  ({ durationMs, waveform }) => ({
    durationMs: Math.min(Math.max(durationMs, 1), MAX_VOICE_MS),
    waveform: toBase64(waveform.subarray(0, MAX_WAVEFORM)),
  }),
  (written) => {
    if (!isVoice(written)) throw new RangeError("A recording beyond its bounds");
    return { durationMs: written.durationMs, waveform: fromBase64(written.waveform) };
  },
);
