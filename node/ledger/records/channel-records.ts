// Records of payment channels. A closed channel stays on record, so that its id, and with it an old voucher, never counts again.
import { encode } from "#shared/codec/codec.ts";
import { optional, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

/** A one-way payment channel. */
export interface Channel {
  /** 32 lower-case hex characters. */
  readonly id: string;
  readonly payerPub: PublicKeyHex;
  readonly payeePub: PublicKeyHex;
  readonly depositUt: AmountUt;
  /** Unix seconds from which the payer can close it alone. */
  readonly expiresAt: number;
  /** µT that the payee got; undefined while the channel is open. */
  readonly paidUt: AmountUt | undefined;
}

const channelCodec = record({
  payerPub: hex(32),
  payeePub: hex(32),
  depositUt: integer(),
  expiresAt: integer(),
  paidUt: optional(integer()),
});

/** A channel, or undefined when its id was never used. */
export function readChannel(reader: StateReader, id: string): Channel | undefined {
  const value = reader.get("channel", fromHex(id));
  return value === undefined ? undefined : { id, ...decodeRecord(channelCodec, value) };
}

/** CBOR [payer, payee, deposit, expires at, paid or null] under the id. */
export function writeChannel(view: StateView, channel: Channel): void {
  view.set("channel", fromHex(channel.id), encode(channelCodec, channel));
}
