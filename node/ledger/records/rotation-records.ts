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
  /** Key that took over from it. */
  next: optional(hex(32)),
  /** Unix seconds of the block in which that one did; 0 while none has. */
  replacedAt: integer(),
});

/** How a validator's key came into the place of another one, and left it to a third. */
export type Rotation = TypeOf<typeof rotationCodec>;

const NEVER: Rotation = { previous: undefined, height: 0, next: undefined, replacedAt: 0 };

/** The record of a key; one without keys when it took over from none and none took over from it. */
export function readRotation(reader: StateReader, publicKey: PublicKeyHex): Rotation {
  const value = reader.get("rotation", fromHex(publicKey));
  return value === undefined ? NEVER : decodeRecord(rotationCodec, value);
}

/** CBOR [key before or null, height, key after or null, replaced at] under the key. */
export function writeRotation(view: StateView, publicKey: PublicKeyHex, rotation: Rotation): void {
  view.set("rotation", fromHex(publicKey), encode(rotationCodec, rotation));
}

/** The key that a validator has now, of any key that it had. Keys never come back, so the way has an end. */
export function presentKey(reader: StateReader, publicKey: PublicKeyHex): PublicKeyHex {
  let key = publicKey;
  for (let { next } = readRotation(reader, key); next !== undefined; { next } = readRotation(reader, key)) key = next;
  return key;
}

/** The key whose bond answers for what a key has signed: for 21 days the one that took over from it, then its own. */
export function liableKey(reader: StateReader, publicKey: PublicKeyHex, nowS: number): PublicKeyHex {
  const { next, replacedAt } = readRotation(reader, publicKey);
  return next === undefined || nowS >= replacedAt + UNBONDING_S ? publicKey : presentKey(reader, next);
}
