// Puts interpreted envelopes into the store. Every step is idempotent and no order is assumed: a receipt may come before its
// message, a message twice.
import type { MessageId, SyncReadBody, SyncSentBody } from "#shared/content/content.ts";
import { MAX_RECEIPT_IDS } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { assertNever } from "#shared/util/assert.ts";
import { type Change, isWithPerson } from "./change.ts";
import type { EngineContext } from "./engine-context.ts";
import type { IncomingMessage, Interpretation } from "./interpret-envelope.ts";
import type { OutgoingState } from "./messenger.ts";
import { advanceState } from "./outbox.ts";
import type { MessageRecord } from "./records.ts";

type IncomingContext = Pick<EngineContext, "account" | "store" | "clock">;

/** Applies everything of one page and queues the delivery receipts that it calls for. */
export async function applyIncoming(context: IncomingContext, change: Change, items: readonly Interpretation[]): Promise<void> {
  const arrived = new Map<PublicKeyHex, MessageId[]>();
  for (const item of items) {
    if (item.kind !== "message") await applySignal(context, change, item);
    else if (await addIncoming(context, change, item)) arrived.set(item.author, [...(arrived.get(item.author) ?? []), item.id]);
  }
  for (const [peer, ids] of arrived) {
    if (change.isStranger(peer)) continue;
    for (const some of chunks(ids)) change.queue(peer, { kind: "receipt", status: "delivered", ids: some });
  }
}

/** Ids in groups that fit in one receipt. */
export function chunks(ids: readonly MessageId[]): readonly (readonly MessageId[])[] {
  const groups: MessageId[][] = [];
  for (let start = 0; start < ids.length; start += MAX_RECEIPT_IDS) groups.push(ids.slice(start, start + MAX_RECEIPT_IDS));
  return groups;
}

async function applySignal(context: IncomingContext, change: Change, item: Exclude<Interpretation, IncomingMessage>): Promise<void> {
  switch (item.kind) {
    case "receipt":
      for (const id of item.receipt.ids) await applyReceipt(context, change, { from: item.from, id, status: item.receipt.status });
      return;
    case "sent":
      return addSentElsewhere(context, change, item.sent);
    case "read":
      return markReadElsewhere(context, change, item.read);
    case "blocked":
    case "dropped":
      return;
    default:
      assertNever(item);
  }
}

/** Adds a message of somebody else; true when it is new and its author gets a receipt. */
async function addIncoming({ account, store, clock }: IncomingContext, change: Change, item: IncomingMessage): Promise<boolean> {
  const key = await store.messageKey(item.author, item.id);
  if (await change.batch.hasSeen(key)) return false;
  const isOwn = item.author === account.masterPub;
  const readEarly = (await change.batch.takeEarly(["mark", item.author, item.id])) === "read";
  const nowMs = clock.nowMs();
  change.addMessage(key, {
    conversation: item.conversation,
    id: item.id,
    direction: isOwn ? "out" : "in",
    at: arrivalTime(item.at, nowMs, change.conversation(item.conversation).lastMessage?.at ?? 0),
    body: item.body,
    state: isOwn ? "delivered" : null,
    problem: null,
    isUnread: !isOwn && !readEarly,
    hasReceipts: item.hasReceipts,
    raw: item.raw,
  });
  return item.hasReceipts && isWithPerson(item.conversation, account.masterPub);
}

/**
 * The sender's time, unless there is none or it lies in the future: then the moment of arrival, after what is there already.
 * Other programs state whole seconds: within one second the order of arrival holds.
 */
function arrivalTime(claimedMs: number, nowMs: number, lastMs: number): number {
  if (claimedMs <= 0 || claimedMs > nowMs) return Math.max(nowMs, lastMs + 1);
  return claimedMs % 1000 === 0 && lastMs - (lastMs % 1000) === claimedMs ? lastMs + 1 : claimedMs;
}

interface SingleReceipt {
  readonly from: PublicKeyHex;
  readonly id: MessageId;
  readonly status: "delivered" | "read";
}

/** Only the person a message was sent to can say what became of it. */
async function applyReceipt(
  { account, store, clock }: IncomingContext,
  change: Change,
  { from, id, status }: SingleReceipt,
): Promise<void> {
  const key = await store.messageKey(account.masterPub, id);
  const message = await change.batch.message(key);
  if (message === undefined) {
    if (!change.isStranger(from) && !(await change.batch.hasSeen(key)))
      await change.batch.putEarly(["receipt", from, id], { at: clock.nowMs(), state: status });
    return;
  }
  const advanced = message.conversation === from ? advanceState(message, status) : undefined;
  if (advanced !== undefined) change.updateMessage(key, advanced);
}

async function addSentElsewhere({ account, store, clock }: IncomingContext, change: Change, sent: SyncSentBody): Promise<void> {
  const key = await store.messageKey(account.masterPub, sent.id);
  if (await change.batch.hasSeen(key)) return;
  const early: OutgoingState | undefined = await change.batch.takeEarly(["receipt", sent.peer, sent.id]);
  const record: MessageRecord = {
    conversation: sent.peer,
    id: sent.id,
    direction: "out",
    at: arrivalTime(sent.at, clock.nowMs(), change.conversation(sent.peer).lastMessage?.at ?? 0),
    body: sent.body,
    state: early ?? (sent.peer === account.masterPub ? "delivered" : "relayed"),
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
  };
  change.addMessage(key, record);
}

async function markReadElsewhere({ store, clock }: IncomingContext, change: Change, { peer, ids }: SyncReadBody): Promise<void> {
  for (const id of ids) {
    const key = await store.messageKey(peer, id);
    const message = await change.batch.message(key);
    if (message?.isUnread === true) markRead(change, key, message);
    else if (message === undefined && !(await change.batch.hasSeen(key)))
      await change.batch.putEarly(["mark", peer, id], { at: clock.nowMs(), state: "read" });
  }
}

/** Makes an unread message a read one. */
export function markRead(change: Change, key: string, message: MessageRecord): void {
  change.updateMessage(key, { ...message, isUnread: false });
  const { unread } = change.conversation(message.conversation);
  change.updateConversation(message.conversation, { unread: Math.max(0, unread - 1) });
}
