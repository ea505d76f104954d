// What a light node asks a full one, and how it is written: [1, kind, fields …]. The decoder is total.
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { WIRE_VERSION } from "#node/network/wire/wire-codec.ts";
import type { Codec } from "#shared/codec/codec.ts";
import { fields, list, record, refined } from "#shared/codec/composites.ts";
import { bytesUpTo, hex, integer, textUpTo, unitsUpTo, word } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { StateKey } from "../light-source.ts";

/** Entries of an account's history by their numbers, which begin with 1: those up to `last`, `count` of them. */
export interface HistorySegment {
  readonly account: PublicKeyHex;
  readonly last: number;
  readonly count: number;
}

/** Kind of a public read without a proof, and of its response, as it is sent. */
export const UNVERIFIED_READ = "told";

export type LightRequest =
  | { readonly kind: "blocks"; readonly from: Height; readonly count: number }
  | { readonly kind: "records"; readonly keys: readonly StateKey[] }
  | { readonly kind: "body"; readonly height: Height }
  | { readonly kind: "transaction"; readonly id: string }
  | ({ readonly kind: "history" } & HistorySegment)
  /** `input` is the JSON of the operation's input. */
  | { readonly kind: typeof UNVERIFIED_READ; readonly operation: string; readonly input: string }
  | { readonly kind: "submit"; readonly transaction: Uint8Array };

const MAX_OPERATION_CHARS = 64;

/** [1, kind, fields …] */
export const lightRequestCodec: Codec<LightRequest> = unionRecord(
  "kind",
  "words",
  {
    blocks: fields({ from: integer(), count: integer(1, LIGHT_LIMITS.blocksPerRequest) }),
    records: fields({
      keys: list(
        record({ namespace: word(NAMESPACES, "namespace"), key: bytesUpTo(LIGHT_LIMITS.keyBytes) }),
        LIGHT_LIMITS.keysPerRequest,
        1,
      ),
    }),
    body: fields({ height: integer() }),
    transaction: fields({ id: unitsUpTo(MAX_TX_ID_CHARS) }),
    history: refined(
      fields({ account: hex(32), last: integer(), count: integer(1, LIGHT_LIMITS.entriesPerRequest) }),
      ({ last, count }) => count <= last,
      "entries that begin with 1",
    ),
    [UNVERIFIED_READ]: fields({ operation: unitsUpTo(MAX_OPERATION_CHARS), input: textUpTo(LIGHT_LIMITS.inputBytes) }),
    submit: fields({ transaction: bytesUpTo() }),
  },
  WIRE_VERSION,
);
