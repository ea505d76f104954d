// The relay: takes sealed envelopes into mailboxes, seals for clients that cannot, and tells listeners what arrived.
// It never opens an envelope.

import type { MailboxPage, MailboxQuery, MailboxRepository } from "#node/storage/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import {
  type BoxKeyPair,
  boxKeyPair,
  type Envelope,
  envelopeBytes,
  feeSignBytes,
  parseEnvelope,
  sealEnvelope,
  type X25519KeyHex,
  x25519,
} from "#shared/protocol/envelope.ts";
import { BOX_OVERHEAD_BYTES, MAX_ENVELOPE_BYTES, NONCE_BYTES } from "#shared/protocol/limits.ts";
import { fromBase64, fromHex, toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { GroupCommit, type ItemResult } from "./group-commit.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "./mailbox-limits.ts";

/** What a relay needs. */
export interface RelayOptions {
  readonly chainId: string;
  /** X25519 secret of the node, 32 bytes. */
  readonly secretKey: Uint8Array;
  readonly store: MailboxRepository;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The consensus rule for signatures; may answer later, from a worker. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean | Promise<boolean>;
  /** False switches the mailbox off: it takes nothing in; what it holds can still be read and deleted. */
  readonly isEnabled?: boolean;
  readonly limits?: MailboxLimits;
  /** Told about failures that no caller waits for. */
  readonly onError?: (error: unknown) => void;
}

/** Mailboxes of this node. */
export interface Relay {
  /** X25519 key with which /relay/send seals. */
  readonly publicKey: X25519KeyHex;
  /** Number of all envelopes. */
  readonly envelopeCount: number;
  /** Stores a sealed envelope; resolves once it is durable. @throws CodedError ENVELOPE_INVALID, MAILBOX_FULL or RELAY_FULL. */
  broadcast(value: unknown): Promise<Envelope>;
  /** Seals a plaintext with the node's own key and stores it. @throws CodedError as {@link Relay.broadcast} */
  send(recipientPub: X25519KeyHex, plaintext: Uint8Array): Promise<Envelope>;
  /** In order of arrival. */
  list(query: MailboxQuery): MailboxPage;
  count(recipientPub: X25519KeyHex): number;
  /** True when there was such an envelope. */
  delete(recipientPub: X25519KeyHex, id: string): boolean;
  /** Raw X25519 secret between a mailbox key and the node, 32 bytes; undefined for a key of small order. */
  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined;
  /** Calls back for every envelope that became durable and was not there before; returns the way to stop that. */
  onEnvelope(listener: (envelope: Envelope) => void): () => void;
  /** Commits what waits and stops. */
  close(): void;
}

/** A relay over a store. */
export function createRelay(options: RelayOptions): Relay {
  return new MailboxRelay(options);
}

interface Arrival {
  readonly envelope: Envelope;
  /** True when a client handed it to this node, which may then collect its fee. */
  readonly isFirstHand: boolean;
}

interface Stored {
  readonly isNew: boolean;
}

class MailboxRelay implements Relay {
  readonly publicKey: X25519KeyHex;
  readonly #options: RelayOptions;
  readonly #limits: MailboxLimits;
  readonly #keys: BoxKeyPair;
  readonly #commits: GroupCommit<Arrival, Stored>;
  readonly #listeners = new Set<(envelope: Envelope) => void>();
  readonly #pruneTimer: NodeJS.Timeout;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#limits = options.limits ?? MAILBOX_LIMITS;
    this.#keys = boxKeyPair(options.secretKey);
    this.publicKey = toHex(this.#keys.publicKey);
    this.#commits = new GroupCommit((arrivals) => this.#commitBatch(arrivals), this.#limits.batchEnvelopes);
    this.#prune();
    this.#pruneTimer = setInterval(() => this.#prune(), this.#limits.pruneIntervalMs);
    this.#pruneTimer.unref();
  }

  get envelopeCount(): number {
    return this.#options.store.totalCount();
  }

  async broadcast(value: unknown): Promise<Envelope> {
    this.#assertOpen();
    const envelope = withSentAt(parseEnvelope(value), this.#options.clock.nowMs());
    if (envelope.fee_ut > 0) await this.#checkFee(envelope);
    return await this.#store({ envelope, isFirstHand: true });
  }

  async send(recipientPub: X25519KeyHex, plaintext: Uint8Array): Promise<Envelope> {
    this.#assertOpen();
    if (plaintext.length + BOX_OVERHEAD_BYTES > MAX_ENVELOPE_BYTES)
      throw new CodedError("ENVELOPE_INVALID", `msg_b64 is larger than an envelope of ${MAX_ENVELOPE_BYTES} bytes can hold`);
    const envelope = sealEnvelope({
      plaintext,
      recipientPub,
      sender: this.#keys,
      senderMasterPub: "",
      nonce: this.#options.random(NONCE_BYTES),
      sentAt: Math.floor(this.#options.clock.nowMs() / 1000),
    });
    return await this.#store({ envelope: parseEnvelope(envelope), isFirstHand: true });
  }

  list(query: MailboxQuery): MailboxPage {
    return this.#options.store.list(query);
  }

  count(recipientPub: X25519KeyHex): number {
    return this.#options.store.count(recipientPub);
  }

  delete(recipientPub: X25519KeyHex, id: string): boolean {
    return this.#options.store.delete(recipientPub, id);
  }

  sharedSecret(recipientPub: X25519KeyHex): Uint8Array | undefined {
    return x25519(this.#keys.secretKey, fromHex(recipientPub));
  }

  onEnvelope(listener: (envelope: Envelope) => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    clearInterval(this.#pruneTimer);
    this.#commits.flush();
    this.#listeners.clear();
  }

  #assertOpen(): void {
    if (this.#options.isEnabled === false) throw new CodedError("RELAY_FULL", "The mailbox of this node is switched off: use another node");
    if (this.#commits.size >= this.#limits.waitingEnvelopes)
      throw new CodedError("RELAY_FULL", "The node receives more messages than it can store: try again in a moment");
  }

  async #checkFee(envelope: Envelope): Promise<void> {
    if (envelope.sender_ed25519_pub === "")
      throw new CodedError("ENVELOPE_INVALID", "sender_ed25519_pub is required when fee_ut is above 0: it pays the fee");
    const message = feeSignBytes(this.#options.chainId, envelope.id, envelope.fee_ut);
    const isSigned = await this.#options.verify(fromBase64(envelope.fee_sig ?? ""), message, fromHex(envelope.sender_ed25519_pub));
    if (!isSigned) throw new CodedError("ENVELOPE_INVALID", "fee_sig is not the sender's signature over id and fee_ut");
  }

  async #store(arrival: Arrival): Promise<Envelope> {
    const { isNew } = await this.#commits.add(arrival);
    if (isNew) this.#tell(arrival.envelope);
    return arrival.envelope;
  }

  #commitBatch(arrivals: readonly Arrival[]): readonly ItemResult<Stored>[] {
    const receivedAtSec = Math.floor(this.#options.clock.nowMs() / 1000);
    return this.#options.store.inTransaction(() => arrivals.map((arrival) => this.#put(arrival, receivedAtSec)));
  }

  #put({ envelope, isFirstHand }: Arrival, receivedAtSec: number): ItemResult<Stored> {
    const { store } = this.#options;
    const problem = this.#capProblem(envelope);
    if (problem !== undefined) return { error: problem };
    const isNew = store.put(envelope, receivedAtSec) === "stored";
    const { fee_ut, fee_sig } = envelope;
    if (isNew && isFirstHand && fee_ut > 0 && fee_sig !== null) store.claims.add({ ...envelope, fee_sig }, receivedAtSec);
    return { value: { isNew } };
  }

  #capProblem(envelope: Envelope): CodedError | undefined {
    const { store } = this.#options;
    const recipientPub = envelope.recipient_pub;
    const earlier = store.get(recipientPub, envelope.id);
    const addedBytes = envelopeBytes(envelope) - (earlier === undefined ? 0 : envelopeBytes(earlier.envelope));
    if (addedBytes <= 0) return undefined;
    if (earlier === undefined && store.count(recipientPub) >= this.#limits.recipientEnvelopes)
      return new CodedError("MAILBOX_FULL", `The recipient's mailbox is full (${this.#limits.recipientEnvelopes} envelopes)`);
    if (store.bytes(recipientPub) + addedBytes > this.#limits.recipientBytes)
      return new CodedError("MAILBOX_FULL", `The recipient's mailbox is full (${this.#limits.recipientBytes} bytes)`);
    if (store.totalBytes() + addedBytes > this.#limits.totalBytes)
      return new CodedError("RELAY_FULL", "The mailbox of this node is full: use another node");
    return undefined;
  }

  #tell(envelope: Envelope): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(envelope);
      } catch (error) {
        this.#options.onError?.(error);
      }
    }
  }

  #prune(): void {
    try {
      const { store, clock } = this.#options;
      const beforeSec = Math.floor((clock.nowMs() - this.#limits.retentionMs) / 1000);
      store.prune(beforeSec);
      store.claims.prune(beforeSec);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

/** The sender's time, or the time of arrival where there is none: `since` filters by it. */
function withSentAt(envelope: Envelope, nowMs: number): Envelope {
  return envelope.sent_at > 0 ? envelope : { ...envelope, sent_at: Math.floor(nowMs / 1000) };
}
