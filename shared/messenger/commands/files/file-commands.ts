// What a person does with files: sending one, giving that up while it is copied into the store, and downloading large ones.
import { MAX_FILE_BOXES, MAX_FILE_BYTES, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";
import { Change, writeChange } from "../../changes/change.ts";
import { chunkCount } from "../../changes/files/chunk-sizes.ts";
import { planFileBox } from "../../changes/files/file-box-record.ts";
import type { FileSeal } from "../../changes/files/file-cipher.ts";
import { requireConversation } from "../../model/conversation-id.ts";
import type { ConversationId, MessageKey, OutgoingFile } from "../../model/message.ts";
import { newId } from "../../model/records.ts";
import { addOwnMessage } from "../../sending/compose-message.ts";
import { addFileMessage, type CheckedFile, checkedFile } from "../../sending/send-file.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { peopleOf } from "../../state/recipients.ts";
import { SerialQueue } from "../../store/serial-queue.ts";
import { type CopyWatch, copyFile, endCopy, requireGoing } from "./copy-file.ts";
import { Downloads } from "./downloads.ts";
import { FileBoxes } from "./file-boxes.ts";

/** What a copy and its message have in common. */
interface NewFile {
  readonly conversation: ConversationId;
  readonly file: CheckedFile;
  readonly id: string;
  readonly key: MessageKey;
}

/** Bytes of one file that all others in a group together may ask for. */
const MAX_GROUP_FILE_BYTES = 1_000_000_000;

/** How large a file may be. */
export interface FileLimit {
  /** Bytes of the largest one. */
  readonly bytes: number;
  /** People none of whose devices has said that it takes files above 8 MiB: their program may be too old. */
  readonly tooOld: readonly PublicKeyHex[];
}

/** A seal that nothing was encrypted to: for a message that is only shown. */
const NO_SEAL: FileSeal = { key: "", digest: "" };

/** The files' half of a running messenger. */
export class Files {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;
  /** One file is copied at a time. */
  readonly #queue = new SerialQueue();
  readonly #copies = new Map<MessageKey, { readonly conversation: ConversationId; readonly ended: AbortController }>();
  readonly #downloads: Downloads;
  readonly #boxes: FileBoxes;
  #isStopped = false;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#downloads = new Downloads(context, onQueued);
    this.#boxes = new FileBoxes(context, onQueued);
    this.#onQueued = onQueued;
  }

  /**
   * Sends a file. It is copied into the store first, encrypted, and shown meanwhile; {@link cancelCopy} ends that. From then on it continues
   * after a restart, and deleting the message for everyone cancels it. Resolves with its key once it is copied, or when that was ended: then
   * there is no such message.
   * @throws CodedError BAD_REQUEST for an empty, large or badly named file.
   */
  async sendFile(conversation: ConversationId, outgoing: OutgoingFile<Uint8Array | ByteSource>): Promise<MessageKey> {
    const { account, store, random } = this.#context;
    const id = newId(random);
    const key = await store.messageKey(account.masterPub, id);
    const file = {
      conversation: requireConversation(conversation),
      file: checkedFile(outgoing, this.#limitOf(conversation).bytes),
      id,
      key,
    };
    const ended = new AbortController();
    this.#copies.set(key, { conversation: file.conversation, ended });
    try {
      const show = await this.#shown(file);
      show(0);
      await this.#queue.run(() => this.#copyAndSend(file, { signal: ended.signal, onCopied: show }));
    } catch (error) {
      this.#context.publish({ messages: [], deleted: [key] }, false);
      if (ended.signal.aborted && !this.#isStopped) return key;
      throw error;
    } finally {
      this.#copies.delete(key);
    }
    this.#onQueued();
    this.#boxes.check();
    return key;
  }

  /** How large a file may be that is sent to a conversation, and who in it cannot get a large one. */
  async fileLimit(conversation: ConversationId): Promise<FileLimit> {
    return this.#limitOf(conversation);
  }

  /** Asks for a large file, part by part; what has come stays, also after a restart. @throws CodedError BAD_REQUEST where that cannot be. */
  async downloadFile(key: MessageKey): Promise<void> {
    await this.#downloads.begin(key);
  }

  /** Asks for no more of a large file; what has come stays. */
  async stopDownload(key: MessageKey): Promise<void> {
    await this.#downloads.end(key);
  }

  /** Asks for what is missing of the files that the person wants. Call when something has come, and when the node is back. */
  checkDownloads(): void {
    this.#downloads.check();
    this.#boxes.check();
  }

  /** The node is there again, and may be another one. */
  retryNow(): void {
    this.#downloads.retryNow();
    this.#boxes.retryNow();
  }

  /** Ends the copying of a file, also of one that waits for those before; nothing happens for one that is copied already. */
  async cancelCopy(key: MessageKey): Promise<void> {
    this.#end(key);
  }

  /** Ends the copying of files to a conversation that is deleted: nothing of them is sent. */
  endCopies(conversation: ConversationId): void {
    for (const [key, copy] of this.#copies) if (copy.conversation === conversation) this.#end(key);
  }

  stop(): void {
    this.#isStopped = true;
    this.#downloads.stop();
    this.#boxes.stop();
    for (const { ended } of this.#copies.values()) ended.abort();
  }

  #limitOf(conversation: ConversationId): FileLimit {
    const { account, pairs } = this.#context;
    const others = this.#peopleIn(conversation).filter((person) => person !== account.masterPub);
    const takes = (person: string): boolean =>
      pairs.all.some(({ peer, takesFiles = 0 }) => peer === person && takesFiles > MAX_PUSHED_FILE_BYTES);
    const tooOld = others.filter((person) => !takes(person));
    if (others.length > 0 && tooOld.length === others.length) return { bytes: MAX_PUSHED_FILE_BYTES, tooOld };
    // What is stored once goes to no device by itself.
    const isOnce = others.every((person) => pairs.all.every(({ peer, readsBoxes = 0 }) => peer !== person || readsBoxes >= MAX_FILE_BOXES));
    const shared = isOnce ? MAX_FILE_BYTES : Math.floor(MAX_GROUP_FILE_BYTES / Math.max(1, others.length));
    return { bytes: Math.max(MAX_PUSHED_FILE_BYTES, Math.min(MAX_FILE_BYTES, shared)), tooOld };
  }

  #peopleIn(conversation: ConversationId): readonly PublicKeyHex[] {
    return peopleOf(this.#context.registry.get(conversation), this.#context.account.masterPub);
  }

  #end(key: MessageKey): void {
    const { ended } = this.#copies.get(key) ?? {};
    if (ended === undefined) return;
    ended.abort();
    this.#context.publish({ messages: [], deleted: [key] }, false);
  }

  async #copyAndSend({ file, id, conversation }: NewFile, during: CopyWatch): Promise<void> {
    requireGoing(during);
    const seal = await copyFile(this.#context, { id, source: file.source }, during);
    await writeChange(this.#context, async (change) => {
      requireGoing(during);
      await endCopy(change.batch, id);
      const plan = planFileBox(this.#context, file.source.size, this.#peopleIn(conversation));
      await addFileMessage(this.#context, change, { conversation, body: file.bodyOf(seal), id, plan });
    });
  }

  /** What shows the message in open chats, with so many chunks copied; it is not stored yet. */
  async #shown({ conversation, file, id, key }: NewFile): Promise<(done: number) => void> {
    const change = new Change(this.#context);
    await addOwnMessage(this.#context, change, { conversation, body: file.bodyOf(NO_SEAL), id });
    const record = await change.batch.message(key);
    const total = chunkCount(file.source.size);
    return (done): void => {
      if (record === undefined || this.#copies.get(key)?.ended.signal.aborted !== false) return;
      this.#context.publish({ messages: [{ key, record: { ...record, transfer: { done, total, from: "copy" } } }], deleted: [] }, false);
    };
  }
}
