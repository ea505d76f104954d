// Mail that came to this node another way than gossip, as keepers have it from who hands it in. Gossip of it follows, and finds it known here:
// a node that ignored it then would end its way to all those who have nothing but gossip.
import { LRUCache } from "lru-cache";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import type { AdmittedEnvelope, ValidationResult } from "#node/network/peer-network.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type BoxOpening, isSameOpening } from "#shared/protocol/mail/box-opening.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { receiptMark } from "#shared/protocol/mail/mail-receipt.ts";

/** Envelopes that are remembered; those that came longest ago go first. */
export const MAX_UNFORWARDED = 65_536;

/** Remembers what gossip has not brought yet. */
export class UnforwardedMail {
  readonly #boxes: { find(mailbox: X25519KeyHex): { readonly opening: BoxOpening } | undefined };
  readonly #names = new LRUCache<string, true>({ max: MAX_UNFORWARDED });

  /** @param boxes Openings that were checked here. */
  constructor(boxes: { find(mailbox: X25519KeyHex): { readonly opening: BoxOpening } | undefined }) {
    this.#boxes = boxes;
  }

  /** An envelope was stored that another node brought, whichever way. */
  note(envelope: Envelope, admit: string | undefined): void {
    this.#names.set(nameOf(envelope, admit), true);
  }

  /** What gossip is to do with envelopes that it brought: one that was noted is worth forwarding once though it is known here. */
  judge(reception: ValidationResult, envelopes: readonly Envelope[]): ValidationResult {
    // All of them: none is forwarded twice.
    const known = envelopes.filter((envelope) => this.#take(envelope, undefined));
    return reception === "ignore" && known.length > 0 ? "accept" : reception;
  }

  /** The same of envelopes with openings; only the very opening that was checked here is passed on unchecked. */
  judgeAdmitted(reception: ValidationResult, items: readonly AdmittedEnvelope[]): ValidationResult {
    const known = items.filter((item) => this.#isOpenedHere(item) && this.#take(item.envelope, item.admit));
    return reception === "ignore" && known.length > 0 ? "accept" : reception;
  }

  /** Never true for an altered copy. */
  #take(envelope: Envelope, admit: string | undefined): boolean {
    return this.#names.size > 0 && this.#names.delete(nameOf(envelope, admit)) && isAuthenticEnvelope(envelope);
  }

  #isOpenedHere({ opening, envelope }: AdmittedEnvelope): boolean {
    const held = this.#boxes.find(envelope.recipient_pub)?.opening;
    return held !== undefined && isSameOpening(held, opening) && held.signature === opening.signature;
  }
}

/** Covers all that nodes check of an envelope; its id covers the rest. */
function nameOf(envelope: Envelope, admit: string | undefined): string {
  return `${receiptMark({ envelope, admit: admit ?? null }, nativeSha256)} ${envelope.sent_at}`;
}
