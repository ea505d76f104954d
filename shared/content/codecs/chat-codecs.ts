// How what chats hold beside texts and money is written and read.
import type { Codec } from "#shared/codec/codec.ts";
import { list, mapped, refined } from "#shared/codec/composites.ts";
import { keyed, map } from "#shared/codec/maps.ts";
import { boolean, bytesUpTo, integer } from "#shared/codec/scalars.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import type { PinBody } from "../chat/pin-content.ts";
import {
  MAX_ANSWER_BYTES,
  MAX_ANSWERS,
  MAX_QUESTION_BYTES,
  MIN_ANSWERS,
  type PollBody,
  type PollCloseBody,
  type PollVoteBody,
} from "../chat/poll-content.ts";
import { isVoice, MAX_VOICE_MS, MAX_WAVEFORM, type Voice } from "../chat/voice-content.ts";
import { reference, typedText } from "../content-fields.ts";

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

const answers = refined(
  list(typedText(MAX_ANSWER_BYTES, 1), MAX_ANSWERS, MIN_ANSWERS),
  (all) => new Set(all).size === all.length,
  "answers that differ",
);

export const poll: Codec<Omit<PollBody, "kind">> = map({
  question: typedText(MAX_QUESTION_BYTES, 1),
  answers,
  isMultiple: keyed("multiple", boolean),
});

export const pollVote: Codec<Omit<PollVoteBody, "kind">> = map({
  to: reference,
  choices: list(integer(0, MAX_ANSWERS - 1), MAX_ANSWERS),
});

export const pollClose: Codec<Omit<PollCloseBody, "kind">> = map({ to: reference });

export const pin: Codec<Omit<PinBody, "kind">> = map({ to: reference, isPinned: keyed("on", boolean) });
