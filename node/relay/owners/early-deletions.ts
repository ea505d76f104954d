// Deletions that came before what they delete. In memory, and bounded: a mailbox with many of them displaces its own.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** Ids in all, and of one mailbox. */
const MAX_EARLY = 8_192;
const MAX_EARLY_OF_MAILBOX = 512;

/** Ids by mailbox. */
export class EarlyDeletions {
  readonly #byMailbox = new Map<X25519KeyHex, Set<string>>();
  #count = 0;

  /** Remembers ids; the oldest of the mailbox, then those of the mailbox that was there first, go for them. */
  add(mailbox: X25519KeyHex, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const known = this.#byMailbox.get(mailbox) ?? new Set();
    this.#byMailbox.set(mailbox, known);
    const before = known.size;
    for (const id of ids) known.add(id);
    this.#count += known.size - before;
    for (const id of known) {
      if (known.size <= MAX_EARLY_OF_MAILBOX) break;
      known.delete(id);
      this.#count -= 1;
    }
    for (const [oldest, some] of this.#byMailbox) {
      if (this.#count <= MAX_EARLY) break;
      this.#byMailbox.delete(oldest);
      this.#count -= some.size;
    }
  }

  /** True once for an id that was remembered. */
  take(mailbox: X25519KeyHex, id: string): boolean {
    const known = this.#byMailbox.get(mailbox);
    if (known?.delete(id) !== true) return false;
    this.#count -= 1;
    if (known.size === 0) this.#byMailbox.delete(mailbox);
    return true;
  }
}
