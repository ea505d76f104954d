// Records of proposed blocks: how many each key proposed since the state counts them. A block counts for the key in its header, whatever
// became of that key later. What came before is in no state: nodes that began from a snapshot could not know it.
import { encode } from "#shared/codec/codec.ts";
import { array } from "#shared/codec/composites.ts";
import { integer } from "#shared/codec/scalars.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { PROPOSED_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { fromHex, utf8 } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const numberCodec = array(integer());

const SINCE_KEY = utf8("since");

/** What is known of a block before it is executed. */
export interface ProposedBlock {
  readonly height: Height;
  readonly params: Pick<NetworkParams, "version">;
  readonly proposer: PublicKeyHex;
}

/** Begins a block, an empty one too: CBOR [blocks] under the proposer's key, and [height] of the first block that was counted under `since`. */
export function countProposed(view: StateView, { height, params, proposer }: ProposedBlock): void {
  if (params.version < PROPOSED_VERSION) return;
  if (readProposedSince(view) === undefined) view.set("proposed", SINCE_KEY, encode(numberCodec, height));
  view.set("proposed", fromHex(proposer), encode(numberCodec, readProposed(view, proposer) + 1));
}

/** Blocks that a key proposed from {@link readProposedSince} on. */
export function readProposed(reader: StateReader, publicKey: PublicKeyHex): number {
  const value = reader.get("proposed", fromHex(publicKey));
  return value === undefined ? 0 : decodeRecord(numberCodec, value);
}

/** Height of the first block that was counted; undefined before there was one. */
export function readProposedSince(reader: StateReader): Height | undefined {
  const value = reader.get("proposed", SINCE_KEY);
  return value === undefined ? undefined : decodeRecord(numberCodec, value);
}
