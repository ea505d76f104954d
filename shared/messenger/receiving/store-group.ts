// Puts a group and what is said of its change into a change of the store.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Change } from "../changes/change.ts";
import type { GroupLine } from "../model/group-lines.ts";
import { type GroupRecord, mayChange, rightsIn, withLearned } from "../model/group-state.ts";
import { type ConversationId, GROUP_CREATED } from "../model/message.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { arrivalTime } from "./apply-message.ts";

/** Clocks of two people may be so far apart. */
const CLOCKS_APART_MS = 3_600_000;

/** A group with what is said of its change. */
export interface ChangedGroup {
  readonly conversation: ConversationId;
  readonly group: GroupRecord;
  readonly lines: readonly GroupLine[];
}

/** Stores a group, and its lines as far as they are not there. */
export async function storeGroup(
  { account, store, clock }: Pick<EngineContext, "account" | "store" | "clock">,
  change: Change,
  { conversation, group, lines }: ChangedGroup,
): Promise<void> {
  change.updateConversation(conversation, { group: withLearned(group, clock.nowMs()) });
  for (const { id, at, body } of lines) {
    const key = await store.messageKey(conversation, id);
    if (await change.batch.hasSeen(key)) continue;
    const isInvitation = body.event === "added" && body.person === account.masterPub;
    const isFirst = body.event === GROUP_CREATED && body.person !== account.masterPub;
    change.addMessage(key, {
      conversation,
      id,
      direction: "in",
      author: conversation,
      at: arrivalTime({ at, id, hasReceipts: true }, clock.nowMs(), change.conversation(conversation).lastMessage?.at ?? 0),
      body,
      state: null,
      problem: null,
      isUnread: isInvitation || isFirst,
      hasReceipts: false,
      raw: null,
    });
  }
}

/**
 * A group that was told of by its owner, or by an own device, after it came back with a backup, or shortly before: it is as they have it
 * now. An admin may have been removed since, so only where the owner cannot say it, having left or being oneself, admins can.
 */
export function confirmed(
  group: GroupRecord,
  { from, at, me }: { readonly from: PublicKeyHex; readonly at: number; readonly me: PublicKeyHex },
): GroupRecord {
  const { restoredAt, ...rest } = group;
  const { owner } = rightsIn(group);
  const isTrusted = from === me || from === owner || ((owner === null || owner === me) && mayChange(group, from));
  return restoredAt !== undefined && isTrusted && at + CLOCKS_APART_MS >= restoredAt ? rest : group;
}
