// Records of payment channels. A closed channel stays on record, so that its id, and with it an old voucher, never counts again.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { optional, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const channelCodec = record({
  payerPub: hex(32),
  payeePub: hex(32),
  depositUt: integer(),
  /** Unix seconds from which the payer can close it alone. */
  expiresAt: integer(),
  /** µT that the payee got; undefined while the channel is open. */
  paidUt: optional(integer()),
});

/** A one-way payment channel; its id has 32 lower-case hex characters. */
export type Channel = { readonly id: string } & TypeOf<typeof channelCodec>;

/** A channel, or undefined when its id was never used. */
export function readChannel(reader: StateReader, id: string): Channel | undefined {
  const value = reader.get("channel", fromHex(id));
  return value === undefined ? undefined : { id, ...decodeRecord(channelCodec, value) };
}

/** CBOR [payer, payee, deposit, expires at, paid or null] under the id. */
export function writeChannel(view: StateView, channel: Channel): void {
  view.set("channel", fromHex(channel.id), encode(channelCodec, channel));
}
