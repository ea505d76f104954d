// Who has an owner's rights over a mailbox: callers that prove its key, and programs of the node's owner. Never an address.
import {
  INBOX_PROOF_WINDOW_SECONDS,
  isInboxProof,
  type ParsedInboxProof,
  type ProvenRequest,
  parseInboxProof,
} from "#shared/api/inbox-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { RequestContext } from "../handler-types.ts";
import type { ApiLimits } from "../limits.ts";
import type { ResolvedApiOptions } from "../options.ts";
import { type ProofStore, UsedProofs } from "./used-proofs.ts";

/** What a caller's proof came to: `bad` when it is none for this request, or was used before. */
export type MailboxRight = "owner" | "none" | "bad";

/** What the check needs of the relay. */
export interface MailboxSecrets {
  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined;
  readonly proofs: ProofStore;
}

/** An operation on a mailbox, by the forms of the request that a proof may cover. */
export interface ProvenOperation {
  readonly requests: readonly ProvenRequest[];
  /** True for one that changes something. */
  readonly isLasting?: boolean;
}

/** Decides about callers. */
export class MailboxAccess {
  readonly #relay: MailboxSecrets;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #isOpen: boolean;
  readonly #limits: ApiLimits;
  /** Read from the mailbox with the first proof: handlers that only answer for the chain have none. */
  #used: UsedProofs | undefined;

  constructor(relay: MailboxSecrets, clock: Pick<Clock, "nowMs">, { inboxAuth, limits }: ResolvedApiOptions) {
    this.#relay = relay;
    this.#clock = clock;
    this.#isOpen = inboxAuth === "open";
    this.#limits = limits;
  }

  /** True when a caller needs a proof to have an owner's rights. */
  needsProof({ isOwn }: Pick<RequestContext, "isOwn">): boolean {
    return !this.#isOpen && !isOwn;
  }

  /**
   * The right of a caller over a mailbox. `requests` are the forms of the operation that a proof may cover, made from its parsed input. An
   * operation that changes something asks for `isLasting`, in the transaction of its change.
   * @throws CodedError RATE_LIMITED
   */
  rightOf(context: RequestContext, recipientPub: X25519KeyHex, { requests, isLasting = false }: ProvenOperation): MailboxRight {
    if (!this.needsProof(context)) return "owner";
    if (context.inboxProof === undefined) return "none";
    const proof = parseInboxProof(context.inboxProof);
    return proof !== undefined && this.#isRight(context, recipientPub, { proof, requests, isLasting }) ? "owner" : "bad";
  }

  #isRight(
    { inboxProof = "", address }: RequestContext,
    recipientPub: X25519KeyHex,
    { proof, requests, isLasting = false }: ProvenOperation & { readonly proof: ParsedInboxProof },
  ): boolean {
    const nowSeconds = Math.floor(this.#clock.nowMs() / 1000);
    // Before the secret is computed, which costs more than all the rest.
    if (Math.abs(proof.unixSeconds - nowSeconds) > INBOX_PROOF_WINDOW_SECONDS) return false;
    const secret = this.#relay.sharedSecret(recipientPub);
    if (secret === undefined) return false;
    const isProven = requests.some((request) => isInboxProof(inboxProof, secret, request, nowSeconds));
    if (!isProven) return false;
    this.#used ??= new UsedProofs(this.#limits, this.#relay.proofs, nowSeconds);
    return this.#used.take(proof, { address, nowSeconds, isLasting });
  }
}
