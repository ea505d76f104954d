// Mail in a form of a later version: it stays in its mailbox, for the program to open once it is updated. Who writes such mail may only
// pretend, and what stays is listed and opened again each time, so little of it stays: what came first, of each mailbox and of all. What
// is known to come from someone one knows has room of its own, and is alone said to the person.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { InboxEntry } from "../../model/node-port.ts";

/** Envelopes that stay, and the text of these, characters: of one mailbox. */
export const MAX_NEWER_OF_BOX = 16;
export const MAX_NEWER_CHARS_OF_BOX = 131_072;
/** The same of all mailboxes together. */
export const MAX_NEWER = 64;
export const MAX_NEWER_CHARS = 524_288;

interface NewerEnvelope {
  readonly box: X25519KeyHex | undefined;
  readonly chars: number;
  readonly isKnown: boolean;
  /** The reading of all mailboxes in which it was there last. */
  readonly reading: number;
}

/** What stays, in one run. */
export class NewerMail {
  readonly #kept = new Map<string, NewerEnvelope>();
  #reading = 0;

  /** True while there is some of someone one knows. */
  get isThere(): boolean {
    return [...this.#kept.values()].some(({ isKnown }) => isKnown);
  }

  has({ id }: Pick<InboxEntry, "id">): boolean {
    return this.#kept.has(id);
  }

  /** True for one that stays; false where there is no room for it. `isKnown`: its box, card or seal is of someone one knows. */
  keeps({ id, ciphertext, box }: Pick<InboxEntry, "id" | "ciphertext" | "box">, isKnown: boolean): boolean {
    const entry = { box: box?.mailbox, chars: ciphertext.length, isKnown, reading: this.#reading };
    if (!this.#kept.has(id) && !this.#hasRoom(entry)) return false;
    this.#kept.set(id, entry);
    return true;
  }

  /** All mailboxes are about to be read. */
  begin(): void {
    this.#reading += 1;
  }

  /** All mailboxes were read to the end: what was not there any more has expired, or was opened elsewhere. */
  end(): void {
    for (const [id, { reading }] of this.#kept) if (reading < this.#reading) this.#kept.delete(id);
  }

  #hasRoom({ box, chars, isKnown }: NewerEnvelope): boolean {
    const all = [...this.#kept.values()].filter((other) => other.isKnown === isKnown);
    const ofBox = all.filter((other) => other.box === box);
    return (
      fits(ofBox, chars, { count: MAX_NEWER_OF_BOX, chars: MAX_NEWER_CHARS_OF_BOX }) &&
      fits(all, chars, { count: MAX_NEWER, chars: MAX_NEWER_CHARS })
    );
  }
}

function fits(kept: readonly NewerEnvelope[], chars: number, most: { readonly count: number; readonly chars: number }): boolean {
  return kept.length < most.count && kept.reduce((sum, other) => sum + other.chars, chars) <= most.chars;
}
