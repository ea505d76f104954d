// Records of payment channels. A closed channel stays on record, so that its id, and with it an old voucher, never counts again.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import { encodeCbor } from "#shared/protocol/cbor.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { hex32Of, integerOf, recordFields } from "./record-fields.ts";
import type { StateReader, StateView } from "./state-view.ts";

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

/** A channel, or undefined when its id was never used. */
export function readChannel(reader: StateReader, id: string): Channel | undefined {
  const value = reader.get("channel", fromHex(id));
  if (value === undefined) return undefined;
  const [payer, payee, deposit, expiresAt, paid] = recordFields(value, 5);
  return {
    id,
    payerPub: hex32Of(payer),
    payeePub: hex32Of(payee),
    depositUt: integerOf(deposit),
    expiresAt: integerOf(expiresAt),
    paidUt: paid === null ? undefined : integerOf(paid),
  };
}

/** CBOR [payer, payee, deposit, expires at, paid or null] under the id. */
export function writeChannel(view: StateView, channel: Channel): void {
  const { id, payerPub, payeePub, depositUt, expiresAt, paidUt } = channel;
  view.set("channel", fromHex(id), encodeCbor([fromHex(payerPub), fromHex(payeePub), depositUt, expiresAt, paidUt ?? null]));
}
