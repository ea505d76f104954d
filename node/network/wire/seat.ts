// Which node sends and receives for a validator whose key is in a signer: the node's peer id is then not of the validator's key.
import type { TypeOf } from "#shared/codec/codec.ts";
import { record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { fromHex } from "#shared/util/bytes.ts";

/** [validator key, node key, unix seconds] */
export const seatCodec = record({
  validator: hex(32),
  node: hex(32),
  /** Of two seats of a validator the later one counts. */
  sinceSec: integer(),
});

/** What a validator says of the node that acts for it. */
export type Seat = TypeOf<typeof seatCodec>;

/** A seat with the validator's signature. The node consents by announcing it under its own key. */
export interface SignedSeat {
  readonly validator: PublicKeyHex;
  readonly sinceSec: number;
  readonly signature: Uint8Array;
}

/** Bytes that a validator signs for its seat: domain `parley-seat` over [validator key, node key, unix seconds]. */
export function seatSignBytes(chainId: string, { validator, node, sinceSec }: Seat): Uint8Array {
  return domainBytes("seat", chainId, [fromHex(validator), fromHex(node), sinceSec]);
}
