// What programs that a person let in do with messages, as far as the engine is concerned: the gateway has judged what they may. A program's
// message has an id that follows from its connection and key, so that the store itself knows whether it was sent: with the message, or not
// at all.
import { MAX_ARRIVALS_PAGE } from "#shared/apps/app-limits.ts";
import type {
  ArrivalsPage,
  MessageContact,
  MessageEntry,
  MessageOrder,
  OrderedPayment,
  SentMessageEntry,
} from "#shared/apps/messages/messages-api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { type Change, writeChange } from "../changes/change.ts";
import { groupOf, requireConversation, unknownSenderOf } from "../model/conversation-id.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import { authorOf, ID_BYTES, type MessageContent, type MessageRecord } from "../model/records.ts";
import { addOwnMessage, checkedMessageText, replyTo } from "../sending/compose-message.ts";
import { addFileMessage, sealOutgoing } from "../sending/send-file.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { SharedCommit } from "./shared-commit.ts";

/** Type of a file whose program says none: it is offered to be saved and never shown. */
const MEDIA_TYPE = "application/octet-stream";

/** The programs' half of a running messenger. */
export class ProgramMessages {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;
  /** Orders of many programs come at once. */
  readonly #commits: SharedCommit;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#commits = new SharedCommit(context);
    this.#onQueued = onQueued;
  }

  /** As `send` of the port. */
  async sendOrdered(order: MessageOrder): Promise<SentMessageEntry> {
    const { account, store } = this.#context;
    const conversation = requireConversation(order.to);
    const text = order.file === undefined || order.text !== "" ? checkedMessageText(order.text) : "";
    const id = toHex(hashOf("parley program message", order.connection, order.idempotencyKey).subarray(0, ID_BYTES));
    const hash = toHex(
      hashOf(conversation, text, order.replyTo ?? "", order.file?.name ?? "", toHex(sha256(order.file?.bytes ?? new Uint8Array()))),
    );
    // Encrypting a file takes a while: it is not done within the queue of changes.
    const file = order.file && (await sealOutgoing({ ...order.file, mediaType: MEDIA_TYPE, caption: text, image: null }));
    const sent = await this.#commits.write(async (change) => {
      const key = await store.messageKey(account.masterPub, id);
      if (await change.batch.hasSeen(key))
        return { key, record: this.#requireSame(await change.batch.message(key), hash), isReplayed: true };
      if (order.mode === "sent") return { key, record: undefined, isReplayed: true };
      if (order.mode === "late")
        throw new CodedError("APP_TOO_LATE", "The time that the program set itself is over", { details: { replayed: false } });
      if (this.#context.registry.isBlocked(conversation)) throw new CodedError("APP_DENIED", "The person has blocked this contact");
      if (file === undefined)
        await addOwnMessage(this.#context, change, { conversation, body: await this.#bodyOf(change, order, text), id });
      else await addFileMessage(this.#context, change, { conversation, ...file, id });
      const added = await change.batch.message(key);
      const record = added && { ...added, program: { connection: order.connection, order: hash } };
      if (record !== undefined) change.updateMessage(key, record);
      return { key, record, isReplayed: false };
    });
    this.#onQueued();
    const { key, record, isReplayed } = sent;
    if (record !== undefined) return { ...this.#entryOf(key, record), isReplayed };
    return { ...goneEntry(key, account.masterPub, conversation), isReplayed };
  }

  /** As `read` of the port. */
  async readEntry({ id }: { readonly id: MessageKey }): Promise<MessageEntry> {
    const record = await this.#context.store.readMessage(id);
    if (record === undefined) throw new CodedError("NOT_FOUND", "There is no such message");
    return this.#entryOf(id, record);
  }

  /** As `arrivals` of the port. */
  async readArrivals({
    after,
    limit,
    conversations,
  }: {
    readonly after: number;
    readonly limit: number;
    readonly conversations: readonly ConversationId[];
  }): Promise<ArrivalsPage> {
    const { store } = this.#context;
    const wanted = new Set(await Promise.all(conversations.map((id) => store.conversationKey(id))));
    const most = Math.min(limit, MAX_ARRIVALS_PAGE);
    const rows = await store.readArrivals(after, most);
    const [first] = await store.readArrivals(0, 1);
    const arrivals = rows.filter(({ conversation }) => wanted.has(conversation)).map(({ seq, key, at }) => ({ seq, id: key, atMs: at }));
    return { arrivals, readTo: rows.at(-1)?.seq ?? after, firstSeq: first?.seq ?? 0, hasMore: rows.length === most };
  }

  /** As `lastArrival` of the port. */
  lastArrival({ untilMs }: { readonly untilMs: number }): Promise<number> {
    return this.#context.store.lastArrival(untilMs);
  }

  /** As `contacts` of the port. */
  async acceptedContacts(): Promise<readonly MessageContact[]> {
    const { registry, profiles } = this.#context;
    return registry.contacts.map((publicKey) => ({ publicKey, name: profiles.record.names[publicKey]?.name || null }));
  }

  /**
   * As of the port. A payment answers no request: only its person says what it is for. Where the other person declined, is blocked or has no
   * chat, and in the notes to oneself, nothing is left, and not when it is asked for again either: it would come long after the payment.
   */
  async leaveReceipt({ connection, txId, to, amountUt }: OrderedPayment): Promise<void> {
    const { account, store, registry, clock } = this.#context;
    const conversation = requireConversation(to);
    const id = toHex(hashOf("parley program payment", txId).subarray(0, ID_BYTES));
    const name = await store.paymentName({ txId, peer: to, direction: "out" });
    await writeChange(this.#context, async (change) => {
      const key = await store.messageKey(account.masterPub, id);
      // Also one that was deleted since, or that this account left without a program.
      if ((await change.batch.hasSeen(key)) || (await change.batch.meta<MessageKey>(name)) !== undefined) return;
      const chat = registry.summaries(clock.nowMs()).find((summary) => summary.id === conversation);
      if (chat === undefined || chat.kind !== "person" || chat.isRequest || chat.isBlocked) return change.batch.addSeen(key);
      await addOwnMessage(this.#context, change, { conversation, body: { kind: "pay.receipt", txId, amountUt, request: null }, id });
      const added = await change.batch.message(key);
      if (added !== undefined) change.updateMessage(key, { ...added, program: { connection, order: txId } });
    });
    this.#onQueued();
  }

  #requireSame(record: MessageRecord | undefined, hash: string): MessageRecord | undefined {
    if (record?.program !== undefined && record.program.order !== hash)
      throw new CodedError("APP_KEY_REUSED", "The idempotency key was used for another message", { details: { replayed: true } });
    return record;
  }

  async #bodyOf(change: Change, order: MessageOrder, text: string): Promise<MessageContent> {
    if (order.replyTo === undefined) return { kind: "text", text };
    const record = await change.batch.message(order.replyTo);
    if (record?.conversation !== order.to) throw new CodedError("NOT_FOUND", "There is no such message to answer");
    return replyTo(record, authorOf(record, this.#context.account.masterPub), { text });
  }

  #entryOf(id: MessageKey, record: MessageRecord): MessageEntry {
    const { conversation, direction, at, body, state, arrivedAt } = record;
    const author = authorOf(record, this.#context.account.masterPub);
    return {
      id,
      from: unknownSenderOf(author) === undefined && groupOf(author) === undefined ? author : "",
      conversation,
      isOwn: direction === "out",
      atMs: Math.floor(at),
      arrivedAtMs: arrivedAt ?? null,
      text: body.kind === "attachment" ? body.caption : "text" in body ? body.text : null,
      file: body.kind === "attachment" ? { name: body.name, size: body.size } : null,
      state: body.kind === "deleted" ? "gone" : state,
    };
  }
}

function goneEntry(id: MessageKey, from: string, conversation: ConversationId): MessageEntry {
  return { id, from, conversation, isOwn: true, atMs: 0, arrivedAtMs: null, text: null, file: null, state: "gone" };
}

function hashOf(...parts: readonly string[]): Uint8Array {
  return sha256(utf8(JSON.stringify(parts)));
}
