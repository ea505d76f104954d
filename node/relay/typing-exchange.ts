// Typing notices between the clients of this node and those of others. Nothing is stored.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** A user types to another. */
export interface TypingNotice {
  readonly to: X25519KeyHex;
  readonly from: X25519KeyHex;
}

/** The way of notices in both directions. */
export class TypingExchange {
  readonly #send: (notice: TypingNotice) => void;
  readonly #listeners = new Set<(notice: TypingNotice) => void>();

  /** `send` reaches other nodes. */
  constructor(send: (notice: TypingNotice) => void) {
    this.#send = send;
  }

  /** A client of this node types. */
  publish(notice: TypingNotice): void {
    this.#send(notice);
  }

  /** A client of another node types. */
  receive(notice: TypingNotice): void {
    for (const listener of [...this.#listeners]) listener(notice);
  }

  /** Calls back for notices of other nodes; returns the way to stop that. */
  onNotice(listener: (notice: TypingNotice) => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }
}
