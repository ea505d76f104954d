// What becomes of an envelope that arrives: whether its mailbox takes it, where it finds room, what it replaces. The same for every kind of
// mailbox; runs inside the transaction that stores a batch.

import type { Usage } from "#node/storage/mailbox/mailbox-usage.ts";
import type { MailStore } from "#node/storage/mailbox/sharing/mail-store.ts";
import type { Room } from "#node/storage/mailbox/waiting-envelopes.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope } from "#shared/protocol/mail/mail-messages.ts";
import type { ItemResult } from "../group-commit.ts";
import type { Arrival, MailboxRoom } from "../mailbox-room.ts";
import type { MailDeletions } from "../owners/mail-deletions.ts";
import type { OpenedBoxes } from "../owners/opened-boxes.ts";

/** What came of an envelope that was not refused. */
export interface Stored {
  readonly isNew: boolean;
}

/** An envelope of another keeper, with the time at which it arrived there, unix seconds. */
export interface KeptArrival extends KeptEnvelope {
  readonly receivedAtSec: number;
}

/** Why the mailbox had no room: the recipient's part was full, or the whole. */
export type RefusalCode = "MAILBOX_FULL" | "RELAY_FULL";

export interface MailIntakeDependencies {
  readonly store: MailStore;
  readonly room: Pick<MailboxRoom, "find" | "findInBox">;
  readonly boxes: Pick<OpenedBoxes, "find">;
  readonly deletions: Pick<MailDeletions, "takeEarly">;
  /** What a mailbox lists has changed. */
  readonly onStored: (recipientPub: X25519KeyHex) => void;
  readonly onRefused: (code: RefusalCode) => void;
}

/** Takes envelopes in. */
export class MailIntake {
  readonly #dependencies: MailIntakeDependencies;

  constructor(dependencies: MailIntakeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores an envelope, or says why it is refused. @throws what says nothing of the envelope: nothing of the batch is stored then. */
  put(arrival: Arrival, receivedAtSec: number): ItemResult<Stored> {
    const { envelope, isFirstHand, source, admission } = arrival;
    const { store, room, boxes, onStored, onRefused } = this.#dependencies;
    const box = boxes.find(envelope.recipient_pub);
    // It may have been opened since the envelope was looked at.
    if (box !== undefined && box.opening.writeKey !== admission?.writeKey)
      return { error: new CodedError("FORBIDDEN", "The mailbox was opened for another write key meanwhile") };
    // What the owner of a box has deleted does not come back, whoever has seen it and sends it again.
    if (isFirstHand && box === undefined) this.#restore(envelope, receivedAtSec);
    else if (this.#isDeleted(envelope, receivedAtSec)) return { value: { isNew: false } };
    try {
      const findRoom = (added: Usage): Room =>
        box?.isOpen === true ? room.findInBox(arrival, receivedAtSec) : room.find(arrival, added, receivedAtSec);
      const replaces = admission?.writeKey === undefined ? undefined : arrival.replaces;
      const isNew =
        store.put(envelope, keptSince(arrival, receivedAtSec), { source, findRoom, admit: admission?.admit, replaces }) === "stored";
      if (!isNew) return { value: { isNew } };
      onStored(envelope.recipient_pub);
      if (isFirstHand) this.claim(envelope, receivedAtSec);
      return { value: { isNew } };
    } catch (error) {
      if (!isCodedError(error, "MAILBOX_FULL", "RELAY_FULL", "RATE_LIMITED")) throw error;
      if (error.code === "MAILBOX_FULL" || error.code === "RELAY_FULL") onRefused(error.code);
      return { error };
    }
  }

  /** Notes a fee that this node may collect, as a client handed the envelope to it. */
  claim(envelope: Envelope, atSec: number): void {
    const { fee_ut, fee_sig } = envelope;
    if (fee_ut > 0 && fee_sig !== null) this.#dependencies.store.claims.add({ ...envelope, fee_sig }, atSec);
  }

  #isDeleted({ recipient_pub: recipientPub, id }: Envelope, atSec: number): boolean {
    const { store, deletions } = this.#dependencies;
    if (store.deleted.has(recipientPub, id)) return true;
    if (!deletions.takeEarly(recipientPub, id)) return false;
    store.deleted.add(recipientPub, id, atSec);
    return true;
  }

  /** What a client sends again is to arrive again, however it was deleted. */
  #restore({ recipient_pub: recipientPub, id }: Envelope, atSec: number): void {
    const { store } = this.#dependencies;
    if (store.deleted.hidden.has(recipientPub, id)) store.delete(recipientPub, id, atSec);
    store.deleted.remove(recipientPub, id);
  }
}

/** From when an envelope's time counts, unix seconds. */
function keptSince({ receivedAtSec }: Arrival, nowSec: number): number {
  return Math.min(nowSec, receivedAtSec ?? nowSec);
}
