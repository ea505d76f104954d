// Records of validators that are missing from commits: how often in the present thousand blocks, and who was set aside for it.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { array, list, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const countsCodec = list(record({ publicKey: hex(32), missed: integer() }));
const asideCodec = array(integer());

/** Commits of the present thousand blocks that lack validators of the set. */
export type AbsenceCounts = TypeOf<typeof countsCodec>;

const COUNTS_KEY = utf8("counts");
/** Of a public key. */
const KEY_BYTES = 32;

/** Validators with at least one, in ascending order of their keys. */
export function readAbsences(reader: StateReader): AbsenceCounts {
  const value = reader.get("absence", COUNTS_KEY);
  return value === undefined ? [] : decodeRecord(countsCodec, value);
}

/** CBOR [[key, commits]…] in ascending order of the keys under `counts`; no record without any. */
export function writeAbsences(view: StateView, counts: AbsenceCounts): void {
  if (counts.length > 0)
    view.set(
      "absence",
      COUNTS_KEY,
      encode(
        countsCodec,
        counts.toSorted((a, b) => (a.publicKey < b.publicKey ? -1 : 1)),
      ),
    );
  else if (view.get("absence", COUNTS_KEY) !== undefined) view.delete("absence", COUNTS_KEY);
}

/** Height of the block that set a key aside, which may return by itself; undefined for every other key. */
export function readSetAside(reader: StateReader, publicKey: PublicKeyHex): Height | undefined {
  const value = reader.get("absence", fromHex(publicKey));
  return value === undefined ? undefined : decodeRecord(asideCodec, value);
}

/** The key and height of a record of one that was set aside; undefined for that of the counts. */
export function decodeSetAside(
  key: Uint8Array,
  value: Uint8Array,
): { readonly publicKey: PublicKeyHex; readonly height: Height } | undefined {
  return key.length === KEY_BYTES ? { publicKey: toHex(key), height: decodeRecord(asideCodec, value) } : undefined;
}

/** CBOR [height] under the key; undefined removes it. */
export function writeSetAside(view: StateView, publicKey: PublicKeyHex, height: Height | undefined): void {
  const key = fromHex(publicKey);
  if (height !== undefined) view.set("absence", key, encode(asideCodec, height));
  else if (view.get("absence", key) !== undefined) view.delete("absence", key);
}
