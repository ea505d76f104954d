// Digests that this node signs as a keeper: one of a slot in ten minutes, however often it is asked or started. Two would be a proof of a lie.

import { digestVersion, type SignedDigest, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import type { MailDigest } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Clock } from "#shared/util/clock.ts";

/** The newest version in which this node may have signed, over restarts. */
export interface DigestMark {
  /** Durable once it is set. @throws CodedError when it cannot be written */
  latest: number;
}

export interface OwnDigestsDependencies {
  readonly chainId: string;
  readonly key: { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array };
  readonly mark: DigestMark;
  /** What there is of a slot now. */
  readonly digest: (slot: number) => MailDigest;
  readonly clock: Clock;
}

/**
 * Nothing is signed for so long after a start, ms: what runs under the key now may have lost what it signed before, on a machine whose clock
 * was ahead by as much as the chain takes.
 */
export const SILENT_MS = TX_WINDOW_MS;
/** A clock that leaps by more, ms, is that of a machine that slept, or was put back to an earlier moment while it ran. */
const LEAP_MS = 10_000;

/** Signs. What it has signed in the present version it gives again. */
export class OwnDigests {
  readonly #dependencies: OwnDigestsDependencies;
  /** Version and monotonic time of the start, or of the last leap of the clock, and what the clock is ahead of the monotonic one, ms. */
  #begun: { readonly version: number; readonly atMs: number };
  #aheadMs: number;
  #version: number | undefined;
  readonly #signed = new Map<number, SignedDigest>();

  constructor(dependencies: OwnDigestsDependencies) {
    this.#dependencies = dependencies;
    this.#begun = this.#start();
    this.#aheadMs = this.#ahead();
  }

  /** The digest of a slot; undefined where nothing may be signed in this version. @throws CodedError when the mark cannot be written */
  sign(slot: number, version: number): SignedDigest | undefined {
    if (version !== this.#now() || !this.#isSettled(version) || !this.#enter(version)) return undefined;
    const known = this.#signed.get(slot);
    if (known !== undefined) return known;
    const { chainId, key, digest } = this.#dependencies;
    const signed = signDigest(chainId, { slot, version, ...digest(slot) }, key);
    this.#signed.set(slot, signed);
    return signed;
  }

  /** False while this may not be all that signed under the key lately. */
  #isSettled(version: number): boolean {
    const aheadMs = this.#ahead();
    if (Math.abs(aheadMs - this.#aheadMs) > LEAP_MS) this.#begun = this.#start();
    this.#aheadMs = aheadMs;
    const { version: first, atMs } = this.#begun;
    return version > first && this.#dependencies.clock.monotonicMs() - atMs >= SILENT_MS;
  }

  #start(): { readonly version: number; readonly atMs: number } {
    return { version: this.#now(), atMs: this.#dependencies.clock.monotonicMs() };
  }

  #ahead(): number {
    const { clock } = this.#dependencies;
    return clock.nowMs() - clock.monotonicMs();
  }

  /** True in a version in which nothing was signed before this run, once that is written down. */
  #enter(version: number): boolean {
    const { mark } = this.#dependencies;
    if (version === this.#version) return true;
    // Clocks go back.
    if (version <= mark.latest) return false;
    mark.latest = version;
    this.#version = version;
    this.#signed.clear();
    return true;
  }

  #now(): number {
    return digestVersion(this.#dependencies.clock.nowMs() / 1_000);
  }
}
