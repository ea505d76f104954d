// How requests for money and what answers them are written and read.
import type { Codec } from "#shared/codec/codec.ts";
import { list, refined } from "#shared/codec/composites.ts";
import { absentAs, defaultsTo, keyed, map, omissible } from "#shared/codec/maps.ts";
import { integer } from "#shared/codec/scalars.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { id, key, reference, typedText } from "../content-fields.ts";
import {
  addUp,
  MAX_NOTE_BYTES,
  MAX_PAY_DUE_MS,
  MAX_PAY_LINE_BYTES,
  MAX_PAY_LINES,
  MAX_PAY_NUMBER_BYTES,
  MAX_SHARES,
  MIN_SHARES,
  type PayCloseBody,
  type PayReceiptBody,
  type PayRequestBody,
  type PayShareBody,
  type PaySplitBody,
} from "../pay-content.ts";

const amountUt = keyed("amount", integer(1));
const line = map({ text: typedText(MAX_PAY_LINE_BYTES, 1), amountUt });

export const payRequest: Codec<Omit<PayRequestBody, "kind">> = refined(
  map({
    amountUt,
    note: defaultsTo(typedText(MAX_NOTE_BYTES), ""),
    due: omissible(integer(1, MAX_PAY_DUE_MS)),
    number: omissible(typedText(MAX_PAY_NUMBER_BYTES, 1)),
    lines: omissible(list(line, MAX_PAY_LINES, 1)),
  }),
  ({ lines, amountUt: sumUt }) => lines === undefined || addUp(lines, sumUt),
  "lines that add up to the amount of their request",
);

export const payReceipt: Codec<Omit<PayReceiptBody, "kind">> = map({
  txId: keyed("tx", typedText(MAX_TX_ID_CHARS, 1)),
  amountUt,
  request: absentAs(id, null),
  note: omissible(typedText(MAX_NOTE_BYTES, 1)),
});

const share = map({ person: key, amountUt });

export const paySplit: Codec<Omit<PaySplitBody, "kind">> = refined(
  map({ amountUt, note: defaultsTo(typedText(MAX_NOTE_BYTES), ""), shares: list(share, MAX_SHARES, MIN_SHARES) }),
  ({ shares, amountUt: sumUt }) => addUp(shares, sumUt) && new Set(shares.map(({ person }) => person)).size === shares.length,
  "shares of different people that add up to the amount",
);

export const payShare: Codec<Omit<PayShareBody, "kind">> = map({ to: reference, txId: keyed("tx", typedText(MAX_TX_ID_CHARS, 1)) });

export const payClose: Codec<Omit<PayCloseBody, "kind">> = map({ to: reference });
