// Who is called for envelopes: those who pass them on, and those who push them to clients. What fails in one of them is reported, and keeps
// no other one from being called.
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { MailService } from "./mail-service.ts";

/** Called with an envelope; `isFirstHand` when a client of this node sent it, and not another node; `admit` when its box was opened. */
export type EnvelopeListener = (envelope: Envelope, isFirstHand: boolean, admit: string | undefined) => void;

type ArrivalListener = Parameters<MailService["onArrival"]>[0];

/** Listeners of mailboxes. */
export class MailListeners {
  readonly #onError: (error: unknown) => void;
  readonly #stored = new Set<EnvelopeListener>();
  readonly #arrivals = new Set<ArrivalListener>();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** For envelopes that became durable here; returns the way to stop that. */
  onEnvelope(listener: EnvelopeListener): () => void {
    return added(this.#stored, listener);
  }

  /** For these, and for those that lie elsewhere. */
  onArrival(listener: ArrivalListener): () => void {
    return added(this.#arrivals, listener);
  }

  /** An envelope became durable. */
  publish(...stored: Parameters<EnvelopeListener>): void {
    this.#call(this.#stored, (listener) => listener(...stored));
    this.announce(stored[0]);
  }

  /** An envelope lies elsewhere. */
  announce(envelope: Envelope): void {
    this.#call(this.#arrivals, (listener) => listener(envelope));
  }

  clear(): void {
    this.#stored.clear();
    this.#arrivals.clear();
  }

  #call<T>(listeners: Iterable<T>, call: (listener: T) => void): void {
    for (const listener of [...listeners]) {
      try {
        call(listener);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return (): void => void listeners.delete(listener);
}
