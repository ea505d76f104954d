// What of the local store goes into a backup, and how it comes back. What is here is never changed by what comes, but folders and
// notes by later ones.
import { type FoldersRecord, laterFolders } from "#shared/content/chat/folder-content.ts";
import { NO_NOTES, type NotesRecord } from "#shared/content/chat/note-content.ts";
import { entriesOf, joinNotes } from "#shared/content/chat/note-record.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import { askForGroup } from "../changes/ask-for-group.ts";
import { ASKED_LINKS_KEY, Change, FOLDERS_KEY, NOTES_KEY } from "../changes/change.ts";
import { followAnswers, tied, untieAnswers } from "../changes/chats/answers.ts";
import { withoutPictureBytes } from "../changes/chats/group-pictures.ts";
import { putNotes } from "../changes/chats/store-notes.ts";
import { chunkBytes, chunkCount } from "../changes/files/chunk-sizes.ts";
import { countChunk, fromHistory, isLarge } from "../changes/files/files.ts";
import { isLetIn } from "../changes/group-log/log-record.ts";
import { indexPayment } from "../changes/payment-index.ts";
import { type AskedLink, joinAsked } from "../model/asked-links.ts";
import { groupConversation, groupOf } from "../model/conversation-id.ts";
import type { BackupContents, RestoredBackup } from "../model/device-transfer.ts";
import { type GroupRecord, joinedGroups } from "../model/group-state.ts";
import type { ConversationId } from "../model/message.ts";
import { isOverByBoth, type OwnAndChain } from "../model/progress/message-time.ts";
import { authorOf, type ConversationRecord, type MessageRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { joinProfiles, NO_PROFILE, PROFILE_KEY, type ProfileRecord } from "../state/profiles/profile-registry.ts";
import type { ChunkReference } from "../store/chunk-keys.ts";
import type { StoreBatch } from "../store/store-batch.ts";
import type { FilePart } from "./device-transfer-files.ts";
import { addPictures, groupPicturesAfter, type PicturePart, pictureParts, picturesAfter } from "./picture-parts.ts";
import { addStickers, type StickerPart, stickerParts } from "./sticker-parts.ts";

/** Messages in one part of the file, and in one step of restoring. */
const STEP = 500;

type HistoryConversation = Pick<ConversationRecord, "id" | "flags" | "timer" | "group">;

export type HistoryPart =
  | { readonly conversations: readonly HistoryConversation[] }
  | { readonly messages: readonly MessageRecord[] }
  /** In base64 where it has to be text. */
  | { readonly chunk: ChunkReference; readonly data: string | Uint8Array }
  /** Folders of chats come beside the names. */
  | { readonly profile: ProfileRecord; readonly folders?: FoldersRecord }
  /** Pictures of people and of groups, in base64: which ones is beside the names and in the conversations before. */
  | PicturePart
  /** One's own stickers. */
  | StickerPart
  /** Invite links by which the person has asked come beside the notes. */
  | { readonly notes: NotesRecord; readonly askedLinks?: readonly AskedLink[] }
  | { readonly app: unknown };

/** What a backup holds, part by part. Messages that disappear are left out: a file stays when they are gone. */
export async function* partsOf({ store, account }: EngineContext, { withFiles, app }: BackupContents): AsyncGenerator<HistoryPart> {
  yield { app };
  yield { profile: (await store.readMeta<ProfileRecord>(PROFILE_KEY)) ?? NO_PROFILE, ...(await foldersToTransfer(store)) };
  yield* pictureParts((position) => picturesAfter(store, account.masterPub, position));
  yield* stickerParts(store);
  const notes = await notesToTransfer(store);
  const askedLinks = await askedLinksOf(store);
  if (entriesOf(notes).length > 0 || askedLinks.length > 0) yield { notes, askedLinks };
  yield { conversations: await conversationsToTransfer(store) };
  yield* pictureParts((position) => groupPicturesAfter(store, position));
  let after: string | undefined;
  for (;;) {
    const { records, last } = await store.readAll(after, STEP);
    const kept = records.filter(({ id, held, expiry }) => id !== "" && held === undefined && expiry === undefined);
    const messages = kept.map(({ isElsewhere: _, ...record }) => record);
    if (messages.length > 0) yield { messages };
    if (withFiles) for (const record of messages) yield* chunksOf(store, record, account.masterPub);
    if (last === undefined) return;
    after = last;
  }
}

/** Folders of chats, as a field of a part; none where there never were any. */
export async function foldersToTransfer(store: EngineContext["store"]): Promise<{ readonly folders?: FoldersRecord }> {
  const folders = await store.readMeta<FoldersRecord>(FOLDERS_KEY);
  return folders === undefined ? {} : { folders };
}

/** What is noted about people and own devices. */
export async function notesToTransfer(store: EngineContext["store"]): Promise<NotesRecord> {
  return (await store.readMeta<NotesRecord>(NOTES_KEY)) ?? NO_NOTES;
}

/** Invite links by which the person has asked to be let into groups. */
export async function askedLinksOf(store: EngineContext["store"]): Promise<readonly AskedLink[]> {
  return (await store.readMeta<readonly AskedLink[]>(ASKED_LINKS_KEY)) ?? [];
}

/** What is transferred of conversations beside their messages. */
export async function conversationsToTransfer(
  store: EngineContext["store"],
): Promise<readonly Pick<ConversationRecord, "id" | "flags" | "timer" | "group">[]> {
  const conversations = await store.loadConversations();
  return conversations.map(({ id, flags, timer, group }) => ({
    id,
    ...(flags && { flags }),
    ...(timer && { timer }),
    ...(group && { group }),
  }));
}

/**
 * Chunks of the file of a message that are here, as they lie in the store: sealed under the key that the message holds. A backup is made in
 * memory, so large files are not in it.
 */
async function* chunksOf(store: EngineContext["store"], record: MessageRecord, me: PublicKeyHex): AsyncGenerator<HistoryPart> {
  if (record.body.kind !== "attachment" || isLarge(record.body)) return;
  for (let index = 0; index < chunkCount(record.body.size); index += 1) {
    const chunk: ChunkReference = { author: authorOf(record, me), id: record.id, index };
    const data = await store.readChunk(chunk);
    if (data !== undefined) yield { chunk, data: toBase64(data) };
  }
}

/** Adds a part: what is not here, and was not deleted here. Returns the tally with it. */
export async function addPart(
  context: EngineContext,
  part: HistoryPart,
  before: RestoredBackup,
  origin: "backup" | "device" = "device",
): Promise<RestoredBackup> {
  if ("app" in part) return { ...before, app: part.app };
  const change = new Change(context);
  if ("profile" in part) {
    change.putProfile(joinProfiles(change.profile, part.profile));
    if (part.folders !== undefined) change.putFolders(laterFolders(change.folders, part.folders));
  }
  if ("pictures" in part) await addPictures(change, context.account.masterPub, part);
  if ("stickers" in part) await addStickers(change, part);
  if ("notes" in part) await putNotes(context, change, joinNotes(change.notes, part.notes));
  if ("notes" in part && part.askedLinks !== undefined) addAskedLinks(context, change, part.askedLinks);
  if ("conversations" in part) await addConversations(context, change, part.conversations, origin);
  const messages = "messages" in part ? await addMessages(context, change, part.messages, origin) : 0;
  const chunks = "chunk" in part && (await addChunk(context, change, part, origin)) ? 1 : 0;
  await change.commit();
  return { ...before, messages: before.messages + messages, chunks: before.chunks + chunks };
}

/** Adds parts of files, and what `andThen` puts beside them, in one write: all of it, or nothing. */
export async function addChunks(context: EngineContext, parts: readonly FilePart[], andThen: (batch: StoreBatch) => void): Promise<void> {
  const change = new Change(context);
  for (const part of parts) await addChunk(context, change, part, "device");
  andThen(change.batch);
  await change.commit();
}

async function addConversations(
  context: EngineContext,
  change: Change,
  conversations: readonly HistoryConversation[],
  origin: "backup" | "device",
): Promise<void> {
  for (const conversation of conversations) {
    const isNew = change.conversation(conversation.id).group === undefined;
    await addConversation(change, context.account.masterPub, conversation);
    if (isNew && origin === "backup") askForGroup(context, change, conversation.id);
  }
}

/** But for groups that have let one in since. Anyone can call another group by such an id: that keeps no one from asking. */
function addAskedLinks({ account, clock }: EngineContext, change: Change, links: readonly AskedLink[]): void {
  const isOutside = ({ group }: AskedLink): boolean =>
    !isLetIn(change.conversation(groupConversation(group)).group, group, account.masterPub);
  change.putAskedLinks(joinAsked(change.askedLinks, links.filter(isOutside), clock.nowMs()));
}

/** A part of a file whose message is here; true when it was missing. */
async function addChunk(
  { store }: EngineContext,
  change: Change,
  { chunk, data }: { readonly chunk: ChunkReference; readonly data: string | Uint8Array },
  origin: "backup" | "device",
): Promise<boolean> {
  const key = await store.messageKey(chunk.author, chunk.id);
  const record = await change.batch.message(key);
  if (record?.body.kind !== "attachment" || (origin === "backup" && isLarge(record.body))) return false;
  const { size } = record.body;
  const bytes = typeof data === "string" ? fromBase64(data) : data;
  if (chunk.index >= chunkCount(size) || bytes.length !== chunkBytes(size, chunk.index)) return false;
  if (await change.batch.hasChunk(chunk)) return false;
  await change.batch.putChunk(chunk, bytes, null);
  countChunk(change, key, record);
  return true;
}

/** Flags of a conversation here go before those of the backup. */
async function addConversation(change: Change, me: PublicKeyHex, { id, flags, timer, group }: HistoryConversation): Promise<void> {
  const known = change.conversation(id);
  if (known.flags === undefined && flags !== undefined) change.updateConversation(id, { flags });
  if (known.timer === undefined && timer !== undefined) change.updateConversation(id, { timer });
  if (group === undefined) return;
  change.updateConversation(id, {
    group: known.group === undefined ? withoutPictureBytes(group) : await joined(known.group, group, { id, me }),
  });
}

/** Two records of one group: all that either knows. Where there is a log it alone counts. */
async function joined(
  known: GroupRecord,
  other: GroupRecord,
  { id, me }: { readonly id: ConversationId; readonly me: PublicKeyHex },
): Promise<GroupRecord> {
  if (known.log === undefined && other.log === undefined) return joinedGroups(known, other, me);
  const { joinRecords } = await import("../changes/group-log/log-record.ts");
  return joinRecords(known, other, groupOf(id) ?? "", me);
}

async function addMessages(
  context: EngineContext,
  change: Change,
  messages: readonly MessageRecord[],
  origin: "backup" | "device",
): Promise<number> {
  const { account, store, slower } = context;
  let added = 0;
  for (const message of messages) {
    const now = slower.now();
    const record = restored(message, now, origin);
    const author = authorOf(record, account.masterPub);
    const key = await store.messageKey(author, record.id);
    if (await change.batch.hasSeen(key)) continue;
    if (record.expiry !== undefined && isOverByBoth(record.expiry, now)) {
      // Answers come without what they repeat of it, before and after.
      change.batch.addSeen(key);
      await untieAnswers(context, change, { author, id: record.id });
      continue;
    }
    const whole = await tied(context, change, { key, record: await withClaimed(change, record, author) });
    change.addMessage(key, whole);
    await followAnswers(context, change, { author, record: whole });
    await indexPayment(store, change, key, record);
    added += 1;
  }
  return added;
}

/** Chunks may have come before the message did. */
async function withClaimed(change: Change, record: MessageRecord, author: string): Promise<MessageRecord> {
  const { body, id } = record;
  if (body.kind !== "attachment") return record;
  const done = isLarge(body) ? 0 : await change.batch.claimChunks({ author, id });
  const transfer = fromHistory(record, body, done);
  return done === 0 && transfer.from === "history" ? record : { ...record, transfer };
}

/**
 * A message as it is restored: read now, without its file, and waiting for nothing but another own device that is to send it. The clocks
 * that its time began by may have been ahead of these: it would stay for as long. What is in a backup a program of this person may have acted
 * on: when it comes again, as to a disk that was put back, that is no arrival.
 */
function restored(
  { transfer: _, isRestored: __, expiry, ...record }: MessageRecord,
  { ownMs, chainMs }: OwnAndChain,
  from: "backup" | "device",
): MessageRecord {
  const isUnsent = record.isElsewhere !== true && (record.state === "queued" || record.state === "failed");
  const problem = { code: "MESSENGER_UNAVAILABLE", message: "It was not sent before the backup was made" } as const;
  const { startedAt = null, chainAt = startedAt } = expiry ?? {};
  const begun = { startedAt: Math.min(startedAt ?? ownMs, ownMs), chainAt: Math.min(chainAt ?? chainMs, chainMs) };
  const isWaiting = record.isElsewhere === true && startedAt === null;
  const time = expiry && { expiry: isWaiting ? expiry : { ...expiry, ...begun } };
  const origin = from === "device" && record.direction === "in" ? { isRestored: true as const } : {};
  return { ...record, ...time, ...origin, isUnread: false, ...(isUnsent ? { state: "failed", problem } : {}) };
}
