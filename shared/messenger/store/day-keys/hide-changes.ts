// What of a set of changes goes with day keys, and under which keys something lay that is gone by them.
import type { MessageKey } from "../../model/message.ts";
import { overByChain } from "../../model/progress/message-time.ts";
import type { ConversationRecord, MessageRecord, OutboxRecord } from "../../model/records.ts";
import type { RecordCipher } from "../sealing/record-cipher.ts";
import { storeCall } from "../store-call.ts";
import type { MessageRow, StoreDatabase } from "../store-database.ts";
import type { DayKeyRing } from "./day-key-ring.ts";
import { isFading, NOT_BEGUN, WAITING, windowOf, windowOfConversation } from "./day-windows.ts";

/** Changes that are written together. */
export interface FadingChanges {
  readonly messages: ReadonlyMap<MessageKey, MessageRecord | undefined>;
  readonly conversations: ReadonlyMap<string, ConversationRecord | undefined>;
  readonly outbox: ReadonlyMap<number, OutboxRecord | undefined>;
  /** What waits for its message or group, and what of it is forgotten as nothing came. */
  readonly amendments: ReadonlyMap<string, WaitingPart | undefined>;
  readonly pruned: readonly string[];
  /** Records beside them, and which of those repeat something of a message that disappears. */
  readonly meta: ReadonlyMap<string, unknown>;
  readonly fadingMeta: ReadonlySet<string>;
}

/** Something that waits for a message that is not here. */
interface WaitingPart {
  readonly isFading?: boolean;
}

/** What was there before the changes. */
export interface StoredBefore {
  readonly database: Pick<StoreDatabase, "getMany">;
  readonly cipher: RecordCipher;
  readonly ring: DayKeyRing;
  /** Key of the row of a conversation. */
  conversationKey(id: string): Promise<string>;
}

/** The window of a message, or of what one that stays repeats; undefined where nothing goes with a day key. */
export function windowOfMessage({ expiry, isQuoteApart }: Pick<MessageRecord, "expiry" | "isQuoteApart">): number | undefined {
  return expiry === undefined && isQuoteApart === true ? WAITING : expiry && windowOf(expiry);
}

/** The window of what waits for its message; undefined where it has no words of one that may disappear. */
export function windowOfWaiting({ isFading: fades }: WaitingPart): number | undefined {
  return fades === true ? WAITING : undefined;
}

/** The window of what is to leave; undefined where it is of nothing that disappears. */
export function windowOfEntry({ task }: Pick<OutboxRecord, "task">): number | undefined {
  return isFading(task) ? WAITING : undefined;
}

/** Seals rows under the key of the records and, with a window, that of a day. */
export function rowSealer(
  cipher: RecordCipher,
  ring: DayKeyRing,
): (kind: string, key: string, value: unknown, window?: number) => Promise<Uint8Array> {
  return (kind, key, value, window) => {
    const under = window === undefined ? undefined : ring.idFor(window);
    const location = `${kind} ${key}`;
    return under === undefined ? cipher.seal(location, value) : cipher.seal(location, undefined, { under, value });
  };
}

/** A message as a whole; of an answer that stays only what it repeats of a message that may not. */
export function sealMessage(
  cipher: RecordCipher,
  ring: DayKeyRing,
  { key, record }: { readonly key: MessageKey; readonly record: MessageRecord },
): Promise<Uint8Array> {
  const { body, expiry } = record;
  const window = windowOfMessage(record);
  const under = window === undefined ? undefined : ring.idFor(window);
  if (under === undefined || expiry !== undefined || body.kind !== "reply") return rowSealer(cipher, ring)("message", key, record, window);
  return cipher.seal(`message ${key}`, { ...record, body: { ...body, quote: "" } }, { under, value: { body } });
}

/** All of a conversation but its last message and the draft stays, whatever becomes of these. */
export function sealConversation(
  cipher: RecordCipher,
  ring: DayKeyRing,
  { key, record }: { readonly key: string; readonly record: ConversationRecord },
): Promise<Uint8Array> {
  const location = `conversation ${key}`;
  const window = windowOfConversation(record);
  const under = window === undefined ? undefined : ring.idFor(window);
  if (under === undefined) return cipher.seal(location, record);
  const { lastMessage, draft } = record;
  return cipher.seal(location, { ...record, lastMessage: null, draft: "" }, { under, value: { lastMessage, draft } });
}

/** The time of a message in the index of those that disappear. */
export function timeOf({ expiry, isQuoteApart }: Pick<MessageRecord, "expiry" | "isQuoteApart">): Pick<MessageRow, "expiresAt"> {
  if (expiry === undefined) return isQuoteApart === true ? { expiresAt: NOT_BEGUN } : {};
  return { expiresAt: overByChain(expiry) ?? NOT_BEGUN };
}

/** Windows for which keys are needed. */
export function windowsOf({ messages, conversations, outbox, amendments, fadingMeta }: FadingChanges): ReadonlySet<number> {
  const windows = [
    ...[...messages.values()].map((record) => record && windowOfMessage(record)),
    ...[...conversations.values()].map((record) => record && windowOfConversation(record)),
    ...[...outbox.values()].map((record) => record && windowOfEntry(record)),
    ...[...amendments.values()].map((waiting) => waiting && windowOfWaiting(waiting)),
    ...(fadingMeta.size > 0 ? [WAITING] : []),
  ];
  return new Set(windows.filter((window) => window !== undefined));
}

/** Keys under which something lies, before the changes, that is gone by them or lies elsewhere: what a disk holds of it is to go. */
export async function stainedBy(store: StoredBefore, changes: FadingChanges): Promise<readonly string[]> {
  const { database, cipher, ring } = store;
  if (ring.all.length === 0) return [];
  const keys = [...changes.messages.keys()];
  const before = keys.length === 0 ? [] : await storeCall(() => database.getMany("messages", keys));
  const stained = await Promise.all(
    before.map(async (row) => {
      if (row?.expiresAt === undefined) return undefined;
      const id = await cipher.dayKeyOf(`message ${row.key}`, row.sealed);
      return id !== undefined && isGone(changes.messages.get(row.key), ring.all.find((key) => key.id === id)?.until) ? id : undefined;
    }),
  );
  const waiting = usesWaiting(changes) ? [ring.idFor(WAITING)] : await replacedWaiting(store, changes);
  return [...new Set([...stained, ...waiting])].filter((id) => id !== undefined);
}

/** A draft or what waits for something is replaced by what lies elsewhere: nothing but the rows as they are says under which key it lay. */
async function replacedWaiting(
  { database, cipher, ring, conversationKey }: StoredBefore,
  { conversations, meta, amendments, pruned }: FadingChanges,
): Promise<readonly string[]> {
  const waiting = ring.all.filter(({ until }) => until === WAITING).map(({ id }) => id);
  if (waiting.length === 0) return [];
  const keys = await Promise.all([...conversations.keys()].map((id) => conversationKey(id)));
  const [chats, notes, waitingParts] = await Promise.all([
    storeCall(() => database.getMany("conversations", keys)),
    storeCall(() => database.getMany("meta", [...meta.keys()])),
    storeCall(() => database.getMany("amendments", [...amendments.keys(), ...pruned])),
  ]);
  const ids = await Promise.all([
    ...chats.map((row) => row && cipher.dayKeyOf(`conversation ${row.key}`, row.sealed)),
    ...notes.map((row) => row && cipher.dayKeyOf(`meta ${row.key}`, row.sealed)),
    ...waitingParts.map((row) => row && cipher.dayKeyOf(`amendment ${row.key}`, row.sealed)),
  ]);
  return waiting.filter((id) => ids.includes(id));
}

/** What comes to an end by itself takes others' words with it when it is written again. */
function isGone(after: MessageRecord | undefined, until: number | undefined): boolean {
  if (after === undefined || after.body.kind === "deleted" || after.quoted === "gone") return true;
  return windowOfMessage(after) !== until;
}

/** Something is to leave, has left, or is being written: it is replaced often, without a message that says so. */
function usesWaiting({ conversations, outbox, fadingMeta }: FadingChanges): boolean {
  if (fadingMeta.size > 0 || outbox.size > 0) return true;
  return [...conversations.values()].some((record) => record !== undefined && windowOfConversation(record) === WAITING);
}
