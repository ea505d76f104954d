// Puts interpreted envelopes into the store. Every step is idempotent and no order is assumed: a receipt may come before its
// message, a message twice.
import { laterFolders } from "#shared/content/chat/folder-content.ts";
import type { MessageId, SyncReadBody } from "#shared/content/content.ts";
import type { GroupId } from "#shared/content/group-content.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { assertNever } from "#shared/util/assert.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { Change } from "../changes/change.ts";
import { beginTimes } from "../changes/chats/begin-time.ts";
import { byAuthor, chunks } from "../changes/chats/receipts.ts";
import { storeChatFlags } from "../changes/chats/store-chat-flags.ts";
import type { PairContext } from "../changes/pairs/pair-context.ts";
import { storeName } from "../changes/profiles.ts";
import { groupOf } from "../model/conversation-id.ts";
import { begunAt } from "../model/progress/message-time.ts";
import { advanceState, withReached } from "../model/progress/outgoing-state.ts";
import type { MessageRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { addIncoming, applyAmendment, applySent } from "./apply-message.ts";
import { applyResend, noteOrigin } from "./apply-streams.ts";
import type { IncomingEvent, IncomingMessage, ReceivedEvent } from "./interpret-envelope.ts";

/** Loaded with the first content of a group. */
const groupsReceiving = loadedLate(() => import("./apply-group.ts"));

type IncomingContext = PairContext & Pick<EngineContext, "streams" | "mailboxTime" | "settings" | "cover" | "undoable" | "slower">;

/** Applies everything of one page and queues the delivery receipts that it calls for. */
export async function applyIncoming(context: IncomingContext, change: Change, items: readonly ReceivedEvent[]): Promise<void> {
  const arrived: IncomingMessage[] = [];
  await change.batch.expect(items.flatMap(({ event }) => (event.kind === "message" ? [event] : [])));
  for (const item of items) {
    await noteSource(context, change, item);
    const { event, origin } = item;
    if (event.kind === "resend") await applyResend(context, change, { id: event.id, resend: event.resend, origin });
    else if (event.kind === "group") arrived.push(...(await (await groupsReceiving()).applyGroup(context, change, event)));
    else if (event.kind !== "message") await applySignal(context, change, event);
    else if (await addIncoming(context, change, event)) arrived.push(event);
  }
  await queueReceipts(context, change, arrived);
}

/** Takes what the chain says of the owner of a group, and what has waited for that. */
export async function applyOwner(
  context: IncomingContext,
  change: Change,
  passed: { readonly group: GroupId; readonly transfer: OwnerTransfer },
): Promise<void> {
  const { applyTransfer } = await import("./apply-log.ts");
  if (!(await applyTransfer(context, change, passed))) return;
  const { release } = await groupsReceiving();
  await queueReceipts(context, change, await release(context, change, { group: { id: passed.group } }));
}

async function queueReceipts(context: IncomingContext, change: Change, arrived: readonly IncomingMessage[]): Promise<void> {
  if (arrived.length === 0) return;
  const { queueReceipt } = await import("../changes/chats/queue-receipt.ts");
  for (const [author, ids] of byAuthor(arrived.filter(({ conversation }) => !change.isStranger(conversation))))
    for (const some of chunks(ids)) queueReceipt(context, change, author, { kind: "receipt", status: "delivered", ids: some });
}

/** What an envelope means for the chains of the device that sent it. */
async function noteSource(context: IncomingContext, change: Change, { origin, pair }: ReceivedEvent): Promise<void> {
  if (origin !== undefined) await noteOrigin(context, change, origin);
  if (pair === undefined) return;
  const { applyPair } = await import("../changes/pairs/apply-pair.ts");
  await applyPair(context, change, pair);
}

async function applySignal(
  context: IncomingContext,
  change: Change,
  item: Exclude<IncomingEvent, IncomingMessage | { readonly kind: "resend" | "group" }>,
): Promise<void> {
  switch (item.kind) {
    case "receipt":
      for (const id of item.receipt.ids) await applyReceipt(context, change, { from: item.from, id, status: item.receipt.status });
      return;
    case "amendment":
      return applyAmendment(context, change, { conversation: item.peer, amendment: item.amendment });
    case "profile":
      storeName(change, item.from, item.chosen);
      if (item.picture !== undefined)
        await (await import("../changes/chats/profile-pictures.ts")).storePicture(change, item.from, item.picture);
      return;
    case "chunk":
      return (await import("../changes/files/take-chunk.ts")).applyChunk(context, change, item);
    case "fileAsk":
      return (await import("../changes/files/file-requests.ts")).applyFileAsk(context, change, item);
    case "fileGone":
      return (await import("../changes/files/file-requests.ts")).applyFileGone(context, change, item);
    case "fileGot":
      return (await import("../changes/files/file-requests.ts")).applyFileGot(change, item);
    case "sent":
      return applySent(context, change, { ...item, conversation: item.sent.peer });
    case "read":
      return markReadByOtherDevice(context, change, item);
    case "chat":
      return storeChatFlags(change, item.chat.peer, { flags: item.chat, at: item.at });
    case "folders":
      return change.putFolders(laterFolders(change.folders, item.record));
    case "notes":
      return (await import("../changes/chats/store-notes.ts")).storeNotes(context, change, item);
    case "sticker":
      return (await import("../changes/chats/stored-stickers.ts")).storeSticker(context, change, item);
    case "join":
      return (await import("./joining/apply-join.ts")).applyJoin(context, change, item);
    case "asked":
      return (await import("./joining/asked-groups.ts")).noteAsked(context, change, item.request);
    case "refusal":
      return (await import("./joining/asked-groups.ts")).takeRefusal(context, change, item);
    case "askingEnded":
      return (await import("./joining/asked-groups.ts")).endAsked(context, change, item);
    case "mark":
    case "blocked":
    case "dropped":
      return;
    default:
      assertNever(item);
  }
}

interface SingleReceipt {
  readonly from: PublicKeyHex;
  readonly id: MessageId;
  readonly status: "delivered" | "read";
}

/** Only the person a message was sent to can say what became of it. */
async function applyReceipt(
  { account, store, clock, outbox, slower }: IncomingContext,
  change: Change,
  { from, id, status }: SingleReceipt,
): Promise<void> {
  const key = await store.messageKey(account.masterPub, id);
  const message = await change.batch.message(key);
  if (message === undefined) {
    if (change.isKnown(from) && !(await change.isGone(key)))
      await change.batch.putEarly(["receipt", from, id], { at: clock.nowMs(), state: status });
    return;
  }
  const isRecipient = message.conversation === from || groupOf(message.conversation) !== undefined;
  const advanced = isRecipient ? advanceState(message, from, status) : undefined;
  if (advanced === undefined) return;
  change.updateMessage(key, withReached(advanced, status, clock.nowMs()));
  // It may have been sealed again for a device that came back: nothing in the outbox was handed in then.
  await beginTimes({ outbox, slower }, change, [key]);
}

async function markReadByOtherDevice(
  { store, clock, slower }: IncomingContext,
  change: Change,
  { read: { peer, ids }, at }: { readonly read: SyncReadBody; readonly at: number },
): Promise<void> {
  for (const id of ids) {
    const key = await store.messageKey(peer, id);
    const message = await change.batch.message(key);
    if (message?.isUnread === true) markRead(change, { key, record: message }, begunAt(slower.now(), Math.max(0, clock.nowMs() - at)));
    else if (message === undefined && !(await change.isGone(key)))
      await change.batch.putEarly(["mark", peer, id], { at: clock.nowMs(), state: "read" });
  }
}

/** Makes an unread message a read one; the time until it disappears begins, at the moment `begun`. */
export function markRead(
  change: Change,
  { key, record }: { readonly key: string; readonly record: MessageRecord },
  begun: ReturnType<typeof begunAt>,
): void {
  const { expiry } = record;
  const started = expiry?.startedAt === null ? { expiry: { ...expiry, ...begun } } : {};
  change.updateMessage(key, { ...record, isUnread: false, ...started });
  const { unread } = change.conversation(record.conversation);
  change.updateConversation(record.conversation, { unread: Math.max(0, unread - 1) });
}
