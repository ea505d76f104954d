// Asks for the state of a group that this device may have an older one of: until it comes, nothing is sent there.
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import { newId } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { Change } from "./change.ts";

/** Asks its owner, its admins and one's own other devices. People may have been removed since. */
export function askForGroup({ clock, random, account }: EngineContext, change: Change, conversation: ConversationId): void {
  const id = groupOf(conversation);
  const { group } = change.conversation(conversation);
  if (id === undefined || group === undefined) return;
  const at = clock.nowMs();
  change.updateConversation(conversation, { group: { ...group, restoredAt: at } });
  const reference = { id, keeper: group.keeper };
  for (const person of new Set([group.keeper, ...(group.admins ?? []), account.masterPub]))
    change.queue(person, { kind: "group", id: newId(random), at, body: { kind: "group.ask" }, group: reference });
}
