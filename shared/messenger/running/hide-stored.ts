// Messages that disappear lie under day keys. Those that an earlier version stored are put there once.
import { Change } from "../changes/change.ts";
import { authorOf } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Key of how far that came: the last message, or true at its end. */
const HIDDEN_KEY = "messages hidden";
/** Messages of one step: nothing else is written meanwhile. */
const STEP = 128;

/** Goes through the messages from where it was interrupted. @throws CodedError LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE, KEYRING_LOCKED. */
export async function hideStored(context: EngineContext): Promise<void> {
  while (!(await context.writer.run(() => hideSome(context))));
}

/** True at the end. */
async function hideSome(context: EngineContext): Promise<boolean> {
  const { store, account, registry } = context;
  const done = await store.readMeta<string | true>(HIDDEN_KEY);
  if (done === true) return true;
  const { records, last } = await store.readAll(done, STEP);
  const change = new Change(context);
  for (const record of records) {
    if (record.expiry === undefined) continue;
    change.updateMessage(await store.messageKey(authorOf(record, account.masterPub), record.id), record);
  }
  // With the last message and the draft as they are.
  if (done === undefined) for (const { id, timer } of registry.all) if (timer !== undefined) change.updateConversation(id, {});
  change.batch.putMeta(HIDDEN_KEY, last ?? true);
  await change.commit();
  return last === undefined;
}
