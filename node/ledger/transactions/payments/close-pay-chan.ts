// CLOSE_PAY_CHAN: ends a payment channel with the other party, who is `to`. The payee closes at any time with the payer's latest
// voucher; the payer alone after the expiry, for any amount. What is not paid goes back to the payer.
import { voucherSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import { credit } from "../../records/balance.ts";
import { type Channel, readChannel, writeChannel } from "../../records/channel-records.ts";
import { amountField, hexField, optional, signatureField } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";
import { CHANNEL_ID_BYTES } from "./open-pay-chan.ts";

export const closePayChan: TransactionRule<"CLOSE_PAY_CHAN"> = {
  recipient: "another",
  minimumAmountUt: "none",
  fields: { channel_id: hexField(CHANNEL_ID_BYTES, "an id"), paid_ut: amountField(), voucher_sig: optional(signatureField()) },
  signatures: (tx, { channel_id, paid_ut, voucher_sig }, chainId) =>
    voucher_sig === undefined
      ? []
      : [{ signature: fromBase64(voucher_sig), message: voucherSignBytes(chainId, channel_id, paid_ut), publicKey: fromHex(tx.to) }],
  failure: (state, tx, payload, context): FailureCode | undefined => {
    const channel = readChannel(state, payload.channel_id);
    const role = channel === undefined ? undefined : roleOf(tx, channel);
    if (channel === undefined || channel.paidUt !== undefined || role === undefined) return "CHANNEL_NOT_FOUND";
    if (payload.paid_ut > channel.depositUt) return "CHANNEL_OVERDRAWN";
    if (role === "payee") return payload.paid_ut > 0 && payload.voucher_sig === undefined ? "CHANNEL_VOUCHER_MISSING" : undefined;
    return blockSeconds(context) < channel.expiresAt ? "CHANNEL_NOT_EXPIRED" : undefined;
  },
  apply: (view, _tx, payload) => {
    const channel = readChannel(view, payload.channel_id);
    assertInvariant(channel !== undefined, "A channel disappeared between check and change");
    credit(view, channel.payeePub, payload.paid_ut);
    credit(view, channel.payerPub, channel.depositUt - payload.paid_ut);
    writeChannel(view, { ...channel, paidUt: payload.paid_ut });
  },
};

function roleOf({ from, to }: Pick<Transaction, "from" | "to">, { payerPub, payeePub }: Channel): "payer" | "payee" | undefined {
  if (from === payeePub && to === payerPub) return "payee";
  return from === payerPub && to === payeePub ? "payer" : undefined;
}
