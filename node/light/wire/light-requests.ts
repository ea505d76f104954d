// What a light node asks a full one, and how it is written: [1, kind, fields …].
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { WIRE_VERSION } from "#node/network/wire/wire-codec.ts";
import type { TypeOf } from "#shared/codec/codec.ts";
import { fields, list, nullable, record, refined } from "#shared/codec/composites.ts";
import { bytes, bytesUpTo, hex, integer, textUpTo, unitsUpTo, word } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import { lightBlockCodec } from "#shared/protocol/chain/light-block.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";

/** Kind of a public read without a proof, and of its response, as it is sent. */
export const UNVERIFIED_READ = "told";

const MAX_OPERATION_CHARS = 64;

const historyCodec = refined(
  fields({ account: hex(32), last: integer(), count: integer(1, LIGHT_LIMITS.entriesPerRequest) }),
  ({ last, count }) => count <= last,
  "entries that begin with 1",
);

/** Entries of an account's history by their numbers, which begin with 1: those up to `last`, `count` of them. */
export type HistorySegment = TypeOf<typeof historyCodec>;

/** [1, kind, fields …] */
export const lightRequestCodec = unionRecord(
  "kind",
  "words",
  {
    blocks: fields({ from: integer(), count: integer(1, LIGHT_LIMITS.blocksPerRequest) }),
    /** One block; the set of validators with this hash, which the light node has, is left out, and signatures beyond two thirds of it. */
    block: fields({ height: integer(), knownSet: nullable(bytes(32)) }),
    /** A header alone: a second opinion. */
    header: fields({ height: integer() }),
    records: fields({
      keys: list(
        record({ namespace: word(NAMESPACES, "namespace"), key: bytesUpTo(LIGHT_LIMITS.keyBytes) }),
        LIGHT_LIMITS.keysPerRequest,
        1,
      ),
    }),
    body: fields({ height: integer() }),
    transaction: fields({ id: unitsUpTo(MAX_TX_ID_CHARS) }),
    history: historyCodec,
    /** `input` is the JSON of the operation's input. */
    [UNVERIFIED_READ]: fields({ operation: unitsUpTo(MAX_OPERATION_CHARS), input: textUpTo(LIGHT_LIMITS.inputBytes) }),
    submit: fields({ transaction: bytesUpTo() }),
    /** Two blocks that cannot be on one chain: the peer has its signers punished. */
    fork: fields({ first: lightBlockCodec, second: lightBlockCodec }),
  },
  WIRE_VERSION,
);

/** A request, within the limits. */
export type LightRequest = TypeOf<typeof lightRequestCodec>;
