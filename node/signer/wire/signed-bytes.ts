// Reads what a node wants signed. Nothing of the request is believed: the position is the one that the bytes themselves name, and bytes
// that are not exactly what a validator signs of consensus are refused.
import { MAX_ROUND } from "#node/engine/execution/final-block.ts";
import type { SignPosition } from "#node/engine/log/sign-guard.ts";
import { type Seat, seatCodec } from "#node/network/wire/seat.ts";
import { type Codec, tryDecode } from "#shared/codec/codec.ts";
import { nullable, record, refined } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, numbered } from "#shared/codec/scalars.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { SIGNATURE_DOMAINS, type SignatureDomain } from "#shared/protocol/primitives/domains.ts";
import { MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";

/** What bytes to sign say. */
export type SignedContent =
  | { readonly type: "consensus"; readonly position: SignPosition; readonly blockHash: HashHex | null }
  | { readonly type: "parts"; readonly height: Height; readonly round: number; readonly blockHash: HashHex }
  | { readonly type: "seat"; readonly seat: Seat };

/** Why bytes are not signed. */
export interface Unsignable {
  readonly type: "unsignable";
  readonly reason: string;
}

const LINE_FEED = 0x0a;
/** Longer than the domain and the chain id of any message. */
const MAX_HEAD_BYTES = 128;

const height = integer(1);
const round = integer(0, MAX_ROUND);

/** [1 for a prevote or 2, height, round, hash or null] */
const voteContent = record({ step: numbered(["prevote", "precommit"], "step", 1), height, round, blockHash: nullable(hex(32)) });
/** [height, round, valid round, hash] */
const proposalContent = refined(
  record({ height, round, validRound: integer(-1, MAX_ROUND), blockHash: hex(32) }),
  (proposal) => proposal.validRound < proposal.round,
  "a valid round before the round",
);
/** [height, round, hash, size, bytes of a part, root, relays] */
const partsContent = record({
  height,
  round,
  blockHash: hex(32),
  size: integer(1),
  partBytes: integer(1),
  root: bytes(32),
  relays: bytesUpTo(Math.ceil(MAX_VALIDATORS / 8)),
});

/** What bytes say that a validator of a chain may sign. */
export function readSignedBytes(chainId: string, signBytes: Uint8Array): SignedContent | Unsignable {
  const head = headOf(signBytes);
  if (head === undefined)
    return unsignable("these bytes are no message of consensus: the signer signs nothing else, no transactions either");
  const { domain, body } = head;
  if (domain === undefined) return unsignable("the signer signs proposals, votes, parts of proposals and the seat of its node alone");
  if (head.chainId !== chainId) return unsignable(`these bytes are of another chain, the signer is for ${chainId}`);
  return CONTENTS[domain](body) ?? unsignable(`these bytes are malformed for ${SIGNATURE_DOMAINS[domain]}`);
}

type SignedDomain = "vote" | "proposal" | "parts" | "seat";

const CONTENTS: Readonly<Record<SignedDomain, (body: Uint8Array) => SignedContent | undefined>> = {
  vote: (body) =>
    contentOf(voteContent, body, ({ step, blockHash, ...at }) => ({ type: "consensus", position: { ...at, step }, blockHash })),
  proposal: (body) =>
    contentOf(proposalContent, body, ({ height: of, round: at, blockHash }) => ({
      type: "consensus",
      position: { height: of, round: at, step: "proposal" },
      blockHash,
    })),
  parts: (body) =>
    contentOf(partsContent, body, ({ height: of, round: at, blockHash }) => ({ type: "parts", height: of, round: at, blockHash })),
  seat: (body) => contentOf(seatCodec, body, (seat) => ({ type: "seat", seat })),
};

function contentOf<T>(of: Codec<T>, body: Uint8Array, make: (value: T) => SignedContent): SignedContent | undefined {
  const value = tryDecode(of, body);
  return value === undefined ? undefined : make(value);
}

/** The two lines before the content: domain and chain. The domain is undefined when the signer does not sign it. */
function headOf(
  signBytes: Uint8Array,
): { readonly domain: SignedDomain | undefined; readonly chainId: string; readonly body: Uint8Array } | undefined {
  const first = signBytes.subarray(0, MAX_HEAD_BYTES).indexOf(LINE_FEED);
  const second = first === -1 ? -1 : signBytes.subarray(0, MAX_HEAD_BYTES).indexOf(LINE_FEED, first + 1);
  if (second === -1) return undefined;
  const name = Buffer.from(signBytes.subarray(0, first)).toString("latin1");
  const domains = Object.keys(SIGNATURE_DOMAINS) as SignatureDomain[];
  const known = domains.find((domain) => SIGNATURE_DOMAINS[domain] === name);
  if (known === undefined) return undefined;
  return {
    domain: known in CONTENTS ? (known as SignedDomain) : undefined,
    chainId: Buffer.from(signBytes.subarray(first + 1, second)).toString("latin1"),
    body: signBytes.subarray(second + 1),
  };
}

function unsignable(reason: string): Unsignable {
  return { type: "unsignable", reason };
}
