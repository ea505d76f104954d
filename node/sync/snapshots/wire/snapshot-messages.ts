// What a joining node asks for, what it is answered, and how both are written: [1, kind, fields …]. Nothing is proven by them.
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { WIRE_VERSION } from "#node/network/wire/wire-codec.ts";
import { MOST_LEVELS } from "#node/state/state-chunk.ts";
import { isTreePlace, type TreePlace } from "#node/state/tree-place.ts";
import type { Codec, TypeOf } from "#shared/codec/codec.ts";
import { fields, list, record, refined } from "#shared/codec/composites.ts";
import { bytesUpTo, integer, word } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import { headerCodec } from "#shared/protocol/chain/header.ts";
import { STATE_TREE_DEPTH, siblingCodec } from "#shared/protocol/chain/state-proof.ts";
import { SNAPSHOT_LIMITS } from "../snapshot-limits.ts";

/** [depth, prefix] */
const placeCodec: Codec<TreePlace> = refined(
  record({ depth: integer(0, STATE_TREE_DEPTH), prefix: bytesUpTo(STATE_TREE_DEPTH / 8) }),
  isTreePlace,
  "a prefix of as many bits as the depth says",
);

const recordCodec = record({
  namespace: word(NAMESPACES, "namespace"),
  key: bytesUpTo(SNAPSHOT_LIMITS.keyBytes),
  value: bytesUpTo(SNAPSHOT_LIMITS.valueBytes),
});

/** [1, kind, fields …] */
export const snapshotRequestCodec = unionRecord(
  "kind",
  "words",
  {
    /** Heights whose state the node serves. */
    heights: fields({}),
    /** What stands below a place in the state after a height. */
    chunk: fields({ height: integer(1), place: placeCodec }),
    /** Headers from a height on. */
    headers: fields({ from: integer(), count: integer(1, SNAPSHOT_LIMITS.headersPerRequest) }),
    /** Receipts of the blocks from a height on: they name the ids of two hours. */
    receipts: fields({ from: integer(), count: integer(1, SNAPSHOT_LIMITS.blocksPerRequest) }),
  },
  WIRE_VERSION,
);

export type SnapshotRequest = TypeOf<typeof snapshotRequestCodec>;

/** [1, kind, fields …] */
export const snapshotResponseCodec = unionRecord(
  "kind",
  "words",
  {
    /** The newest first. */
    heights: refined(
      fields({ heights: list(integer(1), SNAPSHOT_LIMITS.heights) }),
      ({ heights }) => heights.every((height, index) => index === 0 || height < (heights[index - 1] ?? 0)),
      "heights in descending order",
    ),
    /** Siblings upwards, records ascending by path. */
    chunk: fields({
      siblings: list(siblingCodec, STATE_TREE_DEPTH),
      records: list(recordCodec, SNAPSHOT_LIMITS.chunkRecords),
    }),
    /** The place holds more than a chunk does: its parts so many levels below fit. */
    split: fields({ levels: integer(1, MOST_LEVELS) }),
    /** In order, without gaps; fewer than requested where they do not fit. */
    headers: fields({ headers: list(headerCodec, SNAPSHOT_LIMITS.headersPerRequest) }),
    /** The same: CBOR lists of encoded receipts. */
    receipts: fields({ blocks: list(bytesUpTo(), SNAPSHOT_LIMITS.blocksPerRequest) }),
    /** The node has no such state (any more), or no such block. */
    unknown: fields({}),
    /** It has, and as many requests as it can answer. */
    busy: fields({}),
  },
  WIRE_VERSION,
);

export type SnapshotResponse = TypeOf<typeof snapshotResponseCodec>;
