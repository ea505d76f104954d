// Answers that an earlier version stored repeat words of messages whatever became of those: they are gone through once.
import { Change } from "../changes/change.ts";
import { tied } from "../changes/chats/answers.ts";
import { tiedTo } from "../model/body-traits.ts";
import { authorOf } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Key of how far that came: the last message, or true at its end. */
const TIED_KEY = "answers tied";
/** Messages of one step: nothing else is written meanwhile. */
const STEP = 128;

/** Goes through the messages from where it was interrupted. @throws CodedError LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE. */
export async function tieAnswers(context: EngineContext): Promise<void> {
  while (!(await context.writer.run(() => tieSome(context))));
}

/** True at the end. */
async function tieSome(context: EngineContext): Promise<boolean> {
  const { store, account } = context;
  const done = await store.readMeta<string | true>(TIED_KEY);
  if (done === true) return true;
  const { records, last } = await store.readAll(done, STEP);
  const change = new Change(context);
  for (const record of records) {
    if (tiedTo(record) === undefined) continue;
    const key = await store.messageKey(authorOf(record, account.masterPub), record.id);
    change.updateMessage(key, await tied(context, change, { key, record }));
  }
  change.batch.putMeta(TIED_KEY, last ?? true);
  await change.commit();
  return last === undefined;
}
