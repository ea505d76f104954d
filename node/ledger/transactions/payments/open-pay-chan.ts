// OPEN_PAY_CHAN: locks a deposit from which `to` is paid by vouchers, off the chain, until either side closes the channel.

import { MAX_CHANNEL_S } from "#shared/protocol/primitives/limits.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { debit } from "../../records/balance.ts";
import { readChannel, writeChannel } from "../../records/channel-records.ts";
import { hexField, integerField } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";

export const CHANNEL_ID_BYTES = 16;

export const openPayChan: TransactionRule<"OPEN_PAY_CHAN"> = {
  recipient: "another",
  minimumAmountUt: 1,
  fields: { channel_id: hexField(CHANNEL_ID_BYTES, "an id"), expires_at: integerField(0, Number.MAX_SAFE_INTEGER) },
  failure: (state, _tx, payload, context): FailureCode | undefined => {
    if (readChannel(state, payload.channel_id) !== undefined) return "CHANNEL_EXISTS";
    const lifeS = payload.expires_at - blockSeconds(context);
    return lifeS <= 0 || lifeS > MAX_CHANNEL_S ? "CHANNEL_EXPIRY" : undefined;
  },
  apply: (view, tx, payload) => {
    debit(view, tx.from, tx.amount);
    writeChannel(view, {
      id: payload.channel_id,
      payerPub: tx.from,
      payeePub: tx.to,
      depositUt: tx.amount,
      expiresAt: payload.expires_at,
      paidUt: undefined,
    });
  },
};
