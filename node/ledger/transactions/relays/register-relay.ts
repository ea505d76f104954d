// REGISTER_RELAY: a node offers to relay envelopes. A repeat replaces what it announced before.
import { MAX_MULTIADDR_BYTES } from "#shared/protocol/primitives/limits.ts";
import { isPrintable } from "#shared/protocol/primitives/printable.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { writeRelay } from "../../records/node-records.ts";
import { amountField, checkedField, optional, x25519KeyField } from "../payload-fields.ts";
import type { TransactionRule } from "../transaction-rule.ts";

const multiaddrField = checkedField(
  `printable text of at most ${MAX_MULTIADDR_BYTES} bytes that begins with /`,
  (text) => text.startsWith("/") && utf8(text).length <= MAX_MULTIADDR_BYTES && isPrintable(text),
);

export const registerRelay: TransactionRule<"REGISTER_RELAY"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: { x25519_pub_key: x25519KeyField("any case"), fee_per_msg_ut: amountField(), multiaddr: optional(multiaddrField) },
  apply: (view, tx, payload) => {
    writeRelay(view, {
      publicKey: tx.from,
      x25519Pub: payload.x25519_pub_key,
      feePerMessageUt: payload.fee_per_msg_ut,
      multiaddr: payload.multiaddr ?? "",
    });
  },
};
