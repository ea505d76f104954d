// Boxes that are read at gateways of this node's operator: the node reads them at their keepers as for those who read here. In memory, as
// gateways name them again and again; what no one names any more is read no more after a while.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Boxes of all gateways of a node. */
export const MAX_GATEWAY_READERS = 16_384;
/** A box that was not named again for so long is forgotten, ms. */
export const GATEWAY_READER_MS = 1_800_000;

/** Boxes that gateways named. */
export class GatewayReaders {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** Until when each is read, ms, those that were named longest ago first. */
  readonly #untilMs = new Map<X25519KeyHex, number>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Takes these, as far as there is room; gives how many of them are read now, and whether any was not before. */
  name(boxes: readonly X25519KeyHex[]): { readonly taken: number; readonly hasNew: boolean } {
    this.#forget();
    const untilMs = this.#clock.monotonicMs() + GATEWAY_READER_MS;
    let taken = 0;
    let hasNew = false;
    for (const box of boxes) {
      const isKnown = this.#untilMs.delete(box);
      if (!isKnown && this.#untilMs.size >= MAX_GATEWAY_READERS) continue;
      this.#untilMs.set(box, untilMs);
      hasNew ||= !isKnown;
      taken += 1;
    }
    return { taken, hasNew };
  }

  has(box: X25519KeyHex): boolean {
    return (this.#untilMs.get(box) ?? 0) > this.#clock.monotonicMs();
  }

  list(): readonly X25519KeyHex[] {
    this.#forget();
    return [...this.#untilMs.keys()];
  }

  #forget(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [box, untilMs] of this.#untilMs) {
      if (untilMs > nowMs) return;
      this.#untilMs.delete(box);
    }
  }
}
