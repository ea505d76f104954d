// Own boxes of one run in memory, as in the store, and boxes of others that were refused lately.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { OwnBoxEntry, PersonBoxes } from "./own-boxes.ts";

/** Key of the boxes in the store. */
export const BOXES_KEY = "boxes";
/** A box that was refused is not tried again for so long: its device's lasting mailbox is used meanwhile. */
const REFUSED_MS = 3_600_000;
/** Refused boxes that are remembered. */
const MAX_REFUSED = 1_024;

/** A mailbox of this device beside the lasting one. */
export interface ReadBox extends Pick<OwnBoxEntry, "generation" | "mailbox"> {
  readonly peer: PublicKeyHex;
}

/** Boxes of one run. */
export class BoxRegistry {
  #records: ReadonlyMap<PublicKeyHex, PersonBoxes>;
  readonly #refused = new Map<X25519KeyHex, number>();
  /** So many mailboxes may be subscribed to, the lasting one among them, as the node says with what it lists. */
  watchable = 0;

  constructor(records: readonly PersonBoxes[]) {
    this.#records = new Map(records.map((record) => [record.peer, record]));
  }

  get all(): readonly PersonBoxes[] {
    return [...this.#records.values()];
  }

  get(peer: PublicKeyHex): PersonBoxes | undefined {
    return this.#records.get(peer);
  }

  /** Once they are stored. */
  set(records: readonly PersonBoxes[]): void {
    this.#records = new Map(records.map((record) => [record.peer, record]));
  }

  /** Mailboxes that are read: the newest of each person, then the ones before. */
  get read(): readonly ReadBox[] {
    const all = this.all.flatMap(({ peer, boxes }) =>
      boxes.toReversed().map(({ generation, mailbox }, age) => ({ age, box: { peer, generation, mailbox } })),
    );
    return all.sort((a, b) => a.age - b.age).map(({ box }) => box);
  }

  /** Those of them that pushes are asked for: as many as the node allows beside the lasting mailbox. */
  get watched(): readonly ReadBox[] {
    return this.read.slice(0, Math.max(0, this.watchable - 1));
  }

  /** The node does not take what is for a box of another device. */
  noteRefused(mailbox: X25519KeyHex, monotonicMs: number): void {
    this.#refused.delete(mailbox);
    this.#refused.set(mailbox, monotonicMs);
    const [oldest] = this.#refused.keys();
    if (oldest !== undefined && this.#refused.size > MAX_REFUSED) this.#refused.delete(oldest);
  }

  wasRefused(mailbox: X25519KeyHex, monotonicMs: number): boolean {
    const sinceMs = this.#refused.get(mailbox);
    return sinceMs !== undefined && monotonicMs - sinceMs < REFUSED_MS;
  }
}
