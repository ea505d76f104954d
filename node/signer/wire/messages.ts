// What a node and a signer say to each other. A connection begins with `hello` and `welcome`; then each request gets one answer.
import { encode, type TypeOf, tryDecode } from "#shared/codec/codec.ts";
import { fields, nullable, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import { TX_ID_SALT_BYTES } from "#shared/protocol/transactions/transaction-id.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import { frameOf } from "./frames.ts";

/** Versions of the protocol, one of them in every message of a connection: that of its first one. Version 1 knows no votes about relays. */
export const SIGNER_VERSIONS = [2, 1] as const;
/** A version that both sides speak. */
export type SignerVersion = (typeof SIGNER_VERSIONS)[number];
const NEWEST: SignerVersion = 2;
const MAX_REQUEST_ID = 0xffff_ffff;
const MAX_CHAIN_ID_BYTES = 50;
/** End of the year 9999: later times have no timestamp. */
const LAST_TIME_S = 253_402_300_799;
/** The largest frame holds more than this, and each request less. */
const MAX_SIGN_BYTES = 1_024;
/** A character of a reason has three bytes at most. */
const reason = textUpTo(3 * SIGNER_LIMITS.reasonChars);

/** What a signature is for. `parts` and `seat` have no position that is guarded. */
export const PURPOSES = ["proposal", "prevote", "precommit", "parts", "seat"] as const;

const id = integer(0, MAX_REQUEST_ID);

const firstRequests = {
  hello: fields({ chainId: textUpTo(MAX_CHAIN_ID_BYTES), nodeKey: hex(32) }),
  sign: fields({ id, purpose: numbered(PURPOSES, "purpose"), height: integer(), round: integer(), bytes: bytesUpTo(MAX_SIGN_BYTES) }),
  ping: fields({ id }),
};

const statement = record({ count: integer(), fingerprint: hex(32), signature: bytes(64) });

/** What follows from nothing else of the vote of a validator to suspend a relay: the signer makes the transaction itself. */
const ballotCodec = record({
  relay: hex(32),
  slot: integer(),
  /** Of the digests. */
  version: integer(),
  first: statement,
  second: statement,
  /** Unix seconds of the transaction. */
  timeS: integer(0, LAST_TIME_S),
  salt: bytes(TX_ID_SALT_BYTES),
});

const requestsBy = {
  1: unionRecord("type", "numbers", firstRequests, 1),
  2: unionRecord("type", "numbers", { ...firstRequests, suspend: fields({ id, ballot: ballotCodec }) }, 2),
};

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

const answers = {
  welcome: fields({ publicKey: hex(32), last: lastCodec }),
  signed: fields({ id, signature: bytes(64) }),
  refused: fields({ id, reason }),
  pong: fields({ id, last: lastCodec }),
  /** The connection ends. */
  bye: fields({ reason }),
};

const answersBy = { 1: unionRecord("type", "numbers", answers, 1), 2: unionRecord("type", "numbers", answers, 2) };

/** What a node says; `suspend` from version 2 on. */
export type SignerRequest = TypeOf<(typeof requestsBy)[2]>;
/** What a signer says. */
export type SignerAnswer = TypeOf<(typeof answersBy)[2]>;
/** A vote to suspend a relay, as far as its signer does not make it itself. */
export type Ballot = TypeOf<typeof ballotCodec>;
/** A request for a signature. */
export type SignRequest = Extract<SignerRequest, { readonly type: "sign" }>;
/** What a signature is for. */
export type Purpose = SignRequest["purpose"];
/** The newest signature of a signer. */
export type LastSigned = TypeOf<typeof lastCodec>;

/** The frame of a request. @throws TypeError for a vote about a relay in version 1 */
export function requestFrame(request: SignerRequest, version: SignerVersion = NEWEST): Uint8Array {
  if (version === 2) return frameOf(encode(requestsBy[2], request));
  if (request.type === "suspend") throw new TypeError("Version 1 of the signer's protocol has no votes about relays");
  return frameOf(encode(requestsBy[1], request));
}

/** The frame of an answer. */
export function answerFrame(answer: SignerAnswer, version: SignerVersion = NEWEST): Uint8Array {
  return frameOf(encode(answersBy[version], answer));
}

/** The request of a frame's body, undefined for any other bytes, and for those of another version where one is given. */
export function decodeRequest(body: Uint8Array, version?: SignerVersion): SignerRequest | undefined {
  const newest = version === 1 ? undefined : tryDecode(requestsBy[2], body);
  return newest ?? (version === 2 ? undefined : tryDecode(requestsBy[1], body));
}

/** The answer of a frame's body, undefined for any other bytes, and for those of another version where one is given. */
export function decodeAnswer(body: Uint8Array, version?: SignerVersion): SignerAnswer | undefined {
  const newest = version === 1 ? undefined : tryDecode(answersBy[2], body);
  return newest ?? (version === 2 ? undefined : tryDecode(answersBy[1], body));
}

/** The version that a request is of; undefined for what is none. */
export function versionOfRequest(body: Uint8Array): SignerVersion | undefined {
  return SIGNER_VERSIONS.find((version) => decodeRequest(body, version) !== undefined);
}
