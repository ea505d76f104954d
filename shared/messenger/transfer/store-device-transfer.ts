// Notes in the store of a device that was just linked what it is to take over, and under which key: from then on it may be closed at any
// time. Before its vault that key cannot be stored.
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { toHex } from "#shared/util/bytes.ts";
import { DEVICE_TRANSFER_KEY } from "../model/records.ts";
import { openLocalStore } from "../store/local-store.ts";
import type { OpenDatabase } from "../store/store-database.ts";
import type { Receiving } from "./device-transfer.ts";

/** Call before the messenger starts: it then continues automatically. @throws CodedError LOCAL_STORE_FAILED. */
export async function storeDeviceTransfer(keys: StoreKeys<CryptoKey>, session: Uint8Array, openDatabase: OpenDatabase): Promise<void> {
  const store = await openLocalStore({ keys, openDatabase, onLost: () => undefined });
  try {
    const record: Receiving = { role: "receiving", session: toHex(session), after: "", done: 0, total: 0 };
    const batch = store.begin();
    batch.putMeta(DEVICE_TRANSFER_KEY, record);
    await batch.commit();
  } finally {
    store.close();
  }
}
