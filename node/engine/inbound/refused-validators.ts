// Validators that sent what no honest one sends: their streams are closed for a while, so nothing they propose is waited for meanwhile.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import { INBOUND_LIMITS } from "./inbound-limits.ts";

/** At most one entry a validator. */
export class RefusedValidators {
  readonly #clock: Clock;
  readonly #untilMs = new Map<PublicKeyHex, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null for a message that others passed on: it may be forged. */
  refuse(publicKey: PublicKeyHex | null): void {
    if (publicKey === null) return;
    const nowMs = this.#clock.monotonicMs();
    for (const [key, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(key);
    this.#untilMs.set(publicKey, nowMs + INBOUND_LIMITS.refusalMs);
  }

  isRefused(publicKey: PublicKeyHex): boolean {
    return (this.#untilMs.get(publicKey) ?? 0) > this.#clock.monotonicMs();
  }
}
