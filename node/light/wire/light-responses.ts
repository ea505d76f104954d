// What a full node answers a light one, and how it is written: [1, kind, fields …]. Nothing is proven by it.
import { WIRE_VERSION } from "#node/network/wire/wire-codec.ts";
import type { TypeOf } from "#shared/codec/codec.ts";
import { embedded, fields, list, nullable, optional, record } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, integer, textUpTo, unitsUpTo, word } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import type { CodedError } from "#shared/errors/coded-error.ts";
import { ERROR_CODES, type ErrorCode } from "#shared/errors/codes.ts";
import { headerCodec } from "#shared/protocol/chain/header.ts";
import { lightBlockCodec } from "#shared/protocol/chain/light-block.ts";
import { stateProofCodec } from "#shared/protocol/chain/state-proof.ts";
import { validatorSetCodec } from "#shared/protocol/chain/validators.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import { MAX_TX_ID_CHARS, MOST_BLOCK_TXS } from "#shared/protocol/primitives/limits.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import { UNVERIFIED_READ } from "./light-requests.ts";

const MAX_MESSAGE_CHARS = 1_000;
/** Levels of a tree over the transactions of a block. */
const MAX_SIBLINGS = Math.ceil(Math.log2(MOST_BLOCK_TXS));

const leafCodec = record({ bytes: bytesUpTo(), siblings: list(bytes(32), MAX_SIBLINGS) });
const recordCodec = record({ value: optional(bytesUpTo()), proof: embedded(stateProofCodec) });

/** One leaf of a block's roots, encoded, with its way up. */
export type LeafWithProof = TypeOf<typeof leafCodec>;
/** What a state is said to hold under a key, undefined for nothing, with the proof of it. */
export type RecordWithProof = TypeOf<typeof recordCodec>;

/** [1, kind, fields …] */
export const lightResponseCodec = unionRecord(
  "kind",
  "words",
  {
    blocks: fields({ blocks: list(lightBlockCodec, LIGHT_LIMITS.blocksPerRequest) }),
    /** As a light block; `validators` is null for the set that the request names. */
    block: fields({ header: headerCodec, commit: nullable(commitCodec), validators: nullable(validatorSetCodec) }),
    header: fields({ header: headerCodec }),
    records: fields({ at: lightBlockCodec, records: list(recordCodec, LIGHT_LIMITS.keysPerRequest) }),
    /** The encoded block, and the CBOR list of its encoded receipts. */
    body: fields({ block: bytesUpTo(), receipts: bytesUpTo() }),
    transaction: fields({
      at: lightBlockCodec,
      position: integer(),
      /** Transactions of the block. */
      count: integer(),
      transaction: leafCodec,
      receipt: leafCodec,
    }),
    /** Ids in the order of the chain, and the rolling hash before the first of them. */
    history: fields({ before: bytes(32), entryIds: list(unitsUpTo(MAX_TX_ID_CHARS), LIGHT_LIMITS.entriesPerRequest) }),
    [UNVERIFIED_READ]: fields({ json: textUpTo() }),
    accepted: fields({ warning: nullable(unitsUpTo(MAX_MESSAGE_CHARS)) }),
    unknown: fields({}),
    error: fields({ code: word(Object.keys(ERROR_CODES) as ErrorCode[], "code"), message: unitsUpTo(MAX_MESSAGE_CHARS) }),
  },
  WIRE_VERSION,
);

export type LightResponse = TypeOf<typeof lightResponseCodec>;

/** Response of a failure that the peer that asks may know of. */
export function errorResponse({ code: own, message: text }: CodedError): LightResponse {
  // Nodes of earlier versions do not know the code. To all of them it means that another node may have it.
  const code = own === "HISTORY_PRUNED" ? "UNAVAILABLE" : own;
  return { kind: "error", code, message: text.toWellFormed().slice(0, MAX_MESSAGE_CHARS).toWellFormed() };
}
