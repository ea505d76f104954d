// BIND_WALLET: a node directs its earnings to a wallet that has agreed to it. Binding to the node's own key ends a binding.
import { walletSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import { writeWallet } from "../../records/node-records.ts";
import { hexField, signatureField } from "../payload-fields.ts";
import type { TransactionRule } from "../transaction-rule.ts";

export const bindWallet: TransactionRule<"BIND_WALLET"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: { wallet_pub: hexField(32, "an Ed25519 key"), wallet_sig: signatureField() },
  keys: (payload) => [payload.wallet_pub],
  signatures: (tx, payload, chainId) => [
    { signature: fromBase64(payload.wallet_sig), message: walletSignBytes(chainId, tx.from), publicKey: fromHex(payload.wallet_pub) },
  ],
  apply: (view, tx, payload) => {
    writeWallet(view, tx.from, payload.wallet_pub);
    return { concerns: [payload.wallet_pub] };
  },
};
