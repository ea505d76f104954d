// How what the devices of a call say to each other is written and read.
import type { Codec } from "#shared/codec/codec.ts";
import { map, omissible } from "#shared/codec/maps.ts";
import { hex, integer, textUpTo, word } from "#shared/codec/scalars.ts";
import {
  CALL_ENDS,
  CALL_MEDIA,
  type CallAnswerBody,
  type CallEndBody,
  type CallOfferBody,
  LEG_BYTES,
  MAX_CALL_S,
  MAX_CAUSE_BYTES,
  MAX_SDP_BYTES,
} from "../chat/call-content.ts";
import { reference } from "../content-fields.ts";

const sdp = textUpTo(MAX_SDP_BYTES);
const leg = hex(LEG_BYTES);

export const callOffer: Codec<Omit<CallOfferBody, "kind">> = map({ media: word(CALL_MEDIA, "media"), sdp });

export const callAnswer: Codec<Omit<CallAnswerBody, "kind">> = map({ to: reference, leg, sdp });

export const callEnd: Codec<Omit<CallEndBody, "kind">> = map({
  to: reference,
  reason: word(CALL_ENDS, "reason"),
  seconds: integer(0, MAX_CALL_S),
  leg: omissible(leg),
  cause: omissible(textUpTo(MAX_CAUSE_BYTES)),
});
