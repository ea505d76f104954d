// REGISTER_KEY: publishes the identity's X25519 key and nickname, replacing the earlier ones.
import { MAX_NICKNAME_BYTES } from "#shared/protocol/primitives/limits.ts";
import { readDevice, writeIdentity } from "../../records/records.ts";
import { nameField, optional, x25519KeyField } from "../payload-fields.ts";
import type { TransactionRule } from "../transaction-rule.ts";

export const registerKey: TransactionRule<"REGISTER_KEY"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: { x25519_pub_key: x25519KeyField("any case"), nickname: optional(nameField(MAX_NICKNAME_BYTES)) },
  failure: (state, tx, payload) => {
    const device = readDevice(state, payload.x25519_pub_key);
    return device === undefined || device.masterPub === tx.from ? undefined : "KEY_IN_USE";
  },
  apply: (view, tx, payload) => {
    writeIdentity(view, tx.from, { x25519Pub: payload.x25519_pub_key, nickname: payload.nickname ?? "" });
  },
};
