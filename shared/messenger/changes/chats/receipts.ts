// Receipts for the authors of messages. Strangers get none; once they are known, their messages are acknowledged like those of others. They wait
// some random seconds and grow meanwhile: their time says of no message when it came or was read.
import { MAX_RECEIPT_IDS, type MessageId } from "#shared/content/content.ts";
import { groupOf } from "../../model/conversation-id.ts";
import type { ConversationId } from "../../model/message.ts";
import { authorOf, type MessageRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { type Change, isWithPerson } from "../change.ts";
import type { ReceiptQueueContext } from "./queue-receipt.ts";

/** Messages of a stranger that are acknowledged at once when they become known, the newest ones. */
export const MAX_WITHHELD_RECEIPTS = 1_024;

type ReceiptContext = Pick<EngineContext, "account" | "store" | "registry" | "settings"> & ReceiptQueueContext;

/** Ids of messages by those who wrote them. */
export function byAuthor(
  messages: readonly { readonly author: string; readonly id: MessageId }[],
): ReadonlyMap<string, readonly MessageId[]> {
  const ids = new Map<string, MessageId[]>();
  for (const { author, id } of messages) ids.set(author, [...(ids.get(author) ?? []), id]);
  return ids;
}

/** Ids in groups that fit in one receipt. */
export function chunks(ids: readonly MessageId[]): readonly (readonly MessageId[])[] {
  const groups: MessageId[][] = [];
  for (let start = 0; start < ids.length; start += MAX_RECEIPT_IDS) groups.push(ids.slice(start, start + MAX_RECEIPT_IDS));
  return groups;
}

/** Queues the receipts that were withheld while the other side were strangers: call in the change that makes them known. */
export async function queueWithheldReceipts(context: ReceiptContext, change: Change, id: ConversationId): Promise<void> {
  const { account, store, registry, settings } = context;
  if (!isWithPerson(id, account.masterPub) && groupOf(id) === undefined) return;
  const stored = await store.readPage(id, undefined, MAX_WITHHELD_RECEIPTS);
  const theirs = stored.map(({ record }) => record).filter(({ direction, hasReceipts }) => direction === "in" && hasReceipts);
  const isSeen = ({ isUnread }: MessageRecord): boolean => !isUnread && settings().sendReadReceipts;
  const { queueReceipt } = await import("./queue-receipt.ts");
  for (const status of ["delivered", "read"] as const) {
    const meant = theirs.filter((record) => isSeen(record) === (status === "read"));
    const ids = byAuthor(meant.toReversed().map((record) => ({ author: authorOf(record, account.masterPub), id: record.id })));
    for (const [author, all] of ids)
      if (!registry.isBlocked(author))
        for (const some of chunks(all)) queueReceipt(context, change, author, { kind: "receipt", status, ids: some });
  }
}
