// UNLINK_DEVICE: revokes a device of the identity that signs. The key may be linked again later.
import { assertInvariant } from "#shared/util/assert.ts";
import { readDevice, removeDevice } from "../../records/records.ts";
import { x25519KeyField } from "../payload-fields.ts";
import type { TransactionRule } from "../transaction-rule.ts";

export const unlinkDevice: TransactionRule<"UNLINK_DEVICE"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: { x25519_pub_key: x25519KeyField("any case") },
  failure: (state, tx, payload) => (readDevice(state, payload.x25519_pub_key)?.masterPub === tx.from ? undefined : "DEVICE_NOT_ACTIVE"),
  apply: (view, _tx, payload) => {
    const device = readDevice(view, payload.x25519_pub_key);
    assertInvariant(device !== undefined, "A device disappeared between check and change");
    removeDevice(view, device);
  },
};
