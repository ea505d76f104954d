// The owner's deletions of envelopes, found by ids. Each search goes through all deletions of a box, so one request makes few.
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** Searches of one request. */
export class DeletionSearch {
  readonly #store: Pick<MailboxRepository, "deleted">;
  readonly #found: BoxDeletion[] = [];
  /** Places of all that they delete. */
  readonly #places = new Set<string>();
  #left: number = NETWORK_LIMITS.mailItems.deletionNotices;

  constructor(store: Pick<MailboxRepository, "deleted">) {
    this.#store = store;
  }

  /** What was found, each once. */
  get found(): readonly BoxDeletion[] {
    return this.#found;
  }

  /** True when nothing is searched any more. */
  get isOver(): boolean {
    return this.#left === 0;
  }

  /** The deletion of an envelope, the first time that it is found, while there are searches left. */
  find(box: X25519KeyHex, id: string): BoxDeletion | undefined {
    if (this.isOver || this.#places.has(placeOf(box, id)) || !this.#store.deleted.has(box, id)) return undefined;
    this.#left -= 1;
    const deletion = this.#store.deleted.signed.find(box, id);
    if (deletion === undefined) return undefined;
    for (const deleted of deletion.ids) this.#places.add(placeOf(box, deleted));
    this.#found.push(deletion);
    return deletion;
  }

  /** True for an envelope whose deletion was found, by this search or one before. */
  has(box: X25519KeyHex, id: string): boolean {
    this.find(box, id);
    return this.#places.has(placeOf(box, id));
  }
}

function placeOf(box: X25519KeyHex, id: string): string {
  return `${box} ${id}`;
}
