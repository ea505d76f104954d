// Calls between two: what their devices say to each other, and what of it remains in the chat. Pure.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Longest description of a session (SDP), UTF-8 bytes. */
export const MAX_SDP_BYTES = 8_192;
/** Bytes of the random number by which a device names its own answer to a call. */
export const LEG_BYTES = 8;
/** Longest call that is stored, seconds. Of a longer one it says this. */
export const MAX_CALL_S = 604_800;
/** A call rings this long, from the moment at which it is made. */
export const RING_MS = 60_000;

/** What a call begins with. */
export const CALL_MEDIA = ["audio", "video"] as const;
export type CallMedia = (typeof CALL_MEDIA)[number];

/**
 * Why a call ended, in the order in which they count where several are said of one call: the later in this list. `crossed`: both called at
 * the same time, and the other call is the one. `elsewhere`: another device of the one who was called has answered; says nothing about the
 * call itself.
 */
export const CALL_ENDS = ["elsewhere", "crossed", "cancelled", "busy", "declined", "no-path", "ended"] as const;
export type CallEnd = (typeof CALL_ENDS)[number];

/**
 * Why there was no path, or why it was answered and ended as if it were declined. `no-relay`: neither of the two had a relay.
 * `unreached-relay`: there was one, which one of the two did not reach. `relay-only`: who was called takes calls through a relay alone, and
 * none answered. `media`: no microphone or camera that may be used. `failed`: anything else.
 */
export const CALL_CAUSES = ["failed", "media", "relay-only", "no-relay", "unreached-relay"] as const;
export type CallCause = (typeof CALL_CAUSES)[number];
/** Longest cause, UTF-8 bytes: later versions may name others. */
export const MAX_CAUSE_BYTES = 32;

/** A call, named by author and id of its offer. */
interface CallReference {
  readonly author: PublicKeyHex;
  readonly id: string;
}

/** Calls a person. */
export interface CallOfferBody {
  readonly kind: "call.offer";
  readonly media: CallMedia;
  /** How to reach the device that calls; "" in the store, and where it is sent again later: then nothing rings. */
  readonly sdp: string;
}

/** Answers a call, from one device. */
export interface CallAnswerBody {
  readonly kind: "call.answer";
  readonly to: CallReference;
  /** Hex of the {@link LEG_BYTES} bytes that name this answer. */
  readonly leg: string;
  /** How to reach the device that answers; "" in the store. */
  readonly sdp: string;
}

/** Ends a call, or with `leg` what one answer to it began. */
export interface CallEndBody {
  readonly kind: "call.end";
  readonly to: CallReference;
  readonly reason: CallEnd;
  /** How long the two spoke as far as the author knows, seconds; 0 where they did not. */
  readonly seconds: number;
  readonly leg?: string;
  /** One of {@link CALL_CAUSES}, or of a later version. */
  readonly cause?: string;
}

export type CallBody = CallOfferBody | CallAnswerBody | CallEndBody;

/** What is stored of a call beside its offer. */
export interface CallRecord {
  /** When it was answered first, by the clock of who did it, milliseconds since 1970. */
  readonly answeredAt?: number;
  readonly end?: { readonly reason: CallEnd; readonly seconds: number; readonly cause?: CallCause };
}

/** The call with an answer; undefined where it says nothing new. Only the one who was called answers. */
export function withAnswer(known: CallRecord = {}, at: number): CallRecord | undefined {
  if (known.answeredAt !== undefined && known.answeredAt <= at) return undefined;
  return { ...known, answeredAt: at };
}

/** The call with an end of its author or (`isAuthor` false) of the one who was called; undefined where it changes nothing. */
export function withEnd(
  known: CallRecord = {},
  { reason, seconds, cause }: Pick<CallEndBody, "reason" | "seconds" | "cause">,
  isAuthor: boolean,
): CallRecord | undefined {
  if (reason === "elsewhere" || !mayEnd(reason, isAuthor)) return undefined;
  const stated = reason === "no-path" || reason === "declined" ? CALL_CAUSES.find((known) => known === cause) : undefined;
  const next = { reason, seconds: reason === "ended" ? seconds : 0, ...(stated && { cause: stated }) };
  if (known.end !== undefined && rankOf(known.end) >= rankOf(next)) return undefined;
  return { ...known, end: next };
}

function mayEnd(reason: CallEnd, isAuthor: boolean): boolean {
  if (reason === "cancelled" || reason === "crossed") return isAuthor;
  return reason === "declined" || reason === "busy" ? !isAuthor : true;
}

/** An end with a cause says more than one without. */
function rankOf({ reason, seconds, cause }: NonNullable<CallRecord["end"]>): number {
  const place = CALL_ENDS.indexOf(reason) * (MAX_CALL_S + 1) + seconds;
  return place * (CALL_CAUSES.length + 1) + (cause === undefined ? 0 : CALL_CAUSES.indexOf(cause) + 1);
}

/** The same content without what only the devices of the call need. */
export function withoutSdp<Body extends { readonly kind: string }>(body: Body): Body {
  return body.kind === "call.offer" || body.kind === "call.answer" ? { ...body, sdp: "" } : body;
}
