// LINK_DEVICE: adds a device's X25519 key to the identity of the master key that signs.
import { MAX_DEVICE_NAME_BYTES, MAX_DEVICES } from "#shared/protocol/primitives/limits.ts";
import { addDevice, readDevice, readDevices } from "../../records/records.ts";
import { nameField, x25519KeyField } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";

export const linkDevice: TransactionRule<"LINK_DEVICE"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: { x25519_pub_key: x25519KeyField("lower case"), device_name: nameField(MAX_DEVICE_NAME_BYTES) },
  failure: (state, tx, payload) => {
    const device = readDevice(state, payload.x25519_pub_key);
    if (device !== undefined) return device.masterPub === tx.from ? "DEVICE_ALREADY_ACTIVE" : "KEY_IN_USE";
    return readDevices(state, tx.from).length >= MAX_DEVICES ? "DEVICE_LIMIT" : undefined;
  },
  apply: (view, tx, payload, context) => {
    addDevice(view, {
      masterPub: tx.from,
      x25519Pub: payload.x25519_pub_key,
      name: payload.device_name,
      addedAt: blockSeconds(context),
    });
  },
};
