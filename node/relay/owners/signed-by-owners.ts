// What deletions and openings have in common: the key of a mailbox has signed them, at a height near the present one.
import type { MailStore } from "#node/storage/mailbox/sharing/mail-store.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { PROOF_HEIGHTS } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Clock } from "#shared/util/clock.ts";

export interface SignedByOwnersDependencies {
  readonly chainId: string;
  readonly store: MailStore;
  readonly clock: Clock;
  readonly verify: (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>;
  /** Height of the chain; where it is not known, every height passes. */
  readonly height: (() => number | undefined) | undefined;
  /** False for a node that stores nothing: it passes on what others should do. */
  readonly isEnabled: boolean;
  /** What a mailbox lists, or who may list it, has changed. */
  readonly onChanged: (mailbox: X25519KeyHex) => void;
}

/** True for a height near the chain's. */
export function isTimely(signedHeight: number, { height }: Pick<SignedByOwnersDependencies, "height">): boolean {
  const own = height?.();
  return own === undefined || Math.abs(signedHeight - own) <= PROOF_HEIGHTS;
}

/** @throws CodedError FORBIDDEN for a height far from the chain's */
export function requireTimely(signedHeight: number, dependencies: Pick<SignedByOwnersDependencies, "height">): void {
  if (isTimely(signedHeight, dependencies)) return;
  throw new CodedError("FORBIDDEN", `height is more than ${PROOF_HEIGHTS} blocks from this node's: sign with the present one`);
}

/** Those who want to know of something that other nodes should know. */
export class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>();

  /** Returns the way to stop that. */
  add(listener: (news: T) => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  call(news: T): void {
    for (const listener of [...this.#listeners]) listener(news);
  }
}
