// What a device has stored of a group: its log, as the messenger opens it.
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { openLog } from "#shared/messenger/changes/group-log/log-record.ts";
import type { ConversationRecord } from "#shared/messenger/model/records.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import type { GroupLog } from "#shared/protocol/groups/group-log.ts";
import type { TestDevice } from "./messenger-world.ts";

/** The log of a group on a device; undefined where it has none. */
export async function logOn(device: TestDevice, id: string): Promise<GroupLog | undefined> {
  const keys = await device.client.storeKeys();
  const database = await openMessageDatabase(keys.name, () => undefined);
  const rows = await database.list("conversations");
  database.close();
  const cipher = await createRecordCipher(keys);
  const records = await Promise.all(
    rows.map(async ({ key, sealed }) => (await cipher.open(`conversation ${key}`, sealed)) as ConversationRecord),
  );
  const log = records.find((record) => record.id === id)?.group?.log;
  return log && openLog(log);
}
