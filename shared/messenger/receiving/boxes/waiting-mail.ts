// Envelopes that wait in their mailboxes: for what a node cannot say of the owners of a group, or as there is no room beside the mailbox. They
// are listed and opened again each time, so there are few of them, and one person has a part of the room.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { InboxEntry } from "../../model/node-port.ts";

/** Envelopes that wait, of all and in the name of one person. */
export const MAX_WAITING = 512;
export const MAX_WAITING_OF_PERSON = 256;
/** What was not seen for so long is not there any more: its mailbox has let it go. It makes room where that is needed. */
const UNSEEN_MS = 3_600_000;

interface WaitingEnvelope {
  readonly from: PublicKeyHex;
  /** When it was first seen, and last, by the monotonic clock. */
  readonly sinceMs: number;
  readonly seenMs: number;
}

/** What waits, in one run. */
export class WaitingMail {
  readonly #envelopes = new Map<string, WaitingEnvelope>();

  has({ id }: Pick<InboxEntry, "id">): boolean {
    return this.#envelopes.has(id);
  }

  delete({ id }: Pick<InboxEntry, "id">): void {
    this.#envelopes.delete(id);
  }

  /** True for an envelope that may wait for so long since it was first seen; false, too, where there is no room for it. */
  waits({ id }: Pick<InboxEntry, "id">, from: PublicKeyHex, { nowMs, forMs }: { readonly nowMs: number; readonly forMs: number }): boolean {
    const known = this.#envelopes.get(id);
    if (known === undefined && !this.#hasRoom(from, nowMs)) return false;
    const sinceMs = known?.sinceMs ?? nowMs;
    this.#envelopes.set(id, { from, sinceMs, seenMs: nowMs });
    return nowMs - sinceMs < forMs;
  }

  #hasRoom(from: PublicKeyHex, nowMs: number): boolean {
    if (this.#fits(from)) return true;
    for (const [id, { seenMs }] of this.#envelopes) if (nowMs - seenMs >= UNSEEN_MS) this.#envelopes.delete(id);
    return this.#fits(from);
  }

  #fits(from: PublicKeyHex): boolean {
    const ofPerson = [...this.#envelopes.values()].filter((other) => other.from === from);
    return this.#envelopes.size < MAX_WAITING && ofPerson.length < MAX_WAITING_OF_PERSON;
  }
}
