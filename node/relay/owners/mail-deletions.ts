// Deletions on their way: what an owner has signed is believed by every node, what was read without such a proof is only the first to go.
import { LRUCache } from "lru-cache";
import type { ValidationResult } from "#node/network/peer-network.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type BoxDeletion, isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { EarlyDeletions } from "./early-deletions.ts";
import { isTimely, Listeners, requireTimely, type SignedByOwnersDependencies } from "./signed-by-owners.ts";

/** What happened to envelopes: deleted by their owner, or read as some node says. */
export type MailNotice =
  | { readonly type: "deletion"; readonly deletion: BoxDeletion }
  | { readonly type: "read"; readonly mailbox: X25519KeyHex; readonly ids: readonly string[] };

/** Deletions that came another way than gossip and are remembered until that brings them. */
const MAX_UNFORWARDED = 8_192;

/** Takes deletions, and says which of them are news for others. */
export class MailDeletions {
  readonly #dependencies: SignedByOwnersDependencies;
  readonly #listeners = new Listeners<MailNotice>();
  /** What was deleted before it came: on other ways it may be slower. */
  readonly #early = new EarlyDeletions();
  /** Signatures of what came another way and gossip has not brought yet: where it was news here, it is for those who have gossip alone. */
  #unforwarded: LRUCache<string, true> | undefined;

  constructor(dependencies: SignedByOwnersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Deletes what a client of this node has signed; gives how many envelopes there were. @throws CodedError FORBIDDEN */
  async take(deletion: BoxDeletion): Promise<number> {
    await this.check(deletion);
    const deleted = this.apply(deletion);
    this.#listeners.call({ type: "deletion", deletion });
    return deleted;
  }

  /** Takes what a gateway of this node's operator judged when its owner signed it, however long ago that was. @throws CodedError FORBIDDEN */
  async takeLate(deletion: BoxDeletion): Promise<void> {
    const { chainId, verify } = this.#dependencies;
    if (!(await isSignedDeletion(chainId, deletion, verify)))
      throw new CodedError("FORBIDDEN", "signature is not one of the mailbox's key over these ids and this height");
    this.apply(deletion);
    this.#listeners.call({ type: "deletion", deletion });
  }

  /** Judges what a client of this node has signed by itself. @throws CodedError FORBIDDEN */
  async check(deletion: BoxDeletion): Promise<void> {
    const { chainId, verify } = this.#dependencies;
    requireTimely(deletion.height, this.#dependencies);
    if (!(await isSignedDeletion(chainId, deletion, verify)))
      throw new CodedError("FORBIDDEN", "signature is not one of the mailbox's key over these ids and this height");
  }

  /** Takes what gossip brings. A false proof is what no honest node forwards. */
  async receive(deletion: BoxDeletion): Promise<ValidationResult> {
    const { chainId, store, verify } = this.#dependencies;
    const isUnforwarded = this.#unforwarded?.has(deletion.signature) === true;
    if (store.deleted.signed.has(deletion) && !isUnforwarded) return "ignore";
    if (!(await isSignedDeletion(chainId, deletion, verify))) return "reject";
    if (!isTimely(deletion.height, this.#dependencies)) return "ignore";
    if (!this.#dependencies.isEnabled) return "accept";
    const deleted = this.apply(deletion);
    return this.#unforwarded?.delete(deletion.signature) === true || deleted > 0 ? "accept" : "ignore";
  }

  /** Takes what another node has stored for a recipient that reads here, of any height; false for a false proof. */
  async learn(deletions: readonly BoxDeletion[]): Promise<boolean> {
    const { chainId, store, verify } = this.#dependencies;
    for (const deletion of deletions) {
      if (store.deleted.signed.has(deletion)) continue;
      if (!(await isSignedDeletion(chainId, deletion, verify))) return false;
      if (this.apply(deletion) === 0) continue;
      // Its room is made with the first: over PostgreSQL there is an object of this class for each piece of work.
      this.#unforwarded ??= new LRUCache({ max: MAX_UNFORWARDED });
      this.#unforwarded.set(deletion.signature, true);
    }
    return true;
  }

  /** Another node says that envelopes were read: they count no more, and are the first to go. */
  receiveRead(mailbox: X25519KeyHex, ids: readonly string[]): ValidationResult {
    const { store, isEnabled } = this.#dependencies;
    if (!isEnabled) return "accept";
    const read = store.inTransaction(() => ids.filter((id) => store.markRead(mailbox, id)).length);
    return read > 0 ? "accept" : "ignore";
  }

  /** Tells other nodes that envelopes were read here, by who could not prove that to them. */
  announceRead(mailbox: X25519KeyHex, ids: readonly string[]): void {
    this.#listeners.call({ type: "read", mailbox, ids });
  }

  /** True once for an envelope whose deletion was here before it. */
  takeEarly(recipientPub: X25519KeyHex, id: string): boolean {
    return this.#early.take(recipientPub, id);
  }

  /** Calls back for what other nodes should know; returns the way to stop that. */
  onNotice(listener: (notice: MailNotice) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Deletes what is here. What is not is remembered for readers of this node, to whom another node may bring it yet; for others a while at
   * most, so that no one fills the memory with deletions of what there never was.
   */
  apply(deletion: BoxDeletion): number {
    const { store, clock, onChanged } = this.#dependencies;
    const { mailbox, ids } = deletion;
    const atSec = Math.floor(clock.nowMs() / 1000);
    const deleted = store.inTransaction(() => {
      const isServed = store.served.has(mailbox);
      const there = ids.filter((id) => store.sizeOf(mailbox, id) !== undefined);
      for (const id of isServed ? ids : there) store.delete(mailbox, id, atSec);
      if (isServed || there.length > 0) store.deleted.signed.add(deletion, atSec);
      return there.length;
    });
    if (deleted > 0) onChanged(mailbox);
    this.#early.add(
      mailbox,
      ids.filter((id) => !store.deleted.has(mailbox, id)),
    );
    return deleted;
  }
}
