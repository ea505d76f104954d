// Precommits of headers, and what a validator that signed two of them can be held to.
import { encode } from "#shared/codec/codec.ts";
import { type BlockHeader, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { HEADER_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { HeaderContradiction } from "#shared/protocol/transactions/payload.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { type Actor, CHAIN_ID } from "../worlds/ledger-world.ts";
import { signatureOf } from "./ledger-payloads.ts";

const SOME = "11".repeat(32);

/** A header of the test chain with fields of its own. */
export function testHeader(fields: Partial<BlockHeader> & Pick<BlockHeader, "height">): BlockHeader {
  return {
    version: HEADER_VERSION,
    chainId: CHAIN_ID,
    timeMs: 1_000 * fields.height,
    parentHash: SOME,
    lastCommitHash: SOME,
    txRoot: SOME,
    stateRoot: SOME,
    receiptsRoot: SOME,
    validatorsHash: SOME,
    nextValidatorsHash: SOME,
    paramsHash: SOME,
    evidenceRoot: SOME,
    proposer: SOME,
    txCount: 0,
    ...fields,
  };
}

/** Headers of a chain from the highest down, the lowest of the given height. */
export function linkedHeaders(lowest: BlockHeader, length: number): readonly BlockHeader[] {
  const headers = [lowest];
  for (let parent = lowest; headers.length < length; headers.unshift(parent))
    parent = testHeader({ height: parent.height + 1, parentHash: headerHash(parent) });
  return headers;
}

/** A vote of a round. */
export interface HeaderVote {
  readonly header: BlockHeader;
  readonly round: number;
}

/** Evidence of a vote for the first of some linked headers, from the highest down, and of one for another header. */
export function headerContradiction(
  offender: Actor,
  { headers, round }: { readonly headers: readonly BlockHeader[]; readonly round: number },
  other: HeaderVote,
): HeaderContradiction {
  const [voted] = headers;
  assertInvariant(voted !== undefined, "The first vote is for a header");
  const sign = ({ header, round: at }: HeaderVote): string =>
    signatureOf(offender, voteSignBytes(CHAIN_ID, { type: "precommit", height: header.height, round: at, blockHash: headerHash(header) }));
  const encoded = (header: BlockHeader): string => toBase64(encode(headerCodec, header));
  return {
    validator_pub: offender.pub,
    height: other.header.height,
    round: other.round,
    step: "header",
    first: { round, headers: headers.map(encoded), signature: sign({ header: voted, round }) },
    second: { header: encoded(other.header), signature: sign(other) },
  };
}
