// What a node and a signer say to each other. A connection begins with `hello` and `welcome`; then each request gets one answer.
import { encode, type TypeOf, tryDecode } from "#shared/codec/codec.ts";
import { fields, nullable, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import { frameOf } from "./frames.ts";

/** Version of the protocol, in every message. */
const VERSION = 1;
const MAX_REQUEST_ID = 0xffff_ffff;
const MAX_CHAIN_ID_BYTES = 50;
/** The largest frame holds more than this, and each request less. */
const MAX_SIGN_BYTES = 1_024;
/** A character of a reason has three bytes at most. */
const reason = textUpTo(3 * SIGNER_LIMITS.reasonChars);

/** What a signature is for. `parts` and `seat` have no position that is guarded. */
export const PURPOSES = ["proposal", "prevote", "precommit", "parts", "seat"] as const;

const id = integer(0, MAX_REQUEST_ID);

const requestCodec = unionRecord(
  "type",
  "numbers",
  {
    hello: fields({ chainId: textUpTo(MAX_CHAIN_ID_BYTES), nodeKey: hex(32) }),
    sign: fields({ id, purpose: numbered(PURPOSES, "purpose"), height: integer(), round: integer(), bytes: bytesUpTo(MAX_SIGN_BYTES) }),
    ping: fields({ id }),
  },
  VERSION,
);

/** What the signer has signed last; null when it does not remember any. */
const lastCodec = nullable(
  record({
    height: integer(),
    round: integer(),
    step: numbered(["proposal", "prevote", "precommit"], "step"),
    signBytes: bytesUpTo(MAX_SIGN_BYTES),
    signature: bytes(64),
  }),
);

const answerCodec = unionRecord(
  "type",
  "numbers",
  {
    welcome: fields({ publicKey: hex(32), last: lastCodec }),
    signed: fields({ id, signature: bytes(64) }),
    refused: fields({ id, reason }),
    pong: fields({ id, last: lastCodec }),
    /** The connection ends. */
    bye: fields({ reason }),
  },
  VERSION,
);

/** What a node says. */
export type SignerRequest = TypeOf<typeof requestCodec>;
/** What a signer says. */
export type SignerAnswer = TypeOf<typeof answerCodec>;
/** A request for a signature. */
export type SignRequest = Extract<SignerRequest, { readonly type: "sign" }>;
/** What a signature is for. */
export type Purpose = SignRequest["purpose"];
/** The newest signature of a signer. */
export type LastSigned = TypeOf<typeof lastCodec>;

/** The frame of a request. */
export function requestFrame(request: SignerRequest): Uint8Array {
  return frameOf(encode(requestCodec, request));
}

/** The frame of an answer. */
export function answerFrame(answer: SignerAnswer): Uint8Array {
  return frameOf(encode(answerCodec, answer));
}

/** The request of a frame's body, undefined for any other bytes. */
export function decodeRequest(body: Uint8Array): SignerRequest | undefined {
  return tryDecode(requestCodec, body);
}

/** The answer of a frame's body, undefined for any other bytes. */
export function decodeAnswer(body: Uint8Array): SignerAnswer | undefined {
  return tryDecode(answerCodec, body);
}
