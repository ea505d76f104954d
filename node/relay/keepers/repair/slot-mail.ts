// What this node has of each slot, as repair compares it. Counts and fingerprints are remembered until something changes in the slot.
import { LRUCache } from "lru-cache";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { slotOf } from "#shared/protocol/keepers/placement.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailDigest } from "#shared/protocol/mail/mail-messages.ts";
import type { Relay } from "../../relay.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import { MailEntries } from "./mail-entries.ts";

export interface SlotMailDependencies {
  readonly relay: Pick<Relay, "onChange">;
  readonly store: Pick<MailboxRepository, "recipients" | "listIds">;
  readonly limits?: KeeperLimits;
}

/** Recipients and positions that are read at once. */
const READ_ROWS = 4_096;
const HEX_ID = /^[0-9a-f]{32}$/;

/** Slots of a store. It follows the store until it is closed. */
export class SlotMail {
  readonly #store: SlotMailDependencies["store"];
  readonly #limits: KeeperLimits;
  readonly #boxes = new Map<number, Set<X25519KeyHex>>();
  readonly #digests = new Map<number, MailDigest>();
  readonly #entries: LRUCache<number, MailEntries>;
  readonly #stop: () => void;

  constructor({ relay, store, limits = KEEPER_LIMITS }: SlotMailDependencies) {
    this.#store = store;
    this.#limits = limits;
    this.#entries = new LRUCache({ maxSize: limits.heldEntries, sizeCalculation: ({ size }): number => size + 1 });
    this.#stop = relay.onChange((box) => this.#onChange(box));
    let boxes: readonly X25519KeyHex[] = [];
    do {
      boxes = store.recipients(boxes.at(-1) ?? "", READ_ROWS);
      for (const box of boxes) this.#note(box);
    } while (boxes.length > 0);
  }

  /** Count and fingerprint of a slot. */
  digest(slot: number): MailDigest {
    const known = this.#digests.get(slot);
    if (known !== undefined) return known;
    const digest = this.entries(slot).digest("");
    this.#digests.set(slot, digest);
    return digest;
  }

  /** The slot's entries as they are now, to be read only. */
  entries(slot: number): MailEntries {
    const known = this.#entries.get(slot);
    if (known !== undefined) return known;
    const entries = this.copy(slot);
    this.#entries.set(slot, entries);
    return entries;
  }

  /** The same, for a caller that adds to them. */
  copy(slot: number): MailEntries {
    const entries = new MailEntries(this.#limits.listedEntries);
    const boxes = this.#boxes.get(slot);
    for (const box of boxes ?? []) if (!this.#addBox(box, entries)) boxes?.delete(box);
    if (boxes?.size === 0) this.#boxes.delete(slot);
    return entries;
  }

  close(): void {
    this.#stop();
  }

  /** False when there is nothing in the box. */
  #addBox(box: X25519KeyHex, entries: MailEntries): boolean {
    let after = 0;
    for (;;) {
      const rows = this.#store.listIds(box, after, READ_ROWS);
      // Keepers know no other ids than the hash of what they name.
      for (const { id, receivedAtSec } of rows) if (HEX_ID.test(id)) entries.add({ box, id, receivedSec: receivedAtSec });
      after = rows.at(-1)?.seq ?? after;
      if (rows.length < READ_ROWS) return after > 0;
    }
  }

  #onChange(box: X25519KeyHex | undefined): void {
    if (box !== undefined) {
      const slot = this.#note(box);
      this.#digests.delete(slot);
      this.#entries.delete(slot);
      return;
    }
    this.#digests.clear();
    this.#entries.clear();
  }

  #note(box: X25519KeyHex): number {
    const slot = slotOf(box, nativeSha256);
    const boxes = this.#boxes.get(slot) ?? new Set();
    this.#boxes.set(slot, boxes.add(box));
    return slot;
  }
}
