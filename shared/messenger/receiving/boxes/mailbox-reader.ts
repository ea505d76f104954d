// Lists mailboxes of this device, part by part: the lasting one, then those for one person each; all of them, or those that were named.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { type BoxCursor, type InboxEntry, MAX_LISTED_BOXES } from "../../model/node-port.ts";
import type { ReadBox } from "../../pairs/box-registry.ts";
import type { EngineContext } from "../../state/engine-context.ts";

/** Envelopes fetched at a time, of one mailbox. */
const PAGE_SIZE = 500;
/** Text of envelopes that are listed before the first is stored, characters: more of a backlog waits for the next part. */
const MAX_LISTED_CHARS = 24_000_000;

/** What is listed at a time. */
export interface ListedMail {
  readonly entries: readonly InboxEntry[];
  /** There is more in some mailbox. */
  readonly hasMore: boolean;
}

interface WaitingBox extends BoxCursor {
  readonly box: ReadBox;
}

/** One reading of mailboxes, from their beginning to their end. */
export class MailboxReader {
  readonly #context: Pick<EngineContext, "node" | "account" | "boxes">;
  #after = 0;
  #isLastingRead = false;
  #isComplete = true;
  #boxes: readonly WaitingBox[];
  #chars = 0;

  /** `named`: the mailboxes that are read; without it all of them. */
  constructor(context: Pick<EngineContext, "node" | "account" | "boxes">, named?: ReadonlySet<X25519KeyHex>) {
    this.#context = context;
    this.#isLastingRead = named?.has(context.account.devicePub) === false;
    const read = context.boxes.read.filter(({ mailbox }) => named?.has(mailbox) !== false);
    this.#boxes = read.map((box) => ({ box, mailbox: box.mailbox, after: 0 }));
  }

  /** The next part, as much as memory should hold at a time, in the order of arrival. @throws CodedError of the node. */
  async next(): Promise<ListedMail> {
    this.#chars = 0;
    const entries: InboxEntry[] = [];
    // Boxes come in a part of their own: where they cannot be listed, what lies in the lasting mailbox is stored all the same.
    if (this.#isLastingRead) while (this.#boxes.length > 0 && !this.#isFull) entries.push(...(await this.#boxPage()));
    while (!this.#isLastingRead && !this.#isFull) entries.push(...(await this.#lastingPage()));
    return { entries: entries.sort((a, b) => a.seq - b.seq), hasMore: !this.#isLastingRead || this.#boxes.length > 0 };
  }

  /** False where the node could not say of some mailbox that it has listed all: it is to be read again. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get #isFull(): boolean {
    return this.#chars > MAX_LISTED_CHARS;
  }

  async #lastingPage(): Promise<readonly InboxEntry[]> {
    const { node, account } = this.#context;
    const { items, hasMore, isComplete } = await node.listInbox(account.devicePub, { after: this.#after, limit: PAGE_SIZE });
    this.#isComplete &&= isComplete !== false;
    const last = lastOf(items);
    // A node that lists the same again and again would be read for ever.
    this.#isLastingRead = !hasMore || last <= this.#after;
    this.#after = Math.max(this.#after, last);
    this.#count(items);
    return items;
  }

  async #boxPage(): Promise<readonly InboxEntry[]> {
    const asked = this.#boxes.slice(0, MAX_LISTED_BOXES);
    const page = await this.#context.node.listBoxes(
      asked.map(({ mailbox, after }) => ({ mailbox, after })),
      PAGE_SIZE,
    );
    this.#context.boxes.watchable = page.watchable;
    this.#isComplete &&= page.isComplete !== false;
    // A node that lists none would be asked for ever.
    const listed = Math.max(1, page.listed);
    const entries: InboxEntry[] = [];
    const unread: WaitingBox[] = [];
    for (const waiting of asked.slice(0, listed)) {
      const { items = [], hasMore = false } = page.boxes.find(({ mailbox }) => mailbox === waiting.mailbox) ?? {};
      entries.push(...items.map((item) => ({ ...item, box: waiting.box })));
      const last = lastOf(items);
      if (hasMore && last > waiting.after) unread.push({ ...waiting, after: last });
    }
    this.#boxes = [...unread, ...this.#boxes.slice(listed)];
    this.#count(entries);
    return entries;
  }

  #count(items: readonly InboxEntry[]): void {
    this.#chars += items.reduce((sum, { ciphertext }) => sum + ciphertext.length, 0);
  }
}

/** Position of the last one; 0 without any. */
function lastOf(items: readonly { readonly seq: number }[]): number {
  return Math.max(0, ...items.map(({ seq }) => seq));
}
