// Records of validators that replaced their keys: which key took over from which, and when.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { optional, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const rotationCodec = record({
  /** Key that it took over from. */
  previous: optional(hex(32)),
  /** Height of the block in which it did; 0 when it took over from none. */
  height: integer(),
  /** Unix seconds of the block in which another key took over from it; 0 while none has. */
  replacedAt: integer(),
  /** First key of the validator; undefined in that key's own record. */
  first: optional(hex(32)),
  /** In the first key's record: the key that the validator has now. However many there were, two records say it. */
  present: optional(hex(32)),
});

/** How a validator's key came into the place of another one, and left it to a third. */
export type Rotation = TypeOf<typeof rotationCodec>;

const NEVER: Rotation = { previous: undefined, height: 0, replacedAt: 0, first: undefined, present: undefined };

/** The record of a key; one without keys when it took over from none and none took over from it. */
export function readRotation(reader: StateReader, publicKey: PublicKeyHex): Rotation {
  const value = reader.get("rotation", fromHex(publicKey));
  return value === undefined ? NEVER : decodeRecord(rotationCodec, value);
}

/** CBOR [key before or null, height, replaced at, first key or null, present key or null] under the key. */
function writeRotation(view: StateView, publicKey: PublicKeyHex, rotation: Rotation): void {
  view.set("rotation", fromHex(publicKey), encode(rotationCodec, rotation));
}

/** Writes that a key took over from another one in a block. Keys never come back. */
export function replaceKey(
  view: StateView,
  { from, to, height, nowS }: { readonly from: PublicKeyHex; readonly to: PublicKeyHex; readonly height: number; readonly nowS: number },
): void {
  const before = readRotation(view, from);
  const first = before.first ?? from;
  writeRotation(view, from, { ...before, replacedAt: nowS });
  writeRotation(view, first, { ...readRotation(view, first), present: to });
  writeRotation(view, to, { previous: from, height, replacedAt: 0, first, present: undefined });
}

/** True for a key that another one took over from. */
export function isReplaced(reader: StateReader, publicKey: PublicKeyHex): boolean {
  return readRotation(reader, publicKey).replacedAt > 0;
}

/** The key that a validator has now, of any key that it had. */
export function presentKey(reader: StateReader, publicKey: PublicKeyHex): PublicKeyHex {
  const { first = publicKey } = readRotation(reader, publicKey);
  return readRotation(reader, first).present ?? publicKey;
}

/** The key whose bond answers for what a key has signed: for 21 days the one that the validator has now, then its own. */
export function liableKey(reader: StateReader, publicKey: PublicKeyHex, nowS: number): PublicKeyHex {
  const { replacedAt } = readRotation(reader, publicKey);
  return replacedAt === 0 || nowS >= replacedAt + UNBONDING_S ? publicKey : presentKey(reader, publicKey);
}
