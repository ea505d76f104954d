// Lists of boxes for those who read them, page by page, and envelopes by their ids.

import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { keptWireBytes } from "#node/network/wire/mail-codec.ts";
import type { MailboxRepository, StoredEnvelope } from "#node/storage/mailbox/mailbox-repository.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { AskedBox, BoxPage, KeptEnvelope, MailPlace } from "#shared/protocol/mail/mail-messages.ts";
import { DeletionSearch } from "../deletion-search.ts";

type Store = Pick<MailboxRepository, "list" | "listIds" | "get" | "deleted" | "boxes" | "open">;

/** Boxes and the envelopes that they list, as far as a page reaches. */
export interface BoxList {
  readonly boxes: readonly BoxPage[];
  readonly items: readonly KeptEnvelope[];
}

/** Envelopes that were asked by their ids, and deletions of those that are no more. */
export interface FoundMail {
  readonly items: readonly KeptEnvelope[];
  readonly openings: readonly BoxOpening[];
  readonly deletions: readonly BoxDeletion[];
}

type Listed = Pick<BoxPage, "ids" | "lastSeq" | "hasMore">;

/** Bytes of an id in a list, and of what else a box has in it. */
const LISTED_BYTES = 26;
const BOX_BYTES = 320;
/** Envelopes that are read at once, and their bytes: some two milliseconds. */
const READ_ENVELOPES = 64;
const READ_BYTES = 262_144;
const HEX_ID = /^[0-9a-f]{32}$/;

const { pageBytes, fetchedBytes } = NETWORK_LIMITS.mailItems;

/** What a store has of boxes, within so many bytes, step by step. A box of which nothing fits says that more follows. */
export function* listingBoxes(
  store: Store,
  boxes: readonly AskedBox[],
  hasContent: boolean,
  mostBytes: number = pageBytes,
): Generator<undefined, BoxList> {
  const page = new Page(store, hasContent, mostBytes);
  const pages: BoxPage[] = [];
  for (const asked of boxes) pages.push(yield* page.addingBox(asked));
  return { boxes: pages, items: page.items };
}

/** Envelopes by their ids, within the bytes that are fetched at once, one by one. */
export function* findingMail(
  store: Store,
  places: readonly MailPlace[],
  mostBytes: number = fetchedBytes,
): Generator<undefined, FoundMail> {
  const items: KeptEnvelope[] = [];
  const search = new DeletionSearch(store);
  const openings = new Map<string, BoxOpening>();
  let room = mostBytes;
  for (const { box, id } of places) {
    yield;
    const stored = store.get(box, id);
    const opening = store.boxes.find(box);
    if (stored === undefined) {
      const deletion = search.find(box, id);
      room -= deletion === undefined ? 0 : deletionBytes(deletion);
      continue;
    }
    const item = keptOf(store, stored);
    room -= keptWireBytes(item) + (opening === undefined ? 0 : BOX_BYTES);
    if (room < 0) break;
    items.push(item);
    if (opening !== undefined) openings.set(box, opening);
  }
  return { items, openings: [...openings.values()], deletions: search.found };
}

class Page {
  readonly items: KeptEnvelope[] = [];
  readonly #store: Store;
  readonly #hasContent: boolean;
  #ids: number = NETWORK_LIMITS.mailItems.pageIds;
  #bytes: number;

  constructor(store: Store, hasContent: boolean, mostBytes: number) {
    this.#store = store;
    this.#hasContent = hasContent;
    this.#bytes = mostBytes;
  }

  *addingBox({ box, after, afterDeletion }: AskedBox): Generator<undefined, BoxPage> {
    this.#bytes -= BOX_BYTES;
    const opening = this.#store.boxes.find(box) ?? null;
    const { deletions, lastDeletion, hasMore: hasMoreDeletions } = this.#deletions(box, afterDeletion);
    yield;
    const { hasMore, ...listed } = this.#hasContent ? yield* this.#envelopes(box, after) : this.#idsOf(box, after);
    return { box, ...listed, opening, deletions, lastDeletion, hasMore: hasMore || hasMoreDeletions };
  }

  #deletions(box: string, after: number): Pick<BoxPage, "deletions" | "lastDeletion" | "hasMore"> {
    const { pageDeletions } = NETWORK_LIMITS.mailItems;
    const stored = this.#bytes > 0 ? this.#store.deleted.signed.listAfter(box, after, pageDeletions + 1) : [];
    const deletions: BoxDeletion[] = [];
    let lastDeletion = after;
    for (const { seq, deletion } of stored) {
      if (this.#bytes <= 0 || deletions.length >= pageDeletions) break;
      this.#bytes -= deletionBytes(deletion);
      lastDeletion = seq;
      if (deletion.ids.every((id) => HEX_ID.test(id))) deletions.push(deletion);
    }
    return { deletions, lastDeletion, hasMore: this.#bytes <= 0 || lastDeletion !== (stored.at(-1)?.seq ?? after) };
  }

  #idsOf(box: string, after: number): Listed {
    const room = Math.min(this.#ids, Math.floor(this.#bytes / LISTED_BYTES));
    if (room <= 0) return { ids: [], lastSeq: after, hasMore: true };
    const found = this.#store.listIds(box, after, room + 1);
    const listed = found.slice(0, room);
    this.#take(listed.length, listed.length * LISTED_BYTES);
    // Only the hash of its content is an id that keepers know.
    const ids = listed.map(({ id }) => id).filter((id) => HEX_ID.test(id));
    return { ids, lastSeq: listed.at(-1)?.seq ?? after, hasMore: found.length > room };
  }

  *#envelopes(box: string, after: number): Generator<undefined, Listed> {
    const ids: string[] = [];
    let seq = after;
    for (let hasMore = true; hasMore; ) {
      if (this.#ids <= 0 || this.#bytes <= 0) return { ids, lastSeq: seq, hasMore: true };
      const limit = Math.min(READ_ENVELOPES, this.#ids);
      const page = this.#store.list({ recipientPub: box, limit, afterSeq: seq, maxBytes: Math.min(this.#bytes, READ_BYTES) });
      for (const stored of page.items) {
        const item = keptOf(this.#store, stored);
        this.#take(1, LISTED_BYTES + keptWireBytes(item));
        seq = stored.seq;
        if (!HEX_ID.test(stored.envelope.id)) continue;
        this.items.push(item);
        ids.push(stored.envelope.id);
      }
      hasMore = page.hasMore;
      yield;
    }
    return { ids, lastSeq: seq, hasMore: false };
  }

  #take(ids: number, bytes: number): void {
    this.#ids -= ids;
    this.#bytes -= bytes;
  }
}

function keptOf(store: Store, { envelope, seq }: StoredEnvelope): KeptEnvelope {
  return { envelope, admit: store.open.admitOf(seq) ?? null };
}

function deletionBytes({ signature, ids }: BoxDeletion): number {
  return signature.length + ids.reduce((sum, id) => sum + id.length, 0) + LISTED_BYTES;
}
