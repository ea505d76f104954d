// Notes with one's own message that it left for a device without a card: a later thief of that device can open what was recorded on the way.
// That stays with the message, whatever the device shows later. Loaded with the first such message.
import type { MessageKey } from "../../model/message.ts";
import type { OutboxTask, SendTask } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";

type NoteContext = Pick<EngineContext, "account" | "store">;

/** Notes it with the message whose words or file a task has; nothing for what has neither. */
export async function noteOpenToTheft(context: NoteContext, change: Change, task: OutboxTask): Promise<void> {
  const key = await messageOf(context, task.kind === "again" ? task.sent.task : task);
  if (key !== undefined) await noteOpenMessage(change, key);
}

/** The same by the key of the message. */
export async function noteOpenMessage(change: Change, key: MessageKey): Promise<void> {
  const message = await change.batch.message(key);
  if (message !== undefined && message.isOpenToTheft !== true) change.updateMessage(key, { ...message, isOpenToTheft: true });
}

async function messageOf({ account, store }: NoteContext, task: SendTask | Exclude<OutboxTask, SendTask>): Promise<MessageKey | undefined> {
  if (task.kind === "message" || task.kind === "chunk") return task.key;
  if (task.kind !== "amendment" || task.body.kind !== "edit") return undefined;
  return store.messageKey(account.masterPub, task.body.id);
}
