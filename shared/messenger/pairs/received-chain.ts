// What came in the chain of another device, and how it is acknowledged. Pure.
import type { MessageId } from "#shared/content/content.ts";
import { MAX_ACK_RANGES, type PairAck, type PositionRange } from "#shared/content/pairs/pair-content.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { EMPTY_DIGEST, MAX_BEYOND_GAP, type ReceivedChain } from "./pair-state.ts";

const DIGEST_BYTES = 8;

/** A chain of which nothing came. */
export function emptyChain(instance: string): ReceivedChain {
  return { instance, upTo: 0, digest: EMPTY_DIGEST, ahead: [] };
}

/** Digest of a chain with one more content: first bytes of SHA-256 over the digest before and the id. */
export function nextDigest(digest: string, id: MessageId): string {
  return toHex(sha256(concatBytes(fromHex(digest), fromHex(id))).subarray(0, DIGEST_BYTES));
}

/** True for a position that came, or is gone for good. */
export function hasCome({ upTo, ahead }: ReceivedChain, position: number): boolean {
  return position <= upTo || ahead.some((other) => other.position === position);
}

/**
 * A position came, or is gone for good: then its id is known from who sent it. The same chain where it was known, and where it is too far
 * ahead: that is sent again, as it is not acknowledged.
 */
export function takePlace(chain: ReceivedChain, position: number, id: MessageId): ReceivedChain {
  if (hasCome(chain, position) || (chain.ahead.length >= MAX_BEYOND_GAP && position !== chain.upTo + 1)) return chain;
  const ahead = [...chain.ahead, { position, id }].sort((a, b) => a.position - b.position);
  let { upTo, digest } = chain;
  let taken = 0;
  for (const next of ahead) {
    if (next.position !== upTo + 1) break;
    upTo += 1;
    digest = nextDigest(digest, next.id);
    taken += 1;
  }
  return { ...chain, upTo, digest, ahead: ahead.slice(taken) };
}

/** What is said of a chain: of many gaps the first ones. */
export function ackOf({ instance, upTo, digest, ahead }: ReceivedChain): PairAck {
  const ranges: PositionRange[] = [];
  for (const { position } of ahead) {
    const last = ranges.at(-1);
    if (last?.to === position - 1) ranges[ranges.length - 1] = { from: last.from, to: position };
    else if (ranges.length === MAX_ACK_RANGES) break;
    else ranges.push({ from: position, to: position });
  }
  return { instance, upTo, digest, ranges };
}
