// What devices sent that the chain does not list yet lies opened in the store, for as long as mailboxes keep mail: the keys that it was sealed
// to may go meanwhile, and a mailbox is emptied. It is judged again whenever its person's devices are looked up, also after a restart.
// Loaded with the first such content.
import type { IncomingContent } from "#shared/content/content.ts";
import { decodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { decodePublicContent } from "#shared/content/public-content-codec.ts";
import { isCertified } from "#shared/protocol/mail/device-certificate.ts";
import type { PairSide } from "#shared/protocol/pairs/pair-cipher.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import { ASIDE_KEY, type Change } from "../../changes/change.ts";
import type { OpenedPair } from "../../changes/pairs/open-pairs.ts";
import type { InboxEntry } from "../../model/node-port.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { ReceivedEvent } from "../interpret-envelope.ts";
import { type AsideItem, asideName, isOver, withAside } from "./aside-record.ts";

/** People whose devices are looked up at a time. */
const PEOPLE_AT_ONCE = 16;
/** They are looked up again after this time. */
const AGAIN_MS = 60_000;

type AsideContext = Pick<EngineContext, "store" | "clock" | "node" | "pairs" | "newestBlock">;

/** An envelope that was opened. */
export interface OpenedMail {
  /** With the sender that its box proves. */
  readonly entry: InboxEntry;
  readonly plaintext: Uint8Array | undefined;
  /** Where it was sealed to a card. */
  readonly pair: OpenedPair | undefined;
}

/** One that waited. */
export interface AsideMail extends OpenedMail {
  readonly item: AsideItem;
  /** It has waited long enough: what it is now, it stays. */
  readonly isOver: boolean;
}

/** As it is stored, bytes in base64. */
interface AsideRow {
  readonly entry: InboxEntry;
  readonly plaintext?: string;
  readonly pair?: {
    readonly kind: "opened" | "public";
    readonly sender: PairSide;
    readonly cardId: string | null;
    readonly content: string;
  };
}

/** What waits, in one run. One caller at a time. */
export class AsideMailbox {
  readonly #context: AsideContext;
  #items: readonly AsideItem[];
  /** What it will be once the change under way is stored. */
  #next: readonly AsideItem[];
  /** What that change writes, by envelope; undefined for what goes. */
  readonly #rows = new Map<string, AsideRow | undefined>();
  /** When people were looked up last, by the monotonic clock. */
  readonly #lookedMs = new Map<PublicKeyHex, number>();

  constructor(context: AsideContext, items: readonly AsideItem[]) {
    this.#context = context;
    this.#items = items;
    this.#next = items;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** A change begins: what the last one, which failed, would have made is forgotten. */
  async begin(): Promise<void> {
    this.#next = this.#items;
    this.#rows.clear();
    await this.#context.newestBlock.refresh();
  }

  /** Writes it with all else of the change. */
  fill({ batch }: Change): void {
    if (this.#next === this.#items) return;
    batch.putMeta(ASIDE_KEY, this.#next);
    for (const [envelope, row] of this.#rows) {
      if (row === undefined) batch.deleteMeta(asideName(envelope));
      else batch.putMeta(asideName(envelope), row, true);
    }
  }

  /** The change is stored. */
  end(): void {
    this.#items = this.#next;
    this.#rows.clear();
  }

  /** Stores a content with the change; false where there is no room for it. */
  put(mail: OpenedMail, content: IncomingContent): boolean {
    const { row, bytes } = rowOf(mail);
    const { id, from, fromDevice: device } = content;
    const isVouched = this.isVouched(mail, content);
    const at = this.#context.clock.nowMs();
    const blockAt = this.#blockMs;
    const item = { envelope: mail.entry.id, id, from, device, isVouched, at, ...(blockAt !== undefined && { blockAt }), bytes };
    const after = withAside(this.#next, item);
    if (after === undefined) return false;
    if (after === "known") return true;
    if (after.replaced !== undefined) this.#rows.set(after.replaced, undefined);
    this.#rows.set(item.envelope, row);
    this.#next = after.items;
    return true;
  }

  /** Takes contents out of the store with the change. */
  take(taken: readonly AsideItem[]): void {
    const gone = new Set(taken.map(({ envelope }) => envelope));
    for (const envelope of gone) this.#rows.set(envelope, undefined);
    this.#next = this.#next.filter(({ envelope }) => !gone.has(envelope));
  }

  /** Something vouches for the device: the person's key, or the pair with it. */
  isVouched({ pair }: OpenedMail, { from, fromDevice: devicePub, card }: IncomingContent): boolean {
    if (pair?.kind === "opened" && pair.cardId !== null && pair.record?.peer === from) return true;
    return card !== undefined && isCertified(this.#context.node.chainId, from, { devicePub, ...card });
  }

  /** What is to be judged again now, in the order in which it came; what cannot be read any more is left out. */
  async due(): Promise<readonly AsideMail[]> {
    const nowMs = this.#context.clock.monotonicMs();
    await this.#context.newestBlock.refresh();
    const clocks = { nowMs: this.#context.clock.nowMs(), blockMs: this.#blockMs };
    const lookedMs = (person: PublicKeyHex): number => this.#lookedMs.get(person) ?? Number.NEGATIVE_INFINITY;
    const people = [...new Set(this.#items.map(({ from }) => from))].filter((person) => nowMs - lookedMs(person) >= AGAIN_MS);
    const chosen = new Set(people.sort((a, b) => lookedMs(a) - lookedMs(b)).slice(0, PEOPLE_AT_ONCE));
    for (const person of chosen) this.#lookedMs.set(person, nowMs);
    const due: AsideMail[] = [];
    for (const item of this.#items) {
      if (!chosen.has(item.from)) continue;
      const row = await this.#context.store.readMeta<AsideRow>(asideName(item.envelope));
      due.push({ item, isOver: isOver(item, clocks), ...this.#opened(item, row) });
    }
    return due;
  }

  /** What one means, with the time at which it came where that decides: a change of a message is not late as it waited here. */
  asItCame({ item }: AsideMail, received: ReceivedEvent): ReceivedEvent {
    const { event } = received;
    const cameAt = item.at;
    if (event.kind === "amendment") return { ...received, event: { ...event, amendment: { ...event.amendment, cameAt } } };
    if (event.kind !== "group" || event.inner.kind !== "amendment") return received;
    return { ...received, event: { ...event, inner: { ...event.inner, amendment: { ...event.inner.amendment, cameAt } } } };
  }

  /** Time of the newest block that is known, milliseconds since 1970. */
  get #blockMs(): number | undefined {
    const { timeS } = this.#context.newestBlock;
    return timeS === undefined ? undefined : timeS * 1000;
  }

  /** Nothing of a row that is damaged: it is judged as what does not open. */
  #opened({ envelope, device }: AsideItem, row: AsideRow | undefined): OpenedMail {
    const lost = { id: envelope, seq: 0, sender_pub: device, sender_ed25519_pub: "", nonce: "", ciphertext: "", sent_at: 0 } as const;
    if (row === undefined) return { entry: lost, plaintext: undefined, pair: undefined };
    const { entry, plaintext, pair } = row;
    return { entry, plaintext: plaintext === undefined ? undefined : fromBase64(plaintext), pair: pair && this.#openedPair(pair) };
  }

  #openedPair({ kind, sender, cardId, content: text }: NonNullable<AsideRow["pair"]>): OpenedPair {
    const bytes = fromBase64(text);
    if (kind === "public") {
      const content = decodePublicContent(bytes);
      return content === undefined ? { kind: "foreign" } : { kind, sender, content, bytes };
    }
    const content = decodePairContent(bytes);
    if (content === undefined) return { kind: "foreign" };
    const record = this.#context.pairs.get(sender.devicePub);
    return { kind, sender, cardId, content, bytes, record: record?.peer === sender.masterPub ? record : undefined };
  }
}

function rowOf({ entry, plaintext, pair }: OpenedMail): { readonly row: AsideRow; readonly bytes: number } {
  const opened = { ...entry, ciphertext: "" };
  if (pair?.kind === "opened" || pair?.kind === "public") {
    const { kind, sender, bytes } = pair;
    const cardId = pair.kind === "opened" ? pair.cardId : null;
    return { row: { entry: opened, pair: { kind, sender, cardId, content: toBase64(bytes) } }, bytes: bytes.length };
  }
  const bytes = plaintext ?? new Uint8Array();
  return { row: { entry: opened, plaintext: toBase64(bytes) }, bytes: bytes.length };
}
